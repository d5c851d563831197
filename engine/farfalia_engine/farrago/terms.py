"""The options of Farrago, the order of its types of deal, and what tricks are worth."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from farfalia_engine.deals import Deals
from farfalia_engine.errors import BadOption
from farfalia_engine.farrago.deal_types import TYPES, DealType
from farfalia_engine.farrago.notation import words
from farfalia_engine.farrago.packs import DUPLICATES, FIVE_HUNDRED, FULL, SHORT, Pack
from farfalia_engine.notation import Notation
from farfalia_engine.options import Option, choice
from farfalia_engine.terms import GameTerms, SeatRole

#: The pack by the number of players; five may choose another one.
PACKS: Final = {3: SHORT, 4: FULL, 5: DUPLICATES}
#: Par, by the number of players: this number of tricks is worth nothing, those above and below it count.
PARS: Final = {3: 4, 4: 3, 5: 2}
ABOVE_PAR: Final = 10
BELOW_PAR: Final = 15
#: How an order of types that is known in advance begins.
LISTED: Final = "listed:"


def _is_order(text: str) -> bool:
    return text in ("dealer", "random") or (
        text.startswith(LISTED) and sorted(text.removeprefix(LISTED).split(",")) == sorted(TYPES)
    )


class FarragoTerms(GameTerms):
    """The terms of a game of Farrago: all that a match in progress asks of its game."""

    name = "farrago"
    options: ClassVar = {
        "players": choice("4", "3", "5"),
        "pack": choice("duplicates", "five-hundred"),
        "order": Option(
            "dealer",
            ",".join(TYPES),
            _is_order,
            refusal=(
                "option %(name)r of %(game)s is %(value)r, expected dealer, random, or listed: and all of %(expected)s "
                "in any order"
            ),
        ),
    }
    deals = 10

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self.seats = int(self.chosen["players"])
        self.par = PARS[self.seats]
        if "pack" in given and self.seats != max(PACKS):
            raise BadOption(
                "option 'pack' of farrago is for %(most)s players, not for %(seats)s", most=max(PACKS), seats=self.seats
            )
        #: The cards that are played with.
        self.pack: Pack = FIVE_HUNDRED if self.chosen["pack"] == "five-hundred" else PACKS[self.seats]

    def roles(self, deal: int, scores: Sequence[int]) -> Sequence[SeatRole]:
        """Return the role of each seat in this deal: who deals and picks the type, who leads; everyone is alone."""
        del scores
        return [SeatRole((seat - deal + 1) % self.seats) for seat in range(self.seats)]

    def order(self, deals: Deals) -> tuple[DealType, ...]:
        """Return the types but skint, which comes when it is due, in their order; none if the dealers pick (G3)."""
        order = self.chosen["order"]
        if order == "dealer":
            return ()
        if order == "random":
            return _shuffled(deals)
        return _but_skint([TYPES[name] for name in order.removeprefix(LISTED).split(",")])

    def before(self, deal: int, deals: Deals) -> tuple[DealType, ...]:
        """Return the types of the deals before this one if skint was not due: in their order,
        any if the dealers pick.
        """
        return (self.order(deals) or _shuffled(deals))[: deal - 1] if deal > 1 else ()

    def points(self, tricks: int) -> int:
        """Return the points of a player for this number of tricks."""
        return int(self.worth(tricks))

    def worth(self, tricks: float) -> float:
        """Return what an expected number of tricks is worth: as many points, as if it were a whole number."""
        above = tricks - self.par
        return ABOVE_PAR * above if above > 0 else -BELOW_PAR * above

    @property
    def notation(self) -> Notation:
        """The names of this pack's cards, and what is done with them."""
        return words(self.pack)


def _shuffled(deals: Deals) -> tuple[DealType, ...]:
    return _but_skint([DealType(number + 1) for number in deals.shuffle("types", len(DealType))])


def _but_skint(types: Sequence[DealType]) -> tuple[DealType, ...]:
    return tuple(kind for kind in types if kind is not DealType.SKINT)
