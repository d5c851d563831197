"""Farrago: ten deals, everyone alone, and each deal has its own way to win a trick."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final

from farfalia_engine.deals import Deals
from farfalia_engine.errors import BadOption
from farfalia_engine.farrago.deal_types import TYPES, DealType
from farfalia_engine.farrago.endgame import FarragoEndgame
from farfalia_engine.farrago.notation import words
from farfalia_engine.farrago.observation import FarragoObservation
from farfalia_engine.farrago.packs import DUPLICATES, FIVE_HUNDRED, FULL, SHORT, Pack
from farfalia_engine.farrago.sampling import FarragoDeterminizations
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.farrago.wording import farrago_wording
from farfalia_engine.game import Game
from farfalia_engine.notation import Notation
from farfalia_engine.observation import Observation
from farfalia_engine.options import Option, choice
from farfalia_engine.search.endgame import Objective
from farfalia_engine.state import State
from farfalia_engine.wording import Wording

if TYPE_CHECKING:
    from farfalia_engine.rulesets import Ruleset

#: The pack by the number of players; five may choose another one.
PACKS: Final = {3: SHORT, 4: FULL, 5: DUPLICATES}
#: Par, by the number of players: this number of tricks is worth nothing, those above and below it count.
PARS: Final = {3: 4, 4: 3, 5: 2}
ABOVE_PAR: Final = 10
BELOW_PAR: Final = 15
#: How an order of types that is known beforehand begins.
LISTED: Final = "listed:"


def _is_order(text: str) -> bool:
    return text in ("dealer", "random") or (
        text.startswith(LISTED) and sorted(text.removeprefix(LISTED).split(",")) == sorted(TYPES)
    )


class Farrago(Game):
    """Three, four or five players; to win many tricks is good, and to win few is better."""

    name = "farrago"
    observation_type = FarragoObservation
    options: ClassVar = {
        "players": choice("4", "3", "5"),
        "pack": choice("duplicates", "five-hundred"),
        "order": Option("dealer", f"dealer, random, or {LISTED} and all of {','.join(TYPES)} in any order", _is_order),
    }
    deals = 10

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self.seats = int(self.chosen["players"])
        self.par = PARS[self.seats]
        if "pack" in given and self.seats != max(PACKS):
            raise BadOption(f"option 'pack' of farrago is for {max(PACKS)} players, not for {self.seats}")
        #: The cards that are played with.
        self.pack: Pack = FIVE_HUNDRED if self.chosen["pack"] == "five-hundred" else PACKS[self.seats]

    def order(self, deals: Deals) -> tuple[DealType, ...]:
        """Return the types but skint, which comes when it is due, in their order; none if the dealers pick (G3)."""
        order = self.chosen["order"]
        if order == "dealer":
            return ()
        if order == "random":
            return _shuffled(deals)
        return _but_skint([TYPES[name] for name in order.removeprefix(LISTED).split(",")])

    def before(self, deal: int, deals: Deals) -> tuple[DealType, ...]:
        """The types of the deals before this one if skint was not due: in their order, any if the dealers pick."""
        return (self.order(deals) or _shuffled(deals))[: deal - 1] if deal > 1 else ()

    def points(self, tricks: int) -> int:
        """Return the points of a player for this number of tricks."""
        above = tricks - self.par
        return ABOVE_PAR * above if above > 0 else -BELOW_PAR * above

    def new_match(self, rules: "Ruleset", deals: Deals, deal: int) -> FarragoState:
        """This deal, with its first decision pending; nobody made points in those before it."""
        return FarragoState(rules, self, deals, deal)

    def determinizations(self, rules: "Ruleset", seen: Observation) -> Callable[[Random], FarragoState]:
        """Return what draws a match that looks like this to the seat that looks."""
        return FarragoDeterminizations(rules, self, seen).draw

    def endgame(self, state: State, objective: Objective) -> FarragoEndgame:
        """Tricks, and how many everyone has won."""
        assert isinstance(state, FarragoState)
        return FarragoEndgame(state, objective)

    @property
    def notation(self) -> Notation:
        """The names of this pack's cards, and what is done with them."""
        return words(self.pack)

    @property
    def wording(self) -> Wording:
        """The names of this pack's cards in words, and how trumps come about."""
        return farrago_wording(self.pack)


def _shuffled(deals: Deals) -> tuple[DealType, ...]:
    return _but_skint([DealType(number + 1) for number in deals.shuffle("types", len(DealType))])


def _but_skint(types: Sequence[DealType]) -> tuple[DealType, ...]:
    return tuple(kind for kind in types if kind is not DealType.SKINT)
