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


class PauseCause(StrEnum):
    """Why a tournament is paused."""

    ORGANISER = "organiser"
    NETWORK = "network"  #: many of its bots were gone at once; it goes on by itself


class Act(StrEnum):
    """What the log of a tournament has."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    VOID = "void"
    REPLAY = "replay"
    ENTER = "enter"
    WITHDRAW = "withdraw"
    CANCEL = "cancel"
    FINISH = "finish"


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause that lasts; `who` is empty for the server by itself, `gone` has the bots that the network took."""

    cause: PauseCause
    reason: str
    who: str
    since: datetime
    gone: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class NetworkRule:
    """When a tournament pauses itself: if this share of its connected bots, and two at least, are lost within this many
    seconds. It goes on when less than half of that share has been missing for `settling` seconds.
    """

    percent: int = 50  #: 0 for never
    seconds: int = 30
    settling: int = 10

    def is_share(self, some: int, of: int) -> bool:
        """Return whether some are at least the share of all."""
        return 100 * some >= self.percent * of


@dataclass(frozen=True, slots=True)
class WatchedTournament:
    """A running tournament that may pause itself, or is paused for its network, which took the bots `gone`.

    It is `open` if a match of it is queued or in play.
    """

    id: int
    stages: str
    rule: NetworkRule
    open: bool
    paused: bool
    gone: frozenset[int]


@dataclass(frozen=True, slots=True)
class TournamentAct:
    """An entry in the log of a tournament; `who` is empty for the server by itself, `subject` for the whole of it."""

    id: int
    act: Act
    who: str
    subject: str
    reason: str
    happened: datetime


@dataclass(frozen=True, slots=True)
class Bot:
    """A registered bot; `house` names the house bot that plays for it, or is empty. `account_id` is its owner.

    `source` is the address from which a stranger registered it or made its account; it is empty where the admin, an
    invited account or somebody on this machine did.
    """

    id: int
    name: str
    version: str
    owner: str
    house: str
    created: datetime
    account_id: int | None = None
    source: str = ""
    has_token: bool = True

    @property
    def siblings(self) -> str | None:
        """What bots have in common that do not meet on a ladder: all strangers at one address are one owner."""
        return self.source or self.owner or None


@dataclass(frozen=True, slots=True)
class Seat:
    """The player in a seat: a bot under the name of its entrant; fillers are never rated.

    `version` is that of the bot when the match began, and empty before. `walkouts` counts the attempts of the match
    that are void because it left while others stayed.
    """

    bot_id: int
    name: str
    filler: bool = False
    version: str = ""
    walkouts: int = 0

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
    rating_seq: int | None
    stage: int
    table: int
    replay: int
    record_open: bool = False
    replaced_by: int | None = None

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
    network: NetworkRule = NetworkRule()


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
    pause: Pause | None = None  #: None unless it is paused
    network: NetworkRule = NetworkRule()


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
