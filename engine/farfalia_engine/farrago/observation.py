"""What one seat may know in a match of Farrago."""

from dataclasses import replace
from typing import Self, cast

from farfalia_engine.farrago.deal_types import DealType, trick_winner
from farfalia_engine.farrago.packs import Pack
from farfalia_engine.farrago.terms import FarragoTerms
from farfalia_engine.interfaces import Observation


class FarragoObservation(Observation):
    """The fields of every observation; what is computed from them follows Farrago's packs and types of deal.

    >>> observation = ruleset("farrago").new_match(Deals(bytes(32))).observation(0)
    >>> observation.pack.size, observation.par, observation.tricks
    (52, 3, (0, 0, 0, 0))
    """

    __slots__ = ()

    @property
    def pack(self) -> Pack:
        """The pack that is played with: suit, rank and name of each card."""
        return self._terms.pack

    @property
    def par(self) -> int:
        """How many tricks are worth nothing."""
        return self._terms.par

    @property
    def type(self) -> DealType | None:
        """The type of this deal, None as long as it is not known."""
        return DealType(self.types[-1]) if len(self.types) == self.deal else None

    @property
    def tricks(self) -> tuple[int, ...]:
        """By position, how many tricks it has won in this deal."""
        return tuple(map(self.winners.count, range(len(self.seats))))

    def points(self, side: int) -> int:
        """Return what this side's tricks are worth if the deal ended now; everyone is a side, numbered by position."""
        return self._terms.points(self.winners.count(side))

    def worth(self, tricks: float) -> float:
        """Return the points of a player for an expected number of tricks, as if it were a whole number."""
        return self._terms.worth(tricks)

    def with_card(self, card: int) -> Self:
        """Return what is seen with one more card on the table; trumps by surprise are found here (G6)."""
        trumps = self.trumps
        if not trumps and self.led not in (None, self.pack.suit[card]):
            trumps = self.pack.suit[card] + 1
        return replace(self, plays=self.plays + bytes((card,)), trumps=trumps)

    @property
    def _terms(self) -> FarragoTerms:
        return cast(FarragoTerms, self.rules.game)

    def _winner(self, trick: bytes) -> int:
        assert self.type is not None
        return trick_winner(self.type, self.pack, trick, self.trumps)

    @property
    def _suit_of(self) -> bytes:
        return self.pack.suit.ljust(256, b"\0")

    @property
    def _deck(self) -> bytes:
        return self.pack.all
