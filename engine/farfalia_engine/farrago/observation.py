"""What one seat may know in a match of Farrago."""

from typing import TYPE_CHECKING, cast

from farfalia_engine.farrago.deal_types import DealType, trick_winner
from farfalia_engine.farrago.packs import Pack
from farfalia_engine.observation import Observation

if TYPE_CHECKING:
    from farfalia_engine.games.farrago import Farrago


class FarragoObservation(Observation):
    """The fields of every observation; what is worked out from them follows Farrago's packs and types of deal."""

    __slots__ = ()

    @property
    def pack(self) -> Pack:
        """The pack that is played with: suit, rank and name of each card."""
        return self._game.pack

    @property
    def par(self) -> int:
        """How many tricks are worth nothing."""
        return self._game.par

    @property
    def type(self) -> DealType | None:
        """The type of this deal, None as long as it is not known."""
        return DealType(self.types[-1]) if len(self.types) == self.deal else None

    @property
    def tricks(self) -> tuple[int, ...]:
        """By position, how many tricks it has won in this deal."""
        return tuple(map(self.winners.count, range(len(self.seats))))

    @property
    def deciding(self) -> bool:
        """Never: nothing is decided about a trick that is complete."""
        return False

    @property
    def barren(self) -> bool:
        """Always: nothing is collected in Farrago."""
        return True

    def points(self, side: int) -> int:
        """What this side's tricks are worth if the deal ended now; everyone is a side, numbered by position."""
        return self._game.points(self.winners.count(side))

    @property
    def _game(self) -> "Farrago":
        return cast("Farrago", self.rules.game)

    def _winner(self, trick: bytes) -> int:
        assert self.type is not None
        return trick_winner(self.type, self.pack, trick, self.trumps)

    @property
    def _suit_of(self) -> bytes:
        return self.pack.suit.ljust(256, b"\0")

    @property
    def _deck(self) -> bytes:
        return self.pack.all
