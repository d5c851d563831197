"""Fields whose strengths are known, for `farfalia bench calibration`: what they are, and who is truly stronger."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Final

from farfalia_engine import places
from farfalia_tournaments import Match, MatchResult

#: Standard deviation of strength in a field of bots by many authors, in points per match, as measured.
_SPREAD: Final = 4.8
#: Added to every score, so that there are no points below 0.
_BASE: Final = 100.0
#: What one style takes from another, in points: each beats one of the two others and loses to the third.
_STYLE: Final = 2.0


@dataclass(frozen=True, slots=True)
class SimulatedField:
    """Entrants by number: their strengths in points per match, and what each one's style takes from each other one.

    The second may be left out. `families` has the family of each, where owners or origins tell that; `ladder` is how
    many matches each has played on a ladder of the game before.
    """

    strengths: tuple[float, ...]
    styles: tuple[tuple[float, ...], ...] = ()
    families: tuple[int, ...] = ()
    ladder: int = 0

    @property
    def truth(self) -> tuple[float, ...]:
        """What each one makes of the others' mean when it meets all equally often, less the mean of the field."""
        middle = math.fsum(self.strengths) / len(self.strengths)
        against = [math.fsum(row) / (len(row) - 1) for row in self.styles] or [0.0] * len(self.strengths)
        return tuple(strength - middle + style for strength, style in zip(self.strengths, against, strict=True))

    def at(self, table: Sequence[int]) -> list[float]:
        """Return what those at a table may expect, in points more than a bot of the field's middle."""
        if not self.styles:
            return [self.strengths[entrant] for entrant in table]
        others = len(table) - 1
        return [
            self.strengths[entrant] + math.fsum(self.styles[entrant][other] for other in table) / others
            for entrant in table
        ]

    def level(self) -> list[tuple[int, int]]:
        """Return the pairs of which neither is stronger."""
        truth = self.truth
        return [pair for pair in combinations(range(len(truth)), 2) if math.isclose(*(truth[one] for one in pair))]


def result_of(field: SimulatedField, match: Match, luck: Sequence[float]) -> MatchResult[int]:
    """Return the result of a match with this luck by seat, in points."""
    table = tuple(entrant for entrant in match.entrants if entrant is not None)
    points = tuple(round(_BASE + expected + chance) for expected, chance in zip(field.at(table), luck, strict=True))
    return MatchResult(table, points, tuple(places(points)), board=match.board)


def _even(entrants: int, random: Random) -> SimulatedField:
    return SimulatedField(tuple(random.gauss(0, _SPREAD) for _ in range(entrants)))


def _close(entrants: int, random: Random) -> SimulatedField:
    return SimulatedField(tuple(random.gauss(0, 1) for _ in range(entrants)))


def _lopsided(entrants: int, random: Random) -> SimulatedField:
    strengths = [random.gauss(0, 1) for _ in range(entrants)]
    strengths[random.randrange(entrants)] = -35.0
    return SimulatedField(tuple(strengths))


def _heavy_tailed(entrants: int, random: Random) -> SimulatedField:
    # Student's t with three degrees of freedom: one in a hundred is more than 13 points from the middle.
    def tailed() -> float:
        squares = math.fsum(random.gauss(0, 1) ** 2 for _ in range(3))
        return 3 * random.gauss(0, 1) / math.sqrt(squares / 3)

    return SimulatedField(tuple(tailed() for _ in range(entrants)))


def _intransitive(entrants: int, random: Random) -> SimulatedField:
    styles = [random.randrange(3) for _ in range(entrants)]
    takes = (0.0, _STYLE, -_STYLE)
    return SimulatedField(
        tuple(random.gauss(0, 3) for _ in range(entrants)),
        tuple(tuple(takes[(mine - other) % 3] for other in styles) for mine in styles),
    )


def _twins(entrants: int, random: Random) -> SimulatedField:
    strengths = [random.gauss(0, _SPREAD) for _ in range((entrants + 1) // 2)] * 2
    random.shuffle(strengths)
    return SimulatedField(tuple(strengths[:entrants]))


def _families(means: Sequence[float], spread: float) -> Callable[[int, Random], SimulatedField]:
    """Return a way to draw a field of families whose members differ by this standard deviation around their mean."""

    def drawn(entrants: int, random: Random) -> SimulatedField:
        families = sorted(number % len(means) for number in range(entrants))
        random.shuffle(families)
        strengths = tuple(means[family] + random.gauss(0, spread) for family in families)
        return SimulatedField(strengths, families=tuple(families))

    return drawn


def _forks(entrants: int, random: Random) -> SimulatedField:
    # Every second one is a fork of the same bot, the others have authors of their own.
    families = [number if number % 2 else 0 for number in range(entrants)]
    original = random.gauss(0, _SPREAD)
    strengths = [random.gauss(0, _SPREAD) if family else original + random.gauss(0, 1) for family in families]
    return SimulatedField(tuple(strengths), families=tuple(families))


def _close_on_a_ladder(entrants: int, random: Random) -> SimulatedField:
    return replace(_close(entrants, random), ladder=200)


EVEN: Final = "even"
TWINS: Final = "twins"
FIELDS: Final[Mapping[str, Callable[[int, Random], SimulatedField]]] = {
    EVEN: _even,
    "close": _close,
    "lopsided": _lopsided,
    "intransitive": _intransitive,
    "heavy-tailed": _heavy_tailed,
    TWINS: _twins,
}
#: Fields of which something is known before the first match: families, or what ladders tell.
KNOWN_FIELDS: Final[Mapping[str, Callable[[int, Random], SimulatedField]]] = {
    "two families": _families((6.0, -6.0), 0.7),
    "three families": _families((7.0, 0.0, -6.0), 0.5),
    "forks of one bot": _forks,
    "close, of one ladder": _close_on_a_ladder,
}
