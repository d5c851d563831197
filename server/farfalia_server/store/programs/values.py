"""Programs as the store takes and returns them: frozen values, never rows."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

#: How the versions of a bot begin that programs play as; a number follows.
VERSION_PREFIX = "p"


class ProgramState(StrEnum):
    """What has become of a program."""

    CHECKING = "checking"
    READY = "ready"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ProgramStep:
    """A step of a check: what it is called, whether it succeeded, what came of it, and milliseconds."""

    name: str
    passed: bool
    text: str
    took_ms: int


@dataclass(frozen=True, slots=True)
class Program:
    """A program that was handed in for the bot of this number and name; `size` is the archive's, in bytes.

    `activates` if the bot is to play with it once it is ready, `active` if it does; `kept` while its archive is there.
    `host` checks it, empty if none does.
    """

    id: int
    bot_id: int
    bot: str
    number: int
    hash: bytes
    size: int
    submitted: datetime
    state: ProgramState
    activates: bool
    active: bool
    kept: bool
    steps: tuple[ProgramStep, ...]
    output: tuple[str, ...]
    host: str

    @property
    def version(self) -> str:
        """The version of the bot that it plays as."""
        return version_of(self.number)


def version_of(number: int) -> str:
    """Return the version of a bot that its program of this number plays as."""
    return f"{VERSION_PREFIX}{number}"


@dataclass(frozen=True, slots=True)
class HostedBot:
    """A bot for which a host plays under this lease; `token` opens its stream, and is empty if the host has it."""

    bot: str
    lease: int
    token: str
    number: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Check:
    """A program that a host is to check under this lease."""

    bot: str
    number: int
    hash: bytes
    lease: int


@dataclass(frozen=True, slots=True)
class Work:
    """What a host is to do: the bots to play for, and a program to check, if there is one."""

    bots: tuple[HostedBot, ...]
    check: Check | None


@dataclass(frozen=True, slots=True)
class Reported:
    """What a host says of itself; `seats` has the seats of each bot that it plays for, by name and lease."""

    name: str
    instance: bytes
    report: bytes
    slots: int
    draining: bool
    seats: dict[tuple[str, int], int]
    #: Leases of the checks that it makes.
    checks: frozenset[tuple[str, int, int]]
    takes_check: bool


@dataclass(frozen=True, slots=True)
class Host:
    """A host: what it reported last, encoded, and when."""

    name: str
    report: bytes
    seen: datetime
    lost: bool
