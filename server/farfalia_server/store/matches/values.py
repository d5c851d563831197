"""Matches as the store takes and returns them: frozen values, never rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from farfalia_engine import TimeControl
from farfalia_server.store.people.values import Bot


class MatchState(StrEnum):
    """The state of a match."""

    PLANNED = "planned"  #: of a tournament that has not started
    QUEUED = "queued"  #: waits for a node and its bots
    RUNNING = "running"  #: a node has claimed it
    FINISHED = "finished"  #: has a result and a record
    VOID = "void"  #: given up after too many attempts
    CANCELLED = "cancelled"  #: cancelled with its tournament

    @property
    def waiting(self) -> bool:
        """It has not begun: its seats may still change."""
        return self in (MatchState.PLANNED, MatchState.QUEUED)

    @property
    def active(self) -> bool:
        """It is queued, or a node has claimed it."""
        return self in (MatchState.QUEUED, MatchState.RUNNING)

    @property
    def over(self) -> bool:
        """Nobody will play it any more."""
        return not self.waiting and self is not MatchState.RUNNING

    @property
    def given_up(self) -> bool:
        """It is over and has no result."""
        return self in (MatchState.VOID, MatchState.CANCELLED)


#: The states of these properties, for queries.
WAITING = tuple(state for state in MatchState if state.waiting)
ACTIVE = tuple(state for state in MatchState if state.active)
OPEN = tuple(state for state in MatchState if not state.over)

#: What stands for the match that is played instead of a void one whose round is drawn anew.
DRAWN_ANEW = 0

#: How often a bot can leave a match while others stay and have it replayed; the next time it loses its seat.
MOST_WALKOUTS = 2


class VoidReason(StrEnum):
    """Why an attempt of a match is void."""

    UNPLAYABLE = "unplayable"  #: its journal cannot be read or cannot be played on
    JOURNAL_LOST = "journal-lost"  #: with its Redis
    SERVER_FAILED = "server-failed"
    ABANDONED = "abandoned"  #: too few of its bots were left for a result
    NETWORK = "network"  #: bots lost their seats or were struck while the tournament's network was down
    ORGANISER = "organiser"  #: an organiser decided so


@dataclass(frozen=True, slots=True)
class Seat:
    """The player in a seat: a bot under the name of its entrant; fillers are never rated.

    `version` is that of the bot when the match began, and empty before. `walkouts` counts the attempts of the match
    that are void because it left while others stayed. `person` says that a person plays as the bot.
    """

    bot_id: int
    name: str
    filler: bool = False
    version: str = ""
    walkouts: int = 0
    person: bool = False

    @property
    def walked_out(self) -> bool:
        """Whether the match is replayed no more because it leaves."""
        return self.walkouts >= MOST_WALKOUTS


@dataclass(frozen=True, slots=True)
class SeatResults:
    """How a match ended, by seat; `forfeits` lists seats in the order in which they were lost, `missed` those of them
    that were lost before their bots were asked anything.

    `luck` is in thousandths of a point; empty if the game has no value function. It reveals something of the cards, so
    nobody may see it before the record is open.
    """

    points: tuple[int, ...]
    places: tuple[int, ...]
    strikes: tuple[int, ...]
    forfeits: tuple[int, ...]
    luck: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match to be planned; stage, table and replay are of tournaments with stages, and 0 elsewhere."""

    round: int
    board: str
    seats: tuple[Seat, ...]
    stage: int = 0
    table: int = 0
    replay: int = 0


@dataclass(frozen=True, slots=True)
class NewLadderMatch:
    """A match that belongs to no tournament, with a secret of its own, 32 bytes, and the commitment to it."""

    match: NewMatch
    secret: bytes
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Match:
    """A match in the database; `board` is the board of its current attempt.

    `record_open` says that its cards and its result may be seen; it is false where that was not queried. Where it was,
    there is no result before. `replaced_by` is the match that is played instead, or `DRAWN_ANEW`.
    """

    id: int
    tournament_id: int | None
    round: int
    number: int
    ruleset: str
    options: Mapping[str, str]
    board: str
    seats: tuple[Seat, ...]
    time_control: TimeControl
    state: MatchState
    epoch: int
    attempt: int
    node: str
    note: str
    result: SeatResults | None
    created: datetime
    started: datetime | None
    finished: datetime | None
    ladder: str  #: on which it counts; empty for none
    rating_seq: int | None
    stage: int
    table: int
    replay: int
    record_open: bool = False
    replaced_by: int | None = None
    challenger: int | None = None  #: who asked for it, as `Challenger` has it; none for all other matches
    daily: str = ""  #: the day whose board it plays, such as "2026-11-28"; empty for all other matches

    @property
    def bot_ids(self) -> tuple[int, ...]:
        """Bots by seat; a filler may sit twice."""
        return tuple(seat.bot_id for seat in self.seats)

    @property
    def result_withheld(self) -> bool:
        """Whether it is finished and nobody may see how, since its board is still played."""
        return self.state is MatchState.FINISHED and self.result is None


@dataclass(frozen=True, slots=True)
class Beacon:
    """A public value that an organiser announced with the commitment; value and time are known once it has started."""

    source: str
    round: str
    announced: datetime
    value: str = ""
    given: datetime | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where deals come from: the secret, and the nonces that were added to it, ascending.

    `given` has those that bots gave, by bot; the value of `beacon` is one, too. As long as it is not `settled`, bots
    may add to it. `value_function` is the SHA-256 of the one that was published with the commitment, empty if none was.
    """

    secret: bytes = field(repr=False)
    commitment: bytes
    nonces: tuple[bytes, ...]
    given: Mapping[int, bytes]
    beacon: Beacon | None = None
    settled: bool = True
    value_function: bytes = b""


@dataclass(frozen=True, slots=True)
class ClaimedMatch:
    """A match that the caller now owns at `match.epoch`, with everything that is needed to play it."""

    match: Match
    bots: tuple[Bot, ...]  #: by seat
    source: Source
    first: bool = True  #: nobody has claimed this attempt before
    lasting_processes: bool = False  #: its tournament lets programs keep their process


@dataclass(frozen=True, slots=True)
class VoidAttempt:
    """An attempt of a match that the server voided.

    `text` and `key` are empty as long as a match is played on its board and it is not `open`, `key` also if no card
    was dealt; `source` is without the secret as long as something can be played with that.
    """

    id: int
    match_id: int
    tournament_id: int | None
    ruleset: str
    attempt: int
    board: str
    open: bool
    reason: VoidReason
    text: str
    voided: datetime
    source: Source
    key: bytes
