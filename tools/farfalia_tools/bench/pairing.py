"""How soon a ladder is in order, by who is seated next, and whether its numbers drift.

Bots of known strength come and go. Their scores are strength plus normal luck, of which a share may be the cards': it
is known, and taken out. TrueSkill rates them as on a server, where settled bots learn nothing from newcomers. There are
three policies: the ladder's own, random tables, and the tables that teach most. The last one starts with the bot that
has played least and adds bots whose order with the others at the table is most open, weighted by how uncertain both
ratings are.
"""

import math
import random
from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist, fmean, linear_regression
from typing import Final

from farfalia_tools.bench.kendall import RANKED, kendall
from farfalia_tournaments import (
    Candidate,
    Company,
    MatchNoise,
    MatchResult,
    Noise,
    Rating,
    WaitingPool,
    match_beta,
    rate,
    rating_system,
)

#: Who is seated: by the ladder, by lot, or those whose match teaches most.
LADDER, LOT, TEACHES_MOST = "ladder", "random", "teaches-most"
POLICIES: Final = (LADDER, LOT, TEACHES_MOST)

_SEATS: Final = 5
_SKILL: Final = 4.8
#: Share of the bots that are present at first, as about half are later, and of matches after which one comes or goes.
_PRESENT: Final = 0.5
_CHANGES: Final = 0.2
#: Points of luck in the score of a match, and points in a unit of mu: there this luck is beta.
_LUCK: Final = Noise().fresh / (1 - 1 / _SEATS) ** 0.5
_PER_MU: Final = _LUCK / 25
#: Tau of a ladder that is nearly in order.
_NEARLY: Final = 0.9
_LOOKS: Final = 40
_NORMAL: Final = NormalDist()

_HEADER: Final = (
    f"{'seated':<14}{'bots':>7}{'tau ' + str(_NEARLY) + ' after':>15}{'tau ' + str(RANKED) + ' after':>16}"
    f"{'played':>11}{'tau at end':>12}"
    f"{'fewest/most':>14}{'mean mu':>9}{'farthest':>10}{'scale':>7}{'rms z':>7}"
)


@dataclass(frozen=True, slots=True)
class PairingRow:
    """One policy, means over the repetitions.

    `nearly_after` and `ranked_after` are matches until Kendall's tau is .9 and .95, None if what was played was not
    enough. `mean_mu` of all bots is 25 without inflation, and
    `farthest` what was farthest from it at any look. `scale` is by how much mu rises where true skill rises by 1, 1 if
    differences of mu are true; `z` is the root mean square of errors of mu in sigmas, 1 if sigma is true.
    """

    policy: str
    entrants: int
    nearly_after: int | None
    ranked_after: int | None
    played: int
    tau: float
    fewest: int
    most: int
    mean_mu: float
    farthest: float
    scale: float
    z: float


def run(
    entrants: int = 30,
    matches: int = 6000,
    repetitions: int = 3,
    seed: int = 1,
    done: Callable[[], None] | None = None,
    policies: Sequence[str] = POLICIES,
    cards: float = 0.0,
) -> list[PairingRow]:
    """Play this many matches by each policy in each repetition; within one, all policies have the same strengths.

    `cards` is the share of luck's variance that is known and taken out.

    A match costs a quarter of a millisecond by the ladder and at random, with 30 bots and with 3,000. For the tables
    that teach most, everybody present is looked at four times a match: 1 ms with 300 bots, 10 with 3,000.
    """
    rows = []
    for policy in policies:
        held = []
        for repetition in range(repetitions):
            held.append(_Ladder(policy, entrants, f"{seed}/{repetition}", cards).played(matches))
            if done:
                done()
        taus = [fmean(taus) for taus in zip(*(taus for taus, _, _ in held), strict=True)]
        means = [fmean(means) for means in zip(*(means for _, means, _ in held), strict=True)]
        looks = [(look + 1) * matches // _LOOKS for look in range(_LOOKS)]
        ladders = [ladder for _, _, ladder in held]
        rows.append(
            PairingRow(
                policy,
                entrants,
                next((after for after, tau in zip(looks, taus, strict=True) if tau >= _NEARLY), None),
                next((after for after, tau in zip(looks, taus, strict=True) if tau >= RANKED), None),
                matches,
                taus[-1],
                min(min(ladder.counts) for ladder in ladders),
                max(max(ladder.counts) for ladder in ladders),
                means[-1],
                max(means, key=lambda mean: abs(mean - ladders[0].prior.mu)),
                fmean(ladder.scale() for ladder in ladders),
                math.sqrt(fmean(z * z for ladder in ladders for z in ladder.errors())),
            )
        )
    return rows


def table(rows: Sequence[PairingRow]) -> str:
    """Return the rows as plain text."""
    lines = [_HEADER]
    for row in rows:
        nearly, after = (
            f"{matches:,}" if matches else f"> {row.played:,}" for matches in (row.nearly_after, row.ranked_after)
        )
        lines.append(
            f"{row.policy:<14}{row.entrants:>7,}{nearly:>15}{after:>16}{row.played:>11,}{row.tau:>12.3f}"
            f"{f'{row.fewest}/{row.most}':>14}{row.mean_mu:>9.2f}{row.farthest:>10.2f}{row.scale:>7.2f}{row.z:>7.2f}"
        )
    return "\n".join(lines)


class _Ladder:
    """A ladder, its bots' strengths, and who is present."""

    def __init__(self, policy: str, entrants: int, seed: str, cards: float) -> None:
        self._policy = policy
        self._cards = cards
        self._noise: MatchNoise[int] = MatchNoise()
        self._versions = dict.fromkeys(range(entrants), "1")
        strengths = random.Random(seed)
        self._strengths = sorted((strengths.gauss(0, _SKILL) for _ in range(entrants)), reverse=True)
        self._rng = random.Random(f"{seed}/{policy}")
        self._system = rating_system("trueskill")
        self.prior = self._system.prior
        self.ratings: dict[int, Rating] = dict.fromkeys(range(entrants), self.prior)
        self.counts = [0] * entrants
        #: Parts of the matches that settle each bot, and how many matches were rated.
        self._parts: dict[int, int] = dict.fromkeys(range(entrants), 0)
        self._entries = 0
        self._since = [0.0] * entrants
        #: In order, since the draw must not depend on the order in which they came.
        self._present = sorted(self._rng.sample(range(entrants), max(_SEATS, round(_PRESENT * entrants))))
        self._pool = WaitingPool(_SEATS)
        for entrant in self._present:
            self._wait(entrant)

    def played(self, matches: int) -> tuple[list[float], list[float], "_Ladder"]:
        """Play, and return Kendall's tau and mean mu at regular looks."""
        taus, means = [], []
        for number in range(1, matches + 1):
            if self._rng.random() < _CHANGES:
                self._come_or_go()
            self._play(self._seated(float(number)), float(number))
            if number * _LOOKS // matches > (number - 1) * _LOOKS // matches:
                mus = [self.ratings[entrant].mu for entrant in range(len(self.counts))]
                taus.append(kendall(mus))
                means.append(fmean(mus))
        return taus, means, self

    def scale(self) -> float:
        """Return the slope of mu over true skill, by least squares."""
        order = range(len(self.counts))
        return linear_regression(
            [self._strengths[entrant] / _PER_MU for entrant in order], [self.ratings[entrant].mu for entrant in order]
        ).slope

    def errors(self) -> list[float]:
        """Return the errors of mu, in sigmas; the middle of all is nobody's error."""
        middle = fmean(self._strengths)
        mean = fmean(rating.mu for rating in self.ratings.values())
        return [
            (rating.mu - mean - (self._strengths[entrant] - middle) / _PER_MU) / rating.sigma
            for entrant, rating in self.ratings.items()
        ]

    def _come_or_go(self) -> None:
        entrant = self._rng.randrange(len(self.counts))
        place = bisect_left(self._present, entrant)
        if self._present[place : place + 1] != [entrant]:
            insort(self._present, entrant)
            self._wait(entrant)
        elif len(self._present) > _SEATS:
            del self._present[place]
            self._pool.remove(entrant)

    def _wait(self, entrant: int) -> None:
        rating = self.ratings[entrant]
        self._pool.put(Candidate(entrant, rating.mu, rating.sigma, self.counts[entrant], self._since[entrant], entrant))

    def _seated(self, now: float) -> Sequence[int]:
        present = self._present
        if self._policy == LOT:
            return self._rng.sample(present, _SEATS)
        if self._policy == LADDER:
            return self._pool.next_table(now, self._rng) or ()
        table = [min(present, key=lambda one: (self.counts[one], self._since[one]))]
        while len(table) < _SEATS:
            others = [one for one in present if one not in table]
            table.append(max(others, key=lambda one: sum(self._teaches(one, other) for other in table)))
        return table

    def _teaches(self, one: int, other: int) -> float:
        """Return how uncertain the order of two bots is, times how much a match would settle it."""
        first, second = self.ratings[one], self.ratings[other]
        variance = first.sigma**2 + second.sigma**2
        open_ = _NORMAL.cdf(-abs(first.mu - second.mu) / math.sqrt(variance))
        return open_ * variance**2 / (variance + 2 * 25**2)

    def _play(self, seated: Sequence[int], now: float) -> None:
        rest = _LUCK * math.sqrt(1 - self._cards)
        cards = [self._rng.gauss(0, _LUCK * math.sqrt(self._cards)) if self._cards else 0.0 for _ in seated]
        made = [
            round(self._strengths[entrant] + own + self._rng.gauss(0, rest))
            for entrant, own in zip(seated, cards, strict=True)
        ]
        result = MatchResult(
            tuple(seated),
            tuple(made),
            tuple(1 + sum(other > one for other in made) for one in made),
            luck=tuple(Fraction(round(1000 * own), 1000) for own in cards),
        )
        beta = match_beta(result, self._system, self._noise.luck_left)
        self._entries += 1
        company = Company({entrant: self._parts[entrant] for entrant in seated}, (), self._entries)
        self.ratings.update(rate(self.ratings, result, self._system, beta, company))
        for entrant in seated:
            self._parts[entrant] += company.parts(entrant)
        self._noise.add(result, self._versions)
        for entrant in seated:
            self.counts[entrant] += 1
            self._since[entrant] = now
            self._wait(entrant)
