"""How often the report on collusion flags honest fields, and whether it finds those who collude.

Twenty bots play at random tables of five until any two have met 400 times on average. Scores are strengths and normal
luck, as measured with Chinkway; a pair that colludes moves points as bots did that were made to.

In one more field bots of all sorts play out their matches, card by card, so that the report tests cards, too. They meet
less often there, as a match takes some 50 ms.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import farfalia_engine as engine
from farfalia.analysis.favours import favours
from farfalia_tools.bench import helping_bots
from farfalia_tools.bench.intervals import Share, share
from farfalia_tools.bench.worker_pool import WorkerPool
from farfalia_tournaments import Effect, MatchFavours, MatchResult, Noise, collusion

_ENTRANTS: Final = 20
_SEATS: Final = 5
#: Points per match: what one of a pair gains, and what the other one does.
FEEDING: Final = (3.0, -2.0)
HELPING: Final = (1.3, 0.6)
#: How much better one style does than the style after it, and worse than the one before, in points per match.
_STYLES: Final = 1.0

#: The field in which bots play.
PLAYED: Final = "played"
#: Whom one helps there, and what a point of that one is worth to it, beside one of its own; others' are worth -0.5.
_FRIENDS: Final[Mapping[tuple[float, float], Mapping[int, tuple[int, float]]]] = {
    (0.0, 0.0): {},
    FEEDING: {1: (0, 0.25)},
    HELPING: {0: (1, 0.0), 1: (0, 0.0)},
}

#: A field's name, what the pair gains, how often any two meet, and the seed.
_Plan = tuple[str, tuple[float, float], int, str]

_HEADER: Final = f"{'field':<30}{'false alarms':>28}{'one feeds (+3, -2)':>28}{'both help (+1.3, +0.6)':>28}"


def _even(rng: random.Random) -> list[float]:
    return [rng.gauss(0, 4.8) for _ in range(_ENTRANTS)]


def _close(rng: random.Random) -> list[float]:
    return [rng.gauss(0, 1) for _ in range(_ENTRANTS)]


def _lopsided(rng: random.Random) -> list[float]:
    return [*_even(rng)[1:], -35.0]


def _heavy_tailed(rng: random.Random) -> list[float]:
    """Student's t with two degrees of freedom."""
    return [3 * rng.gauss(0, 1) / (rng.expovariate(1) + 1e-3) ** 0.5 for _ in range(_ENTRANTS)]


FIELDS: Final[Mapping[str, Callable[[random.Random], list[float]]]] = {
    "even": _even,
    "close": _close,
    "one bot at -35": _lopsided,
    "intransitive": _even,
    "heavy-tailed": _heavy_tailed,
    "even, luck taken out": _even,
    "intransitive, luck taken out": _even,
}
#: What is left of luck's variance where `MatchResult.luck` is known.
LUCK_LEFT: Final = 0.6


@dataclass(frozen=True, slots=True)
class CollusionRow:
    """A field: how many reports on it flag an honest pair, and how many find the one that colludes.

    False alarms are counted in all reports, those with a colluding pair too: pairs other than that one.
    """

    field: str
    false_alarms: Share
    feeding_found: Share
    helping_found: Share


def run(
    reports: int = 40,
    joint: int = 400,
    seed: int = 1,
    processes: int | None = None,
    *,
    played: int = 20,
    fields: Sequence[str] = (*FIELDS, PLAYED),
) -> list[CollusionRow]:
    """Hold `reports` of each kind in each of the fields; any two meet `joint` times on average, `played` times where
    bots play.
    """
    plans = [
        (name, gains, played if name == PLAYED else joint, f"{seed}/{name}/{gains}/{number}")
        for name in fields
        for gains in ((0.0, 0.0), FEEDING, HELPING)
        for number in range(reports)
    ]
    with WorkerPool(processes) as pool:
        held = dict(zip(plans, pool.results(_report, plans), strict=True))
    return [_row(name, {plan: found for plan, found in held.items() if plan[0] == name}) for name in fields]


def _row(name: str, held: Mapping[_Plan, tuple[bool, bool]]) -> CollusionRow:
    def found(gains: tuple[float, float]) -> Share:
        hits = [hit for plan, (_, hit) in held.items() if plan[1] == gains]
        return share(sum(hits), len(hits))

    alarms = share(sum(alarm for alarm, _ in held.values()), len(held))
    return CollusionRow(name, alarms, found(FEEDING), found(HELPING))


def table(rows: Sequence[CollusionRow]) -> str:
    """Return the rows as plain text."""
    return "\n".join(
        [
            _HEADER,
            *(
                f"{row.field:<30}"
                + "".join(f"{one.text():>28}" for one in (row.false_alarms, row.feeding_found, row.helping_found))
                for row in rows
            ),
            "",
            "Reports, of how many, and the 95 % interval of their share.",
        ]
    )


def _report(plan: _Plan) -> tuple[bool, bool]:
    """Return whether a field's report flags an honest pair, and whether it flags entrants 0 and 1."""
    name, gains, joint, seed = plan
    rng = random.Random(seed)
    matches = joint * _ENTRANTS * (_ENTRANTS - 1) // (_SEATS * (_SEATS - 1))
    effects = _effects_played(rng, gains, matches) if name == PLAYED else _effects_drawn(rng, name, gains, matches)
    flagged = {frozenset((effect.entrant, effect.other)) for effect in effects if effect.flagged}
    pair = frozenset((0, 1))
    honest = flagged if gains == (0.0, 0.0) else flagged - {pair}
    return bool(honest), pair in flagged


def _effects_drawn(rng: random.Random, name: str, gains: tuple[float, float], matches: int) -> list[Effect[int]]:
    strengths = FIELDS[name](rng)
    styles = [rng.randrange(3) for _ in strengths] if "intransitive" in name else None
    luck = Noise().fresh / (1 - 1 / _SEATS) ** 0.5 * (LUCK_LEFT**0.5 if "luck" in name else 1)
    return collusion([_match(rng, strengths, luck, styles, gains) for _ in range(matches)])


def _effects_played(rng: random.Random, gains: tuple[float, float], matches: int) -> list[Effect[int]]:
    results, cards = _played(rng, gains, matches)
    return collusion(results, cards=cards)


def _played(
    rng: random.Random, gains: tuple[float, float], matches: int
) -> tuple[list[MatchResult[int]], list[MatchFavours[int]]]:
    makers, friends = helping_bots.field(rng, _ENTRANTS), _FRIENDS[gains]
    results, cards = [], []
    for number in range(matches):
        seated = rng.sample(range(_ENTRANTS), _SEATS)
        bots = []
        for entrant in seated:
            friend, worth = friends.get(entrant, (None, 0.0))
            seat = seated.index(friend) if friend in seated else None
            bots.append(makers[entrant](rng.getrandbits(30), seat, worth))
        record = helping_bots.played(bots, rng.randbytes(32))
        results.append(_result(record, tuple(seated), str(number)))
        given = tuple(tuple(points / 1000 for points in row) for row in favours(record).points)
        cards.append(MatchFavours(tuple(seated), given))
    return results, cards


def _result(record: engine.Record, entrants: tuple[int, ...], board: str) -> MatchResult[int]:
    assert record.outcome is not None
    luck = tuple(Fraction(round(1000 * points), 1000) for points in engine.luck(record) or ())
    return MatchResult(entrants, record.outcome.points, record.outcome.places, luck=luck, board=board)


def _match(
    rng: random.Random,
    strengths: Sequence[float],
    luck: float,
    styles: Sequence[int] | None,
    gains: tuple[float, float],
) -> MatchResult[int]:
    seated = rng.sample(range(len(strengths)), _SEATS)
    made = [strengths[entrant] + rng.gauss(0, luck) for entrant in seated]
    if styles:
        for seat, entrant in enumerate(seated):
            # Rock, paper, scissors with each of the others.
            against = [(styles[entrant] - styles[other]) % 3 for other in seated]
            made[seat] += _STYLES * (against.count(1) - against.count(2))
    if 0 in seated and 1 in seated:
        for seat, entrant in enumerate(seated):
            made[seat] += gains[entrant] if entrant in (0, 1) else -sum(gains) / (_SEATS - 2)
    points = tuple(map(round, made))
    return MatchResult(tuple(seated), points, tuple(1 + sum(other > mine for other in points) for mine in points))
