"""What the store takes and returns: frozen values, never rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from farfalia_engine import TimeControl


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


class VoidReason(StrEnum):
    """Why the server declared an attempt of a match void."""

    UNPLAYABLE = "unplayable"  #: its journal cannot be read or cannot be played on
    JOURNAL_LOST = "journal-lost"  #: with its Redis
    SERVER_FAILED = "server-failed"


class TournamentState(StrEnum):
    """The state of a tournament."""

    PLANNED = "planned"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def over(self) -> bool:
        """Nothing more will be played in it, so its secret is public."""
        return self in (TournamentState.FINISHED, TournamentState.CANCELLED)


@dataclass(frozen=True, slots=True)
class Bot:
    """A registered bot; `house` names the house bot that plays for it, or is empty. `account_id` is its owner."""

    id: int
    name: str
    version: str
    owner: str
    house: str
    created: datetime
    account_id: int | None = None
    has_token: bool = True


@dataclass(frozen=True, slots=True)
class Seat:
    """The player in a seat: a bot under the name of its entrant; fillers are never rated.

    `version` is that of the bot when the match began, and empty before.
    """

    bot_id: int
    name: str
    filler: bool = False
    version: str = ""


@dataclass(frozen=True, slots=True)
class SeatResults:
    """How a match ended, by seat; `forfeits` lists seats in the order in which they were lost.

    `luck` is in thousandths of a point; empty if the game has no value function. It reveals something of the cards, so
    nobody may see it before the record is open.
    """

    points: tuple[int, ...]
    places: tuple[int, ...]
    strikes: tuple[int, ...]
    forfeits: tuple[int, ...]
    luck: tuple[int, ...] = ()


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

    `record_open` says that its cards may be seen; it is false where that was not queried.
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
    rating_seq: int | None
    stage: int
    table: int
    replay: int
    record_open: bool = False

    @property
    def bot_ids(self) -> tuple[int, ...]:
        """Bots by seat; a filler may sit twice."""
        return tuple(seat.bot_id for seat in self.seats)


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


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in a tournament, by its number in the schedule, from 0; `nonce` is its nonce."""

    number: int
    bot_id: int
    name: str
    filler: bool = False
    nonce: bytes = b""
    came: int = 0  #: how many rounds had been drawn when it came
    gone: int | None = None  #: and when it left; None if it did not


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The outcome of a withdrawal: matches that the bot still plays, and those that a house bot plays for it."""

    playing: int
    filled: int


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A tournament to be planned: with its whole schedule, or with stages and no matches yet."""

    name: str
    ruleset: str
    options: Mapping[str, str]
    time_control: TimeControl
    rounds: int
    secret: bytes = field(repr=False)
    commitment: bytes
    entrants: tuple[Entrant, ...]
    matches: tuple[NewMatch, ...]
    beacon_source: str = ""  #: of a public value that is given at the start; empty for none
    beacon_round: str = ""
    boards: str = "fresh"  #: which matches have equal cards
    balances: str = "[]"  #: how even each stage is, as the organiser writes it down
    stages: str = ""  #: as a request has them, each with its boards
    expected: int = 0  #: matches of all stages
    value_function: bytes = b""  #: SHA-256 of that by which luck is taken out of scores; empty if the game has none


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament; `secret` is empty until it is over, `nonces` and `seed` until it is started.

    What `seed` decides is drawn in its stages.
    """

    id: int
    name: str
    ruleset: str
    options: Mapping[str, str]
    state: TournamentState
    rounds: int
    commitment: bytes
    value_function: bytes
    secret: bytes
    nonces: tuple[bytes, ...]
    beacon: Beacon | None
    time_control: TimeControl
    seed: str
    boards: str
    balances: str
    stages: str
    expected: int
    created: datetime
    started: datetime | None
    ended: datetime | None
    cancel_reason: str = ""  #: empty if none was given, or if it was not cancelled


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


@dataclass(frozen=True, slots=True)
class Ladder:
    """A game for which connected bots are seated until it is closed: at most `tables` matches at once.

    Bots of one owner meet if `siblings` may; with `fill` house bots sit where bots are missing.
    """

    ruleset: str
    options: Mapping[str, str]
    time_control: TimeControl
    tables: int
    siblings: bool = False
    fill: bool = False
    opened: datetime | None = None


@dataclass(frozen=True, slots=True)
class BotVersion:
    """A version that a bot has, or had."""

    version: str
    created: datetime


@dataclass(frozen=True, slots=True)
class NewLogLine:
    """A line of a bot that is to be kept; `match_id` is 0 if it concerns none, `question` if it concerns none there."""

    match_id: int
    text: str
    question: int = 0


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line that a bot sent for its owner; `match_id` is 0 if it concerns none.

    `question` is the number of the newest question that it had been asked in the match; 0 if it had been asked none.
    """

    bot_id: int
    time: datetime
    match_id: int
    text: str
    question: int = 0


@dataclass(frozen=True, slots=True)
class BotIncident:
    """What happened to a bot at a table; `cause` is a number of the contract's `Cause`.

    `text` is empty until `text_open`: it quotes legal actions, and so cards.
    """

    bot_id: int
    match_id: int
    seat: int
    action_index: int
    cause: int
    strikes: int
    taken_over: bool
    text: str
    text_open: bool
