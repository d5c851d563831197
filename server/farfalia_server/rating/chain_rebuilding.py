"""The chains of ladders, rebuilt from the results and compared with the stored ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from farfalia_server.records.chain_checking import differences
from farfalia_tournaments import ChainEntry, TournamentError, read_entry


class ChainReason(StrEnum):
    """What may be wrong with an entry."""

    MISSING = "missing"
    DAMAGED = "damaged"  #: it cannot be read
    DIFFERENT = "different"  #: it contradicts the records
    SUPERFLUOUS = "superfluous"  #: there are more entries than rated matches


@dataclass(frozen=True, slots=True)
class ChainDifference:
    """An entry of a ladder's chain that does not follow from the results; also as a sentence."""

    ladder: str
    entry: int
    reason: ChainReason
    text: str


class RebuiltChains:
    """The entries that follow from the results; stored values may differ by `rounding`."""

    def __init__(self, rounding: float) -> None:
        #: Every entry, without its position in its chain.
        self.entries: list[ChainEntry] = []
        self._rounding = rounding
        self._first: dict[str, ChainDifference] = {}
        #: Of each ladder how many entries there are, and the hash of the last one that is kept.
        self._last: dict[str, tuple[int, str]] = {}

    def compare(self, entry: ChainEntry, line: str | None) -> None:
        """Compare the next entry that follows from the results with the stored line of its match."""
        self.entries.append(entry)
        last, before = self._last.get(entry.ladder, (0, ""))
        number = last + 1
        self._last[entry.ladder] = number, before
        if entry.ladder not in self._first and (problem := self._problem(entry, number, before, line)):
            reason, text = problem
            said = f"{entry.ladder}: entry {number} (match {entry.match}): {text}"
            self._first[entry.ladder] = ChainDifference(entry.ladder, number, reason, said)

    def found(self, kept: Mapping[str, int]) -> Iterator[ChainDifference]:
        """Yield the first difference of each ladder; `kept` says how many entries each one has."""
        yield from self._first.values()
        for ladder, count in kept.items():
            given, _ = self._last.get(ladder, (0, ""))
            if count > given and ladder not in self._first:
                text = f"{ladder}: there are {count} entries, the records give {given}"
                yield ChainDifference(ladder, given + 1, ChainReason.SUPERFLUOUS, text)

    def _problem(self, entry: ChainEntry, number: int, before: str, line: str | None) -> tuple[ChainReason, str] | None:
        if line is None:
            return ChainReason.MISSING, "it is missing"
        try:
            kept = read_entry(line)
        except TournamentError as error:
            return ChainReason.DAMAGED, str(error)
        self._last[entry.ladder] = number, kept.hash
        expected = {seat.number: seat.rating for seat in entry.seats if seat.rating is not None}
        if difference := next(differences(kept.entry.seats, expected, self._rounding), ""):
            return ChainReason.DIFFERENT, difference
        unrated = tuple(replace(seat, rating=None) for seat in kept.entry.seats)
        said = replace(kept.entry, seats=unrated)
        given = replace(
            entry, number=number, before=before, seats=tuple(replace(seat, rating=None) for seat in entry.seats)
        )
        if said != given:
            return ChainReason.DIFFERENT, "it is not what the records give"
        if kept.hash != kept.entry.hash:
            return ChainReason.DIFFERENT, "its hash is not that of what it says"
        return None
