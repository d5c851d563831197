"""Whether the chain of a ladder is what the records of its matches give, to the last bit."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import farfalia_engine as engine
from farfalia_server.records.house_names import is_house
from farfalia_server.records.sides import sides_of
from farfalia_server.records.verifying import verify
from farfalia_tournaments import (
    ChainEntry,
    ChainSeat,
    MatchNoise,
    MatchResult,
    PublishedEntry,
    Rating,
    RatingSystem,
    Reliability,
    ReliabilityBin,
    TournamentError,
    VersionedRatings,
    match_beta,
    rating_system,
)


@dataclass(frozen=True, slots=True)
class LadderVerdict:
    """The result of checking a ladder: what is wrong, and what could not be checked, each in order.

    `reliability` says whether ratings predicted the matches that were recomputed. `head` is the hash of the last entry:
    keep it, and you can tell later whether anything before it has changed.
    """

    ladder: str
    entries: int
    head: str
    violations: tuple[str, ...]
    unchecked: tuple[str, ...]
    reliability: tuple[ReliabilityBin, ...] = field(default=(), compare=False)

    @property
    def holds(self) -> bool:
        """Whether everything was checked and nothing is wrong."""
        return not self.violations and not self.unchecked


def verify_ladders(
    published: Iterable[PublishedEntry], records: Mapping[int, engine.Record]
) -> Iterator[LadderVerdict]:
    """Yield what is found of each ladder that has entries, by name; the order of entries and records does not matter.

    `records` are by match. Each entry is compared with what its record makes of the ratings in the entries before.
    """
    ladders: defaultdict[str, list[PublishedEntry]] = defaultdict(list)
    for one in published:
        ladders[one.entry.ladder].append(one)
    for ladder in sorted(ladders):
        checked = _Ladder(ladder, sorted(ladders[ladder], key=lambda one: one.entry.number), records)
        violations = tuple(checked.violations())
        unchecked, bins = tuple(checked.unchecked), checked.reliability.bins()
        yield LadderVerdict(ladder, checked.entries, checked.head, violations, unchecked, bins)


class _Ladder:
    """The entries of one ladder, in order."""

    def __init__(self, name: str, published: Sequence[PublishedEntry], records: Mapping[int, engine.Record]) -> None:
        self._name = name
        self._published = published
        self._records = records
        #: The game that its matches are of: of that name if there is one, or else that of the first match.
        self._game = name if name in engine.GAMES else ""
        self.unchecked: list[str] = []
        self.reliability = Reliability()
        self._noise: MatchNoise[int] = MatchNoise()
        #: Whether all that it follows from is there; if not, what is missing has been said.
        self._noise_known = True

    @property
    def entries(self) -> int:
        """How many there are."""
        return len(self._published)

    @property
    def head(self) -> str:
        """The hash of the last one."""
        return self._published[-1].hash

    def violations(self) -> Iterator[str]:
        """Yield what does not hold; notes what cannot be checked meanwhile."""
        first = self._published[0].entry
        try:
            system = rating_system(first.system)
        except TournamentError as error:
            yield f"entry {first.number}: {error}"
            return
        ratings = VersionedRatings(system, is_house)
        self._noise_known = first.number == 1
        bots: dict[int, str] = {}
        before: PublishedEntry | None = None
        for one in self._published:
            where = f"entry {one.entry.number} (match {one.entry.match})"
            for problem in self._problems(one, before, bots):
                yield f"{where}: {problem}"
            if one.entry.system != first.system:
                yield f"{where}: the rating system is {one.entry.system!r}, expected {first.system!r} as before"
            record = self._records.get(one.entry.match)
            if record is None:
                self.unchecked.append(f"{where}: its record is missing, so its ratings could not be computed")
                self._noise_known = False
            else:
                for problem in (
                    *self._played(one.entry, record, ratings, system),
                    *self._luck(one.entry, record, system),
                ):
                    yield f"{where}: {problem}"
            ratings.learn(one.entry)
            before = one
        yield from self._without_entry()

    def _problems(self, one: PublishedEntry, before: PublishedEntry | None, bots: dict[int, str]) -> Iterator[str]:
        entry, expected = one.entry, 1 if before is None else before.entry.number + 1
        if entry.number < expected:
            yield f"there is another entry {entry.number}"
        elif entry.number > expected:
            last = entry.number - 1
            missing = f"entry {expected} is" if last == expected else f"entries {expected} to {last} are"
            yield f"{missing} missing before it"
        elif entry.before != (hashed := before.hash if before else ""):
            yield f"the hash of the entry before is {_said(entry.before)} in it, expected {_said(hashed)}"
        if one.hash != (hashed := entry.hash):
            yield f"its hash is {_said(one.hash)}, but what it says has the hash {_said(hashed)}"
        for seat in entry.seats:
            if bots.setdefault(seat.number, seat.bot) != seat.bot:
                yield f"bot {seat.number} is {seat.bot}, expected {bots[seat.number]} as before"

    def _played(
        self, entry: ChainEntry, record: engine.Record, ratings: VersionedRatings, system: RatingSystem
    ) -> Iterator[str]:
        """Yield what an entry says otherwise than the record of its match."""
        digest = record.computed_digest().hex()
        if digest != entry.digest:
            yield f"the digest of the record is {_said(entry.digest)}, but the record has {_said(digest)}"
        self._game = self._game or record.ruleset
        if record.ruleset != self._game:
            yield f"the ladder is of {self._game}, but {record.ruleset} was played"
            return
        for violation in verify(record).violations[:1]:
            yield f"its record does not hold: {violation}"
        seated = [(seat.bot, seat.version) for seat in entry.seats]
        sat = [(seat.bot, seat.version) for seat in record.seats]
        if seated != sat:
            yield f"the bots are {_listed(seated)}, but those of the record are {_listed(sat)}"
            return
        result = _result(entry, record, entry.luck)
        if result is None:
            yield from differences(entry.seats, {})
            return
        try:
            after = ratings.after(entry, result)
            self.reliability.add(ratings.before(entry), result, entry.beta or system.beta)
        except (ArithmeticError, ValueError, TournamentError):
            yield "its ratings cannot be computed: those before it are beyond what the arithmetic holds"
            return
        yield from differences(entry.seats, after)

    def _luck(self, entry: ChainEntry, record: engine.Record, system: RatingSystem) -> Iterator[str]:
        """Yield what is wrong with luck and noise in an entry, and learn its noise."""
        result = _result(entry, record, entry.luck)
        if entry.beta is not None:
            yield from self._taken_out(entry, record)
            expected = entry.beta if result is None else match_beta(result, system, self._noise.luck_left)
            if self._noise_known and entry.beta != expected:
                yield f"beta is {entry.beta!r}, expected {expected!r}"
        self._noise.add(result, {seat.number: seat.version for seat in entry.seats})

    def _taken_out(self, entry: ChainEntry, record: engine.Record) -> Iterator[str]:
        """Yield how the luck in an entry differs from that of its record."""
        if not record.source.value_function:
            yield "luck was taken out, but its record names no value function"
            return
        try:
            luck = engine.luck(record)
        except engine.EngineError:  # the record does not hold
            return
        if luck is None:
            where = f"entry {entry.number} (match {entry.match})"
            self.unchecked.append(f"{where}: its record names another value function, so its luck was not computed")
            return
        for seat, points in zip(entry.seats, luck, strict=False):
            if seat.luck != (own := round(1000 * points)):
                yield f"the luck of {seat.bot} is {seat.luck} thousandths of a point, expected {own}"

    def _without_entry(self) -> Iterator[str]:
        known = {one.entry.match for one in self._published}
        for match in sorted(self._records.keys() - known):
            if self._records[match].ruleset == self._name:
                yield (
                    f"match {match} has a record and no entry: it was left out, or rated after the entries were fetched"
                )


def _said(digits: str) -> str:
    return f"{digits[:16]}…" if digits else "empty"


def differences(seats: Iterable[ChainSeat], expected: Mapping[int, Rating], rounding: float = 0.0) -> Iterator[str]:
    """Yield which of the ratings in an entry are not the expected ones, by bot; values may differ by `rounding`."""
    for seat in seats:
        rating = expected.get(seat.number)
        if seat.rating is None or rating is None:
            if seat.rating is not None or rating is not None:
                yield f"{seat.bot} has {_shown(seat.rating)}, expected {_shown(rating)}"
            continue
        for name in ("mu", "sigma"):
            said, computed = getattr(seat.rating, name), getattr(rating, name)
            if not math.isclose(said, computed, rel_tol=rounding, abs_tol=rounding):
                yield f"{name} of {seat.bot} is {said!r}, expected {computed!r}"


def _shown(rating: Rating | None) -> str:
    return "no rating" if rating is None else f"mu {rating.mu!r}, sigma {rating.sigma!r}"


def _listed(seats: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{bot} {version}" for bot, version in seats)


def _result(entry: ChainEntry, record: engine.Record, luck: tuple[Fraction, ...]) -> MatchResult[int] | None:
    """Return what the match was rated by, with this luck taken out; None if it cannot be rated.

    The house may have filled a seat, and then nobody is rated for it; any other bot is.
    """
    outcome = record.outcome
    if outcome is None:
        return None
    try:
        return MatchResult(
            entrants=tuple(seat.number for seat in entry.seats),
            points=outcome.points,
            places=outcome.places,
            forfeits=outcome.forfeits,
            missed=engine.missed(record),
            rated=tuple(
                seat.rating is not None or not sat.house for seat, sat in zip(entry.seats, record.seats, strict=True)
            ),
            sides=sides_of(record.ruleset, record.options, len(entry.seats)),
            luck=luck,
        )
    except (TournamentError, engine.EngineError):
        return None
