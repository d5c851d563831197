"""Where records come from: a server, or a folder; with what chooses among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from farfalia.arena import BoardInPlay, SyncArena
from farfalia.v1 import matches_pb2, record_pb2
from farfalia_server.records import published_files


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which matches: those for which everything holds that is given here.

    Of a ladder or an event only a server knows; an event's matches are those of its tournaments.
    """

    game: str = ""
    bot: str = ""
    tournament: int = 0
    ladder: str = ""
    event: str = ""
    since: datetime | None = None

    def holds(self, record: record_pb2.Record) -> bool:
        """Return whether a record of a folder is chosen."""
        return (
            self.game in ("", record.ruleset)
            and (not self.bot or any(seat.bot == self.bot for seat in record.seats))
            and self.tournament in (0, record.tournament)
            and (self.since is None or record.finished.ToDatetime(UTC) >= self.since)
        )


class Folder:
    """The records of a folder, as files or as lines of files; each match once.

    `tell` is told after each record how many were looked at, and how many there are at most.
    """

    def __init__(self, folder: Path, chosen: Chosen, tell: Callable[[int, int], None]) -> None:
        self._folder = folder
        self._chosen = chosen
        self._tell = tell

    def __iter__(self) -> Iterator[record_pb2.Record]:
        """Yield the records that are chosen; RecordError if a file holds none."""
        seen: set[int] = set()
        total = published_files.count(self._folder)
        for done, record in enumerate(published_files.records_in(self._folder), 1):
            if record.match not in seen and self._chosen.holds(record):
                seen.add(record.match)
                yield record
            self._tell(done, total)


class ServerRecords:
    """The open records of a server, the last to end first; `closed` counts those that are not open yet.

    `tell` is told after each match how many were looked at, and how many there are.
    """

    def __init__(self, arena: SyncArena, chosen: Chosen, tell: Callable[[int, int], None]) -> None:
        self._arena = arena
        self._chosen = chosen
        self._tell = tell
        self.closed = 0

    def __iter__(self) -> Iterator[record_pb2.Record]:
        """Yield the records that are chosen."""
        matches = list(self._matches())
        for done, match in enumerate(matches, 1):
            try:
                if not match.record_open:
                    self.closed += 1
                    continue
                yield self._arena.get_record(match=match.id).record
            except BoardInPlay:  # another table has begun to play its cards
                self.closed += 1
            finally:
                self._tell(done, len(matches))

    def _matches(self) -> Iterator[matches_pb2.Match]:
        chosen, tournaments = self._chosen, [self._chosen.tournament]
        if chosen.event:
            of_event = [one.id for one in self._arena.all_tournaments(event=chosen.event)]
            tournaments = [one for one in of_event if chosen.tournament in (0, one)]
        for tournament in tournaments:
            for match in self._arena.all_matches(
                tournament=tournament,
                bot=chosen.bot,
                game=chosen.game,
                ladder=chosen.ladder,
                state=matches_pb2.MATCH_STATE_FINISHED,
            ):
                if chosen.since is not None and match.finished.ToDatetime(UTC) < chosen.since:
                    break  # those that follow have ended before it
                yield match
