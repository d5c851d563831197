"""Bots, and what is kept of them, as the store takes and returns them: frozen values, never rows."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

#: How placeholders begin, for the names of what was removed; no other name does.
REMOVED_PREFIX = "removed-"
#: How the names of persons begin who play as guests; no other bot's does.
GUEST_PREFIX = "guest-"


class TokenScope(StrEnum):
    """What a token is good for."""

    ALL = "all"
    BOTS = "bots"
    BOT = "bot"
    EVENT = "event"
    HOST = "host"  #: to run programs that were handed in
    PASSWORD = "password"  #: to choose a password, once  # noqa: S105


class Challengers(StrEnum):
    """Who may ask a bot for a match."""

    ANYONE = "anyone"
    OWNER = "owner"


def removed_name(number: int) -> str:
    """Return what a bot, or an account, of this number is called once it was removed."""
    return f"{REMOVED_PREFIX}{number}"


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
    hidden: bool = False
    #: It is suspended, or, where its token was looked up, its account.
    barred: bool = False
    #: A program plays for it that was handed in; known where its token was looked up.
    hosted: bool = False
    #: The token was that of the host that plays for it.
    by_host: bool = False
    removed: bool = False
    challengers: Challengers = Challengers.ANYONE
    #: A person plays as it.
    person: bool = False

    @property
    def siblings(self) -> str | None:
        """What bots have in common that do not meet on a ladder: all strangers at one address are one owner."""
        return self.source or self.owner or None

    @property
    def family(self) -> str:
        """What bots have in common that are nearly alike: the kind of house bot, or the owner; empty without either."""
        return f"house {self.house}" if self.house else self.owner and f"owner {self.owner}"


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
    version: str = ""  #: at which it played; empty of a seat that it missed
