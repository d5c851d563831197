"""Tournaments as the store takes and returns them: frozen values, never rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from farfalia_engine import TimeControl
from farfalia_server.contract.said import Said, said
from farfalia_server.store.events.values import ARENA
from farfalia_server.store.matches.values import Beacon, NewMatch, Seat


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


#: The states as a refusal names them.
TOURNAMENT_STATES: Final[Mapping[TournamentState, Said]] = {
    TournamentState.PLANNED: said("planned"),
    TournamentState.RUNNING: said("running"),
    TournamentState.FINISHED: said("finished"),
    TournamentState.CANCELLED: said("cancelled"),
}


class PauseCause(StrEnum):
    """Why a tournament is paused."""

    ORGANISER = "organiser"
    NETWORK = "network"  #: many of its bots were gone together; it goes on by itself


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
class FormerEntrant:
    """A bot that held an entry before another one took it over; `nonce` is what it gave, empty for none."""

    bot_id: int
    nonce: bytes = b""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in a tournament, by its number in the schedule, from 0; `nonce` is its nonce.

    The number is that of the entry: it stays when another bot takes over, and `former` has those that held it before.
    """

    number: int
    bot_id: int
    name: str
    filler: bool = False
    nonce: bytes = b""
    came: int = 0  #: how many rounds had been drawn when it came
    gone: int | None = None  #: and when it left; None if it did not
    former: tuple[FormerEntrant, ...] = ()
    person: bool = False  #: a person plays as it

    @property
    def seat(self) -> Seat:
        """Where it sits at a table."""
        return Seat(self.bot_id, self.name, self.filler, person=self.person)

    @property
    def held_by(self) -> frozenset[int]:
        """All bots that have played for the entry, or still do."""
        return frozenset((self.bot_id, *(one.bot_id for one in self.former)))


@dataclass(frozen=True, slots=True)
class LadderKnowledge:
    """What a ladder knew of a version of a bot before a tournament: mean and standard deviation, in points per match
    above what the ladder expects of a newcomer, after so many matches there.
    """

    bot_id: int
    version: str
    ladder: str
    mean: float
    sigma: float
    matches: int


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The outcome of a withdrawal: matches that the bot still plays, and those that a house bot plays for it."""

    playing: int
    filled: int


@dataclass(frozen=True, slots=True)
class Takeover:
    """The outcome of an entry: matches that the former entrant still plays, and those not begun that are the bot's."""

    playing: int = 0
    taken: int = 0


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
    ladder: str = ""  #: on which its matches count; empty for none
    event: str = ARENA
    starts: datetime | None = None  #: when it starts by itself; None for by hand
    starts_with_event: bool = False
    lasting_processes: bool = False
    persons: bool = False
    alone: bool = False  #: probabilities come from its own matches alone, whatever ladders know
    draft: tuple[int, int] | None = None  #: number and revision of the draft that it was


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
    ladder: str = ""
    event: str = ARENA
    starts: datetime | None = None  #: when it starts by itself; None for by hand
    starts_with_event: bool = False  #: it starts by itself when its event does
    persons: bool = False  #: they may enter, and are rated as bots are
    lasting_processes: bool = False  #: a program that was handed in keeps its process from one match to the next
    alone: bool = False  #: probabilities come from its own matches alone, whatever ladders know
