"""Whether prices of decisions are right: what they foretell, whom they accuse, and whether better bots pay less.

One seat of a table of cautious bots is played by several bots in turn. In every other position of its all sample bots
are asked what they would do, and each answer is priced as `farfalia analyse` does it. Then the deal is played on in the
true cards, in the engine and by the bots themselves: after each answer, and after what the analysis calls best. The
difference is what the answer loses. A price foretells it if it is as high on average: then the slope of what is lost
over the price is 1.

In some of the positions one more player is asked, which sees no more than the others: it does what the analysis finds
best in four times the worlds and by other random numbers. That is no mistake, so if it is called one, the accusation is
false.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from statistics import NormalDist, fmean, pstdev, pvariance
from time import process_time
from typing import Final

from farfalia.analysis.prices import PricedDecision
from farfalia.analysis.pricing import Position, is_priced
from farfalia.bot import Bot
from farfalia.bots import HOUSE, create
from farfalia_engine import Deals, State, ruleset
from farfalia_tools.bench.intervals import LEVEL, Estimate, Share, share

#: Bots from the weakest on: each should pay less than the one before.
RUNGS: Final[Sequence[str]] = ("random", "greedy", "cautious", "expert")
#: The player that does what a longer analysis finds best.
SURE: Final[str] = "longer analysis"
#: How many times as many worlds that one has, and what its random numbers are drawn by.
_LONGER: Final = 4
_OTHER_SEED: Final = 1
#: Every second decision is priced, and in every eighth of these positions the bots that search are asked, too.
_PRICED: Final = 2
_THOUGHT: Final = 8


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot would do in a position of a deal, with its price, and what it loses in the true cards."""

    bot: str
    deal: int
    priced: PricedDecision
    lost: float


@dataclass(frozen=True, slots=True)
class Rung:
    """What a bot pays: points a decision, of how many, and how many of them are called mistakes."""

    bot: str
    price: Estimate
    lost: Estimate
    mistakes: Share


@dataclass(frozen=True, slots=True)
class Calibration:
    """How prices of one game turned out."""

    game: str
    rungs: tuple[Rung, ...]
    #: Points lost for each point of the price; what is lost where the price is 0.
    slope: Estimate
    unseen: Estimate
    #: Decisions of `SURE` that are called mistakes.
    accused: Share
    #: Milliseconds of CPU time for each decision.
    milliseconds: float

    @property
    def in_order(self) -> bool:
        """Whether each bot pays less than the one before."""
        prices = [rung.price.value for rung in self.rungs]
        return all(worse > better for worse, better in pairwise(prices))


@dataclass(frozen=True, slots=True)
class Report:
    """All games; and the slope over all of them, each scaled by how much is lost there."""

    games: tuple[Calibration, ...]
    slope: Estimate


def run(
    games: Sequence[str],
    deals: int,
    worlds: int,
    iterations: int,
    other: str = "cautious",
    seed: int = 1,
    done: Callable[[int, int], None] = lambda count, of: None,
) -> Report:
    """Measure this number of deals of each game at tables of the bot `other`; `expert` has `iterations` rollouts."""
    answers: dict[str, list[Answer]] = {}
    found: list[Calibration] = []

    def tell(deal: int) -> None:
        done(len(found) * deals + deal, len(games) * deals)

    for game in games:
        answers[game], milliseconds = _answers(game, deals, worlds, iterations, other, seed, tell)
        found.append(_calibration(game, answers[game], milliseconds))
    return Report(tuple(found), _together(answers))


def table(report: Report) -> str:
    """Return the figures as text."""
    heads = [f"{'game':<14}", *(f"{name:>15}" for name in RUNGS), f"{'slope':>24}{'accused':>28}{'ms':>8}"]
    lines = ["Points that each bot pays for a decision; points lost for each point of the price:", "".join(heads)]
    for row in report.games:
        prices = "".join(f"{_with_error(rung.price):>15}" for rung in row.rungs)
        order = "" if row.in_order else "  not in order"
        lines.append(
            f"{row.game:<14}{prices}{row.slope.text(2):>24}{row.accused.text():>28}{row.milliseconds:>8.1f}{order}"
        )
    accused = share(sum(row.accused.hits for row in report.games), sum(row.accused.of for row in report.games))
    lines.append(f"{'all':<14}{'':>60}{report.slope.text(2):>24}{accused.text():>28}")
    return "\n".join(lines)


def slope(pairs: Sequence[tuple[float, float]], clusters: Sequence[Hashable]) -> tuple[Estimate, Estimate]:
    """Return slope and intercept of a line through (x, y) by least squares, with intervals for pairs that depend on
    each other within a cluster.

    The intervals come from lines without one cluster each: where a few pairs decide, they are as wide as they should.
    """
    # Of each cluster, of all: how many pairs, and the sums of x, y, xx and xy.
    by_cluster: defaultdict[Hashable, list[float]] = defaultdict(lambda: [0.0] * 5)
    for (x, y), cluster in zip(pairs, clusters, strict=True):
        for at, value in enumerate((1.0, x, y, x * x, x * y)):
            by_cluster[cluster][at] += value
    whole = [sum(column) for column in zip(*by_cluster.values(), strict=True)]
    lines = [_line([a - b for a, b in zip(whole, own, strict=True)]) for own in by_cluster.values()]
    number = len(lines)
    errors = [math.sqrt((number - 1) * pvariance(values)) for values in zip(*lines, strict=True)]
    found, at_zero = (_estimate(value, error) for value, error in zip(_line(whole), errors, strict=True))
    return found, at_zero


def _line(sums: Sequence[float]) -> tuple[float, float]:
    """Return slope and intercept by these sums."""
    number, x, y, xx, xy = sums
    found = (xy - x * y / number) / ((xx - x * x / number) or 1.0)
    return found, (y - found * x) / number


def _answers(
    game: str, deals: int, worlds: int, iterations: int, other: str, seed: int, done: Callable[[int], None]
) -> tuple[list[Answer], float]:
    """Return what all bots answer, and the milliseconds of CPU time that the analysis of a position takes."""
    rules, random = ruleset(game), Random(f"{game} {seed}")
    rest, playing = create(other, seed), create("cautious")
    bots = {name: create(name, seed, iterations=None if name in HOUSE else iterations) for name in RUNGS}
    quick = [name for name in RUNGS if name in HOUSE]
    found: list[Answer] = []
    seconds, choices, positions = 0.0, 0, 0
    for deal in range(deals):
        own = random.randrange(rules.seats)
        state = rules.new_match(Deals(random.randbytes(32)), random.randint(1, rules.last_deal))
        state.end_with_deal()
        while state.pending:
            seat = state.pending.seats[0]
            view = state.observation(seat)
            choice = seat == own and is_priced(state, seat)
            choices += choice
            if choice and choices % _PRICED == 1:
                start = process_time()
                position = Position(state, seat, number=positions, worlds=worlds)
                seconds += process_time() - start
                positions += 1
                answers: dict[str, int] = {name: bots[name].decide(view) for name in quick}
                if positions % _THOUGHT == 1:
                    answers |= {name: bots[name].decide(view) for name in RUNGS if name not in quick}
                    longer = Position(state, seat, number=positions, worlds=_LONGER * worlds, seed=_OTHER_SEED)
                    answers[SURE] = longer.best
                comes_to = {
                    action: _played(state, seat, action, playing) for action in {*answers.values(), position.best}
                }
                for name, action in answers.items():
                    priced = position.price(action)
                    found.append(Answer(name, deal, priced, comes_to[priced.best] - comes_to[action]))
            legal = view.legal
            decider = bots[quick[deal % len(quick)]] if seat == own else rest
            state.apply(legal[0] if len(legal) == 1 else decider.decide(view), seat)
        done(deal + 1)
    return found, 1000 * seconds / max(1, positions)


def _played(state: State, seat: int, action: int, bot: Bot) -> float:
    """Return how many points more than the others the seat or its team makes if all play on like the bot."""
    after, seats = state.clone(), state.rules.seats
    after.apply(action, seat)
    while after.pending:
        asked = after.pending.seats[0]
        legal = after.legal_actions(asked)
        after.apply(legal[0] if len(legal) == 1 else bot.decide(after.observation(asked)), asked)
    points = after.scores[-seats:]
    own = next((team for team in state.rules.teams or () if seat in team), (seat,))
    mine = sum(points[one] for one in own)
    return mine / len(own) - (sum(points) - mine) / (seats - len(own))


def _calibration(game: str, answers: Sequence[Answer], milliseconds: float) -> Calibration:
    by_bot: defaultdict[str, list[Answer]] = defaultdict(list)
    for one in answers:
        by_bot[one.bot].append(one)
    every = [one for one in answers if one.bot != SURE]
    line, unseen = slope([(one.priced.price, one.lost) for one in every], [one.deal for one in every])
    return Calibration(
        game,
        tuple(
            Rung(
                name,
                _mean([one.priced.price for one in by_bot[name]], by_bot[name]),
                _mean([one.lost for one in by_bot[name]], by_bot[name]),
                _mistakes(by_bot[name]),
            )
            for name in RUNGS
        ),
        line,
        unseen,
        _mistakes(by_bot[SURE]),
        milliseconds,
    )


def _mistakes(answers: Sequence[Answer]) -> Share:
    return share(sum(one.priced.mistake for one in answers), len(answers))


def _mean(values: Sequence[float], answers: Iterable[Answer]) -> Estimate:
    mean = fmean(values)
    by_deal: defaultdict[int, float] = defaultdict(float)
    for value, one in zip(values, answers, strict=True):
        by_deal[one.deal] += value - mean
    return _estimate(mean, math.sqrt(sum(rest**2 for rest in by_deal.values())) / len(values))


def _together(answers: Mapping[str, Sequence[Answer]]) -> Estimate:
    """Return the slope over all games, each scaled by the spread of what is lost there."""
    pairs, clusters = [], []
    for game, own in answers.items():
        asked = [one for one in own if one.bot != SURE]
        spread = pstdev(one.lost for one in asked) or 1.0
        pairs += [(one.priced.price / spread, one.lost / spread) for one in asked]
        clusters += [(game, one.deal) for one in asked]
    return slope(pairs, clusters)[0]


def _estimate(value: float, error: float) -> Estimate:
    half = NormalDist().inv_cdf((1 + LEVEL) / 2) * error
    return Estimate(value, value - half, value + half, LEVEL)


def _with_error(found: Estimate) -> str:
    """Return a value with its standard error."""
    return f"{found.value:.3f} ± {found.error:.3f}"
