"""Who can still be among the first ones of a stage, and whether that is settled.

The question is asked of the posterior of all strengths after every round. A posterior means the same at every look only
as far as its prior is right: of two that are nearly level it would name the wrong one in up to a quarter of all stages.
So the doubt about a pair is one that holds at all looks together, as `lasting_doubt` has it. These doubts add up to
the one that is left. A part of what is allowed pays for entrants that are settled before the end.
"""

import random
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

from farfalia_tournaments.results import MatchResult, shown
from farfalia_tournaments.stages.stopping import Until
from farfalia_tournaments.statistics.looks import lasting_doubt, widening
from farfalia_tournaments.statistics.strengths import StrengthFit

#: Matches that every entrant has to have before any is settled.
OPENING: Final = 5
#: The share of the allowed doubt that may be spent on those who are settled while others are not.
SETTLED_SHARE: Final = 0.5


@dataclass(frozen=True)
class Contest:
    """What the results say about who the first ones are.

    `first` are the strongest, as many as are asked for, and `others` the rest, each strongest first. `doubts` has for
    one of the first and one of the others the chance that it is wrong to put them in this order; `allowed` is what
    these may add up to. `fit` is the posterior, widened for all looks. `opened` says whether everybody has played
    enough for one of them to be settled.
    """

    first: tuple[int, ...]
    others: tuple[int, ...]
    doubts: Mapping[tuple[int, int], float]
    fit: StrengthFit[int]
    allowed: float
    opened: bool

    @property
    def known(self) -> bool:
        """Whether it is known who the first ones are; their order may be open."""
        return sum(self.doubts.values()) <= self.allowed

    def doubt(self, entrant: int) -> float:
        """Return how much of the doubt concerns an entrant."""
        return sum(self.doubts[pair] for pair in self._pairs(entrant))

    def _pairs(self, entrant: int) -> list[tuple[int, int]]:
        if entrant in self.first:
            return [(entrant, other) for other in self.others]
        return [(one, entrant) for one in self.first]

    @cached_property
    def chances(self) -> Mapping[int, float]:
        """Everybody's probability of being among the first."""
        return self.fit.chances(len(self.first), (*self.first, *self.others))

    @cached_property
    def contenders(self) -> tuple[int, ...]:
        """Those of whom it is open whether they are among the first, strongest first.

        One of the first who is not among them will stay there, one of the others cannot get there any more: the doubts
        about all of these together come to no more than their share of what is allowed.
        """
        everybody = (*self.first, *self.others)
        if self.known:
            return ()
        if not self.opened:
            return everybody
        settled, spent = set[int](), 0.0
        for entrant in sorted(everybody, key=lambda one: (self.doubt(one), one)):
            spent += sum(self.doubts[pair] for pair in self._pairs(entrant) if settled.isdisjoint(pair))
            if spent > self.allowed * SETTLED_SHARE:
                break
            settled.add(entrant)
        return tuple(entrant for entrant in everybody if entrant not in settled)


def contest_sentence(contest: Contest, names: Mapping[int, str]) -> str:
    """Return for people who can still be among the first, and what that means for the next tables."""
    first, everybody = len(contest.first), len(contest.first) + len(contest.others)
    if contest.known:
        said = "The first is known" if first == 1 else f"The first {first} are known"
        return f"{said}: {_listed([names[one] for one in contest.first])}."
    number, listed = len(contest.contenders), _listed([names[one] for one in contest.contenders])
    if number == everybody:
        return "It is open for everybody, and everybody plays."
    if first == 1:
        said = f"{number} of {everybody} can still be first: {listed}."
    else:
        said = f"Of {number} it is open whether they are among the first {first}: {listed}."
    settled = "Of the others that is settled, within half of the doubt that is allowed; they fill empty seats."
    return f"{said} {settled}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def contest_of(
    until: Until,
    results: Sequence[MatchResult[int]],
    fit: StrengthFit[int],
    entrants: Collection[int],
    *,
    rounds: int,
    planned: int,
) -> Contest | None:
    """Return what these results, of which `fit` has the strengths, say after this number of rounds of those planned.

    None while one of the entrants has no result, or if there are no more of them than are asked for.
    """
    played = Counter(entrant for result in results for entrant in shown(result))
    if not played.keys() >= set(entrants) or until.first >= len(entrants):
        return None
    order = [entrant for entrant in fit.order() if entrant in entrants]
    first, others = tuple(order[: until.first]), tuple(order[until.first :])
    return Contest(
        first,
        others,
        {
            (one, other): lasting_doubt(fit.probability(other, one), rounds, planned)
            for one in first
            for other in others
        },
        fit.widened(widening(rounds, planned)),
        1 - until.percent / 100,
        min(played[entrant] for entrant in entrants) >= OPENING,
    )


def chosen_seats(contest: Contest, seats: int, rng: random.Random) -> list[int]:
    """Return who gets these seats, strongest first; fewer if there are no more entrants.

    Pairs in doubt are drawn, each as likely as it is doubtful, until the seats are taken: D. Russo, "Simple Bayesian
    Algorithms for Best-Arm Identification", Operations Research 68, 2020. So the one in front plays most, and the
    others the oftener the nearer they come. If contenders leave seats empty, those who came nearest to them sit there.
    """
    contenders, open_pairs = set(contest.contenders), _open_pairs(contest)
    chosen: set[int] = set()
    while open_pairs and len(chosen) < seats:
        pair = _drawn(open_pairs, rng)
        # If one seat is left for a pair, the one behind plays: the one in front is drawn more often.
        without = [one for one in sorted(pair, key=contest.first.__contains__) if one not in chosen]
        chosen.update(without[: seats - len(chosen)])
        open_pairs = {pair: doubt for pair, doubt in open_pairs.items() if not chosen.issuperset(pair)}
    everybody = (*contest.first, *contest.others)
    empty = [entrant for entrant in everybody if entrant not in chosen]
    nearest = sorted(empty, key=lambda one: (one not in contenders, -contest.doubt(one)))
    chosen.update(nearest[: seats - len(chosen)])
    return [entrant for entrant in everybody if entrant in chosen]


def opposed_pair(contest: Contest, chosen: Collection[int], rng: random.Random) -> tuple[int, ...]:
    """Return a pair in doubt of whom both have seats, drawn by how doubtful it is; empty if there is none.

    Partners make the same points, so that a match tells nothing of the difference between the two.
    """
    pairs = {pair: doubt for pair, doubt in _open_pairs(contest).items() if set(chosen).issuperset(pair)}
    return _drawn(pairs, rng) if pairs else ()


def _open_pairs(contest: Contest) -> dict[tuple[int, int], float]:
    contenders = set(contest.contenders)
    return {pair: doubt for pair, doubt in contest.doubts.items() if contenders.issuperset(pair)}


def _drawn(pairs: Mapping[tuple[int, int], float], rng: random.Random) -> tuple[int, int]:
    sums = list(accumulate(pairs.values()))
    return list(pairs)[min(bisect(sums, rng.random() * sums[-1]), len(sums) - 1)]
