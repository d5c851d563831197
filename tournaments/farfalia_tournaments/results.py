"""The result of one match, from which standings and ratings follow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from farfalia_tournaments.errors import TournamentError

#: What identifies an entrant: a name or a number.
Entrant = TypeVar("Entrant", bound=str | int)


@dataclass(frozen=True, slots=True)
class MatchResult(Generic[Entrant]):
    """One finished match; all tuples have one value per seat, but `forfeits` and `missed`, which list seats.

    Places are 1 for the best, equal points share one, and a seat that was forfeited is placed alone, behind those that
    were played to the end. `sides` numbers the teams of a game with fixed partners, who share a place as far as they
    played to the end; by default everybody plays alone. `points` are those of the match, also where a house bot made
    them on a forfeited seat: `booked` is what the entrant gets of them. `missed` are those forfeits that came before
    the bot was asked anything, so that the match tells nothing about it: `shown` leaves them out. Results with the same
    `board` were dealt equal cards, in whatever tournament. Entrants that are not `rated`, such as a house bot that
    fills a table, count as opponents and get no rating. `luck` are the points that a seat's cards were worth more than
    any deal's are (`farfalia_engine.luck`): scores are freed of them, and so are the places that ratings learn from
    (`rating_places`); `places` are not, as bots play for them. Raises TournamentError for an impossible result.
    """

    entrants: tuple[Entrant, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    strikes: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()
    rated: tuple[bool, ...] = ()
    sides: tuple[int, ...] = ()
    board: str = ""
    luck: tuple[Fraction | int, ...] = ()
    missed: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        seats = range(len(self.entrants))
        for name, default in (
            ("strikes", (0,) * len(seats)),
            ("rated", (True,) * len(seats)),
            ("sides", tuple(seats)),
            ("luck", (0,) * len(seats)),
        ):
            object.__setattr__(self, name, getattr(self, name) or default)
        self._check_seats()
        self._check_places()

    def _check_seats(self) -> None:
        seats = len(self.entrants)
        if seats < 2:
            raise TournamentError(f"entrants {self.entrants!r}: expected at least two")
        if len(set(self.entrants)) != seats:
            raise TournamentError(f"entrants {self.entrants!r}: expected no entrant twice")
        for name in ("points", "places", "strikes", "rated", "sides", "luck"):
            values = getattr(self, name)
            if len(values) != seats:
                raise TournamentError(f"{name} {values!r}: expected {seats} values, one per seat")
        if min(self.strikes) < 0:
            raise TournamentError(f"strikes {self.strikes!r}: expected none below 0")
        if len(set(self.sides)) < 2:
            raise TournamentError(f"sides {self.sides!r}: expected at least two")
        if len(set(self.forfeits)) != len(self.forfeits) or not set(self.forfeits) <= set(range(seats)):
            raise TournamentError(f"forfeits {self.forfeits!r}: expected different seats from 0 to {seats - 1}")
        if len(set(self.missed)) != len(self.missed) or not set(self.missed) <= set(self.forfeits):
            raise TournamentError(f"missed {self.missed!r}: expected different ones of the forfeits {self.forfeits!r}")

    def _check_places(self) -> None:
        # Those of a side who played to the end are placed together, each forfeited seat alone.
        place_of: dict[tuple[bool, int], int] = {}
        for seat, (side, place) in enumerate(zip(self.sides, self.places, strict=True)):
            forfeited = seat in self.forfeits
            if place_of.setdefault((forfeited, seat if forfeited else side), place) != place:
                raise TournamentError(f"places {self.places!r}: expected one place for all of side {side}")
        for place in self.places:
            better = sum(other < place for other in place_of.values())
            if not better < place <= len(place_of):
                raise TournamentError(f"place {place} of {self.places!r}: expected {better + 1} to {len(place_of)}")
        last = max((place for (forfeited, _), place in place_of.items() if not forfeited), default=0)
        for seat in self.forfeits:
            if self.places[seat] < last:
                raise TournamentError(f"place {self.places[seat]} of a forfeited seat: expected none before {last}")


def shown(result: MatchResult[Entrant]) -> dict[Entrant, int]:
    """Return the entrants about whom the match tells something, with their seats, in the order of these.

    For the others it is no match, in every figure: their bots were gone before they were asked anything.
    """
    return {entrant: seat for seat, entrant in enumerate(result.entrants) if seat not in result.missed}


def booked(result: MatchResult[Entrant], seat: int) -> int:
    """Return the points that count for the entrant of a seat: 0 if it was forfeited, whatever a house bot made there.

    No game gives points below 0, so nobody who plays on has fewer.
    """
    return 0 if seat in result.forfeits else result.points[seat]


def without_luck(result: MatchResult[Entrant], made: Sequence[int]) -> list[Fraction]:
    """Return what seats made with average cards, if they made this with theirs, less the mean of the table.

    The one place where luck is taken out of scores. The mean is that of the points that were made, so nobody else's
    score depends on a forfeit. Luck is taken from a forfeited seat, too: otherwise a bot that has played good cards
    badly would gain by a crash.
    """
    seats = len(result.points)
    if not any(result.luck):  # in whole numbers as far as possible
        total = sum(result.points)
        return [Fraction(points * seats - total, seats) for points in made]
    mean = Fraction(sum(result.points) - sum(result.luck)) / seats
    return [points - luck - mean for points, luck in zip(made, result.luck, strict=True)]


def rating_places(result: MatchResult[Entrant]) -> tuple[int, ...]:
    """Return the places from which ratings learn, by seat: those of the match where its luck is not known.

    Where it is, sides are placed by their points less luck, and only equal ones share a place, also in a game where
    several win. Forfeited seats keep their places, behind all sides of which somebody played to the end.
    """
    if not any(result.luck):
        return result.places
    made: dict[int, Fraction] = {}
    for side, points, luck in zip(result.sides, result.points, result.luck, strict=True):
        made[side] = made.get(side, Fraction(0)) + points - luck
    gone = set(result.forfeits)
    finished = {side for seat, side in enumerate(result.sides) if seat not in gone}
    best_first = sorted(finished, key=made.__getitem__, reverse=True)
    places: dict[int, int] = {}
    for at, side in enumerate(best_first):
        shares = at > 0 and made[side] == made[best_first[at - 1]]
        places[side] = places[best_first[at - 1]] if shares else at + 1
    return tuple(
        place if seat in gone else places[side]
        for seat, (side, place) in enumerate(zip(result.sides, result.places, strict=True))
    )


def ordered(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Return the entrants sorted, numbers before names."""
    return sorted(entrants, key=_rank)


def _rank(entrant: str | int) -> tuple[bool, int, str]:
    return (False, entrant, "") if isinstance(entrant, int) else (True, 0, entrant)
