"""How one match ended: what standings and ratings are made of."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from farfalia_tournaments.errors import TournamentError

Entrant = TypeVar("Entrant", bound=str | int)
"""Whatever tells entrants apart: names, numbers, or both."""


@dataclass(frozen=True, slots=True)
class MatchResult(Generic[Entrant]):
    """One finished match; all tuples but `forfeits` go by seat.

    Places are 1 for the best, equal points share one, and a seat that was forfeited is placed alone, behind those that
    were played to the end. `sides` numbers the teams of a game with fixed partners, who share a place as far as they
    played to the end; left out, everybody plays alone. `points` are what the match gave, also where a house bot made
    them on a forfeited seat: `booked` is what the entrant gets of them. Results with the same `board` were dealt equal
    cards, whatever tournament they are of. Entrants that are not `rated`, such as a house bot that fills a table, count
    as opponents and get no rating. Raises TournamentError for an impossible result.
    """

    entrants: tuple[Entrant, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    strikes: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()
    rated: tuple[bool, ...] = ()
    sides: tuple[int, ...] = ()
    board: str = ""

    def __post_init__(self) -> None:
        seats = range(len(self.entrants))
        for name, default in (
            ("strikes", (0,) * len(seats)),
            ("rated", (True,) * len(seats)),
            ("sides", tuple(seats)),
        ):
            object.__setattr__(self, name, getattr(self, name) or default)
        self._check_seats()
        self._check_places()

    def _check_seats(self) -> None:
        seats = len(self.entrants)
        if seats < 2:
            raise TournamentError(f"entrants {self.entrants!r}: expected at least two")
        if len(set(self.entrants)) != seats:
            raise TournamentError(f"entrants {self.entrants!r}: expected nobody twice")
        for name in ("points", "places", "strikes", "rated", "sides"):
            values = getattr(self, name)
            if len(values) != seats:
                raise TournamentError(f"{name} {values!r}: expected {seats} values, one for each seat")
        if min(self.strikes) < 0:
            raise TournamentError(f"strikes {self.strikes!r}: expected none below 0")
        if len(set(self.sides)) < 2:
            raise TournamentError(f"sides {self.sides!r}: expected at least two")
        if len(set(self.forfeits)) != len(self.forfeits) or not set(self.forfeits) <= set(range(seats)):
            raise TournamentError(f"forfeits {self.forfeits!r}: expected different seats from 0 to {seats - 1}")

    def _check_places(self) -> None:
        # Who is placed together: those of a side who stayed; each forfeited seat alone.
        place_of: dict[tuple[bool, int], int] = {}
        for seat, (side, place) in enumerate(zip(self.sides, self.places, strict=True)):
            lost = seat in self.forfeits
            if place_of.setdefault((lost, seat if lost else side), place) != place:
                raise TournamentError(f"places {self.places!r}: expected one place for all of side {side}")
        for place in self.places:
            better = sum(other < place for other in place_of.values())
            if not better < place <= len(place_of):
                raise TournamentError(f"place {place} of {self.places!r}: expected {better + 1} to {len(place_of)}")
        last = max((place for (lost, _), place in place_of.items() if not lost), default=0)
        for seat in self.forfeits:
            if self.places[seat] < last:
                raise TournamentError(f"place {self.places[seat]} of a forfeited seat: expected none before {last}")


def booked(result: MatchResult[Entrant], seat: int) -> int:
    """Return the points that count for the entrant of a seat: none of a forfeited one, which a house bot played on.

    No game gives points below 0, so nobody who plays on has fewer.
    """
    return 0 if seat in result.forfeits else result.points[seat]


def ordered(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Return the entrants in the one order that depends on nothing but them; numbers come before names."""
    return sorted(entrants, key=_rank)


def _rank(entrant: str | int) -> tuple[bool, int, str]:
    return (False, entrant, "") if isinstance(entrant, int) else (True, 0, entrant)
