"""What the games of Farfalia have in common; a game's own file says the rest."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

from farfalia_engine.deals import Deals
from farfalia_engine.farfalia.cards import CARDS
from farfalia_engine.farfalia.deal_luck import VALUE_FUNCTION, DealtCards, deal_luck, has_values
from farfalia_engine.farfalia.dummies import cover
from farfalia_engine.farfalia.endgame import FarfaliaEndgame
from farfalia_engine.farfalia.heuristic_playout import play_heuristically
from farfalia_engine.farfalia.notation import words
from farfalia_engine.farfalia.observation import FarfaliaObservation
from farfalia_engine.farfalia.playout import play_out
from farfalia_engine.farfalia.sampling import FarfaliaDeterminizations
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.farfalia.terms import FarfaliaTerms
from farfalia_engine.farfalia.wording import FARFALIA_WORDING
from farfalia_engine.interfaces import Game, Observation, Ruleset, State
from farfalia_engine.knowledge import SeatKnowledge
from farfalia_engine.notation import Notation
from farfalia_engine.search.endgame import Objective
from farfalia_engine.wording import Wording


class Farfalia(FarfaliaTerms, Game):
    """A game of Farfalia: tricks are played, and cards collected from them for the proposal."""

    observation_type = FarfaliaObservation

    def new_match(self, rules: Ruleset, deals: Deals, deal: int) -> FarfaliaState:
        """Return this deal with its first decision pending; nobody made points in those before it."""
        return FarfaliaState(rules, self, deals, deal)

    def determinizations(self, rules: Ruleset, observation: Observation) -> Callable[[Random], FarfaliaState]:
        """Return what draws a match that looks like this to the seat that looks."""
        return FarfaliaDeterminizations(rules, self, observation).draw

    def play_out(self, state: State, random: Callable[[], float]) -> tuple[int, ...]:
        """Return the points of this deal by seat after decisions that are drawn from `random`."""
        assert isinstance(state, FarfaliaState)
        return play_out(state, random)

    def play_out_by_heuristic(self, state: State, random: Callable[[], float]) -> tuple[int, ...]:
        """Return the same after decisions of the heuristic rollout policy."""
        assert isinstance(state, FarfaliaState)
        return play_heuristically(state, random)

    def endgame(self, state: State, objective: Objective) -> FarfaliaEndgame:
        """Return the endgame of tricks, and of what each side may still collect from them."""
        assert isinstance(state, FarfaliaState)
        return FarfaliaEndgame(state, objective)

    @property
    def notation(self) -> Notation:
        """The same for all of them."""
        return words()

    @property
    def wording(self) -> Wording:
        """The same for all of them."""
        return FARFALIA_WORDING

    @property
    def value_function(self) -> bytes:
        """That of all games of Farfalia."""
        return VALUE_FUNCTION if has_values(self.layout(1, ())) else b""

    def deal_luck(self, deals: Deals, deal: int, scores: Sequence[int]) -> tuple[Fraction, ...]:
        """Return what the deal's hands are worth more than an average deal's; doubled points are not looked at."""
        layout = self.layout(deal, scores)
        luck, weight = deal_luck(layout, DealtCards.of(deals, deal, layout)), self.weight(deal)
        return luck if weight == 1 else tuple(weight * points for points in luck)

    def face_down(self, deals: Deals, observation: SeatKnowledge) -> Sequence[tuple[int, int, int]]:
        """Return the cards under those of the dummies; the deck says which."""
        if not observation.dummies:
            return ()
        return cover(
            deals.shuffle(f"deal/{observation.deal}/cards", CARDS), len(observation.seats), observation.dummies
        )
