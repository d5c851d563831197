"""Who plays in a stage, how everybody stands in it, and who qualifies."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from farfalia_tournaments.results import MatchResult, shown
from farfalia_tournaments.schedules.knockout import KnockoutRound, advanced, default_advance
from farfalia_tournaments.stages.model import Entry, Stage, StageKind
from farfalia_tournaments.stages.played_rounds import PlayedRounds
from farfalia_tournaments.statistics.strengths import StrengthFit, fit_strengths
from farfalia_tournaments.statistics.units import units


@dataclass(frozen=True, slots=True)
class StageStanding:
    """How an entrant stands in a stage: rounds of a knock-out it reached, else 0, and its score if it has one."""

    entrant: int
    reached: int
    score: Fraction | None


@dataclass(frozen=True, slots=True)
class KnockoutScores:
    """A round of a knock-out: the scores by which its tables are decided, and who had a bye."""

    number: int
    scores: Mapping[int, Fraction]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KnockoutState:
    """A knock-out so far: who is still in, best seed first, how everybody stood at the end, and its rounds."""

    still_in: tuple[int, ...]
    places: tuple[StageStanding, ...]
    rounds: tuple[KnockoutScores, ...]
    decided: bool

    @property
    def byes(self) -> list[int]:
        """Who had a bye, once for each."""
        return [entrant for one in self.rounds for entrant in one.byes]


class StageResults:
    """The members and standings of every stage, as they follow from the rounds played."""

    def __init__(
        self, stages: Sequence[Stage], entries: Sequence[Entry], played_rounds: PlayedRounds, seats: int
    ) -> None:
        self._stages, self._entries, self._played_rounds, self._seats = stages, entries, played_rounds, seats
        self._members: dict[int, list[int]] = {}
        self._strengths: dict[int, StrengthFit[int]] = {}

    def members(self, stage: int) -> list[int]:
        """Return who plays in a stage, best seed first: those in the order of entry, or who qualified.

        Those who come late are in the first stage if that is Swiss, and in no other. Who left does
        not qualify; the next one does in its place.
        """
        if stage not in self._members:
            self._members[stage] = self._find_members(stage)
        return self._members[stage]

    def _find_members(self, stage: int) -> list[int]:
        begun = self._played_rounds.before(stage)
        if stage == 1 and self._stages[0].kind is StageKind.SWISS:
            return [entry.entrant for entry in self._entries if entry.left is None or entry.came < entry.left]
        if stage == 1:
            return self.present(begun)
        present = set(self.present(begun))
        qualified = [place.entrant for place in self.places(stage - 1) if place.entrant in present]
        return qualified[: self._stages[stage - 2].qualifiers]

    def present(self, drawn: int) -> list[int]:
        """Return who is there for the round that is drawn after this number of rounds."""
        return [entry.entrant for entry in self._entries if entry.present(drawn)]

    def places(self, stage: int) -> list[StageStanding]:
        """Return how the members of a stage stand, best first; of equal ones the better seed.

        In a stage that ends once the first are known they meet different opponents, so strengths are their scores.
        """
        members = self.members(stage)
        if self._stages[stage - 1].kind is StageKind.KNOCKOUT:
            return list(self.knockout(stage).places)
        if self._stages[stage - 1].until is None:
            scores = self.scores(stage)
        else:
            fit = self.strengths(stage)
            scores = {entrant: Fraction(fit.strength(entrant).mean) for entrant in fit.entrants}
        places = [StageStanding(entrant, 0, scores.get(entrant)) for entrant in members]
        return sorted(places, key=_order)

    def scores(self, stage: int) -> dict[int, Fraction]:
        """Return the mean score of everybody in a stage, and in those before it that are carried over."""
        return mean_scores(self.counted(stage))

    def strengths(self, stage: int) -> StrengthFit[int]:
        """Return the strengths that follow from the results that count in a stage, and from families."""
        if stage not in self._strengths:
            families = {entry.entrant: entry.family for entry in self._entries}
            self._strengths[stage] = fit_strengths(self.counted(stage), families=families)
        return self._strengths[stage]

    def counted(self, stage: int) -> list[MatchResult[int]]:
        """Return the results that count in a stage, those before it that are carried over too."""
        first = stage
        while self._stages[first - 1].carry:
            first -= 1
        return [result for number in range(first, stage + 1) for result in self._played_rounds.results(number)]

    def knockout(self, stage: int) -> KnockoutState:
        """Follow a knock-out from round to round, as far as it was drawn."""
        members = self.members(stage)
        advance = self._stages[stage - 1].advance or default_advance(self._seats)
        scores: dict[int, Fraction] = {}
        reached = dict.fromkeys(members, 0)
        rounds: list[KnockoutScores] = []
        still_in, decided = members, False
        for number in self._played_rounds.rounds(stage):
            there = set(self.present(self._played_rounds.before(stage, number)))
            alive = [entrant for entrant in still_in if entrant in there]
            tables = self._played_rounds.tables(stage, number)
            seated = {entrant for table in tables for entrant in table}
            excused = tuple(entrant for entrant in alive if entrant not in seated)
            reached.update(dict.fromkeys(alive, number))
            results = self._played_rounds.results(stage, number)
            latest = mean_scores(results)
            scores.update(latest)
            rounds.append(KnockoutScores(number, latest, excused))
            # Who was gone before it was asked anything loses, whatever luck its cards had.
            gone = latest.keys() - {entrant for result in results for entrant in shown(result)}
            behind = latest | dict.fromkeys(gone, min(latest.values(), default=Fraction(0)) - 1)
            still_in = advanced(KnockoutRound(tuple(tables), excused), alive, advance, behind)
            decided = len(alive) <= self._seats
        places = [StageStanding(entrant, reached[entrant], scores.get(entrant)) for entrant in members]
        return KnockoutState(tuple(still_in), tuple(sorted(places, key=_order)), tuple(rounds), decided)


def mean_scores(results: Iterable[MatchResult[int]]) -> dict[int, Fraction]:
    """Return everybody's mean score: points less the mean of the table, luck taken out as `units` does it."""
    scores: defaultdict[int, list[Fraction]] = defaultdict(list)
    for unit in units(results):
        for entrant, score in unit.scores.items():
            scores[entrant].append(score)
    return {entrant: sum(found, Fraction(0)) / len(found) for entrant, found in scores.items()}


def _order(place: StageStanding) -> tuple[int, bool, Fraction]:
    return -place.reached, place.score is None, -(place.score or Fraction(0))
