"""Checks of what a request names, before the database is asked: ladders, bots, limits, and where to start."""

from farfalia_engine import GAMES
from farfalia_server.contract.bounds import BOT_NAME, LONGEST_VERSION
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.said_below import perhaps_meant
from farfalia_server.contract.untrusted import clean, quoted
from farfalia_server.organising.validation import DEFAULT_GAME
from farfalia_server.store import Bot, Store

DEFAULT_LADDER = DEFAULT_GAME
#: Most rows of an answer, and the default.
MOST_ROWS, SOME_ROWS = 1000, 100
#: Names among which one that was meant is looked for.
_NEAR = 200
#: What has a number in the arena, as a sentence names it.
NOUNS = {
    "act": said("act"),
    "action": said("action"),
    "announcement": said("announcement"),
    "deal": said("deal"),
    "draft": said("draft"),
    "entry": said("entry"),
    "id": said("id"),
    "identity": said("identity"),
    "invitation": said("invitation"),
    "match": said("match"),
    "tournament": said("tournament"),
    "void attempt": said("void attempt"),
}


async def ladder_games(store: Store) -> dict[str, str]:
    """Return the games of all ladders by name; each game has one with its own name, even if it was never open."""
    return {**dict(zip(GAMES, GAMES, strict=True)), **await store.ladders.games()}


async def ladder_named(store: Store, name: str) -> str:
    """Return the ladder of that name, the default one for none; NotFound (LADDER_UNKNOWN)."""
    ladder = name or DEFAULT_LADDER
    if ladder in GAMES:
        return ladder
    known = await ladder_games(store)
    if ladder not in known:
        expected = ", ".join(sorted(known))
        close = perhaps_meant(ladder, known)
        raise NotFound(
            said(
                "there is no ladder %(ladder)s%(close)s; expected one of %(expected)s",
                ladder=quoted(ladder),
                close=close,
                expected=expected,
            ),
            "LADDER_UNKNOWN",
        )
    return ladder


def checked_game(name: str) -> str:
    """Return a game to look for, or none; InvalidArgument for an unknown one."""
    if name and name not in GAMES:
        expected = ", ".join(sorted(GAMES))
        raise InvalidArgument(
            "game",
            said(
                "%(field)s is %(value)s; expected one of %(choices)s",
                field="game",
                value=quoted(name),
                choices=expected,
            ),
        )
    return name


async def bot_named(store: Store, name: str) -> Bot:
    """Return the bot of that name; NotFound (BOT_UNKNOWN), with a name that was probably meant.

    A text that cannot be a name is not looked up, since not every database takes any text.
    """
    if not BOT_NAME.fullmatch(name):
        raise NotFound(said("there is no bot %(name)s", name=quoted(name)), "BOT_UNKNOWN")
    try:
        return await store.bots.by_name(name)
    except NotFound:
        near = await store.bots.beginning_like(name, _NEAR)
        same = [one for one in near if one.lower() == name.lower()]
        raise NotFound(
            said("there is no bot %(name)s%(near)s", name=repr(name), near=perhaps_meant(name, same or near)),
            "BOT_UNKNOWN",
        ) from None


def row_limit(limit: int) -> int:
    """Return how many rows an answer may have; InvalidArgument if they are too many."""
    if limit > MOST_ROWS:
        raise InvalidArgument(
            "limit",
            said("%(field)s is %(value)s; expected at most %(most)s", field="limit", value=limit, most=MOST_ROWS),
        )
    return limit or SOME_ROWS


def checked_name(name: str) -> str:
    """Return a name to start after, or none; InvalidArgument for other text, since not every database takes any."""
    if name and not BOT_NAME.fullmatch(name):
        raise InvalidArgument("after", said("after is %(name)r; expected a name, or nothing", name=clean(name, 80)))
    return name


def may_be_in_a_name(text: str) -> bool:
    """Return whether a bot's name can contain this; other text is not looked up, as not every database takes any."""
    return text.isascii() and (text or " ").isprintable()


def checked_version(version: str) -> str:
    """Return a version to look for, or none; InvalidArgument for what no bot can have."""
    if len(version) > LONGEST_VERSION or not (version or " ").isprintable():
        raise InvalidArgument(
            "version", said("version is %(version)s; expected one of the bot's", version=quoted(version))
        )
    return version


def checked_number(number: int, what: str) -> int:
    """Return a number that fits into a column."""
    if number >= 2**63:
        raise NotFound(
            said("there is no %(what)s %(number)s", what=NOUNS[what], number=number),
            f"{what.upper().replace(' ', '_')}_UNKNOWN",
        )
    return number
