"""What the games of Farfalia have in common; a game's own file says the rest."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from farfalia_engine.deals import Deals
from farfalia_engine.errors import BadOption
from farfalia_engine.farfalia.cards import CARDS
from farfalia_engine.farfalia.dummies import cover
from farfalia_engine.farfalia.endgame import FarfaliaEndgame
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.farfalia.observation import FarfaliaObservation
from farfalia_engine.farfalia.sampling import FarfaliaDeterminizations
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.farfalia.wording import FARFALIA_WORDING
from farfalia_engine.game import Game
from farfalia_engine.notation import Notation, farfalia_words
from farfalia_engine.observation import Observation
from farfalia_engine.options import Option, choice
from farfalia_engine.search.endgame import Objective
from farfalia_engine.state import State
from farfalia_engine.wording import Wording

if TYPE_CHECKING:
    from random import Random

    from farfalia_engine.rulesets import Ruleset

#: Wild cards that everyone has to spend in a match of Double You.
WILDS_TO_SPEND = 2


class Farfalia(Game):
    """A game of Farfalia: tricks are played, and cards collected from them for the proposal."""

    observation_type = FarfaliaObservation
    collecting = True
    options: ClassVar[Mapping[str, Option]] = {"double_you": choice("off", "on"), "burnin": choice("off", "on")}

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        #: Wild cards that everyone has at the start of the match and may spend to double a deal's score.
        self.wilds = WILDS_TO_SPEND if self.chosen["double_you"] == "on" else 0
        #: Whether everyone is dealt a wild card that burns.
        self.burnin = self.chosen["burnin"] == "on"
        #: Whether every ordinary card of every trick may be collected.
        self.plain = not (self.barren or self.burnin)
        if self.wilds and self.burnin:
            raise BadOption("double_you and burnin need the same wild cards, expected one of the two at most")

    @abstractmethod
    def layout(self, deal: int, scores: Sequence[int]) -> Layout:
        """Return who sits where in this deal, given the points of all deals before it, by seat, deal after deal."""

    def weight(self, deal: int) -> int:
        """Return how often the points of this deal count."""
        del deal
        return 1

    def new_match(self, rules: "Ruleset", deals: Deals, deal: int) -> FarfaliaState:
        """This deal, with its first decision pending; nobody made points in those before it."""
        return FarfaliaState(rules, self, deals, deal)

    def determinizations(self, rules: "Ruleset", seen: Observation) -> "Callable[[Random], FarfaliaState]":
        """Return what draws a match that looks like this to the seat that looks."""
        return FarfaliaDeterminizations(rules, self, seen).draw

    def endgame(self, state: State, objective: Objective) -> FarfaliaEndgame:
        """Tricks, and what each side may still collect from them."""
        assert isinstance(state, FarfaliaState)
        return FarfaliaEndgame(state, objective)

    @property
    def notation(self) -> Notation:
        """The same for all of them."""
        return farfalia_words()

    @property
    def wording(self) -> Wording:
        """The same for all of them."""
        return FARFALIA_WORDING

    def face_down(self, deals: Deals, seen: Observation) -> Sequence[tuple[int, int]]:
        """Return the cards under those of the dummies; the deck says which."""
        if not seen.dummies:
            return ()
        covered = cover(deals.shuffle(f"deal/{seen.deal}/cards", CARDS), len(seen.seats), seen.dummies)
        return [(dummy, below) for dummy, _, below in covered]


def totals_of(scores: Sequence[int], seats: int, deals: int) -> list[int]:
    """Return the points by seat after this number of deals."""
    return [sum(scores[seat : deals * seats : seats]) for seat in range(seats)]


def fewest(totals: Sequence[int], dealer: int) -> int:
    """Return the seat with fewest points; of tied ones the first clockwise after this dealer, who is last (F6)."""
    n = len(totals)
    return min(((dealer + step) % n for step in range(1, n + 1)), key=totals.__getitem__)
