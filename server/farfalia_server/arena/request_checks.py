"""Checks of what a request names, before the database is asked: ladders, bots, limits, and where to start."""

from farfalia_engine import GAMES
from farfalia_engine.hints import did_you_mean
from farfalia_server.bounds import BOT_NAME
from farfalia_server.errors import InvalidArgument, NotFound
from farfalia_server.organising.validation import DEFAULT_GAME
from farfalia_server.store import Bot, Store
from farfalia_server.untrusted import clean, quoted

DEFAULT_LADDER = DEFAULT_GAME
#: Most rows of an answer, and the default.
MOST_ROWS, SOME_ROWS = 1000, 100


def ladder_named(name: str) -> str:
    """Return the ladder of that name, the default one for none; NotFound (LADDER_UNKNOWN)."""
    ladder = name or DEFAULT_LADDER
    if ladder not in GAMES:
        expected = ", ".join(sorted(GAMES))
        close = did_you_mean(ladder, GAMES)
        raise NotFound(f"there is no ladder {quoted(ladder)}{close}; expected one of {expected}", "LADDER_UNKNOWN")
    return ladder


async def bot_named(store: Store, name: str) -> Bot:
    """Return the bot of that name; NotFound (BOT_UNKNOWN).

    A text that cannot be a name is not looked up, since not every database takes any text.
    """
    if not BOT_NAME.fullmatch(name):
        raise NotFound(f"there is no bot {quoted(name)}", "BOT_UNKNOWN")
    return await store.bots.by_name(name)


def row_limit(limit: int) -> int:
    """Return how many rows an answer may have; InvalidArgument if they are too many."""
    if limit > MOST_ROWS:
        raise InvalidArgument("limit", f"limit is {limit}; expected at most {MOST_ROWS}")
    return limit or SOME_ROWS


def checked_name(name: str) -> str:
    """Return a name to start after, or none; InvalidArgument for other text, since not every database takes any."""
    if name and not BOT_NAME.fullmatch(name):
        raise InvalidArgument("after", f"after is {clean(name, 80)!r}; expected a name, or nothing")
    return name


def checked_number(number: int, what: str) -> int:
    """Return a number that fits into a column."""
    if number >= 2**63:
        raise NotFound(f"there is no {what} {number}", f"{what.upper().replace(' ', '_')}_UNKNOWN")
    return number
