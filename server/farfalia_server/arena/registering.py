"""What a bot may be called, and who makes one."""

from __future__ import annotations

from farfalia import bots as house_bots
from farfalia.v1 import bots_pb2
from farfalia_server.bounds import BOT_NAME
from farfalia_server.errors import InvalidArgument, NotFound
from farfalia_server.house_names import HOUSE_PREFIX
from farfalia_server.organising.validation import checked_text
from farfalia_server.store import Store

LONGEST_VERSION, LONGEST_OWNER = 40, 80


async def renews(store: Store, request: bots_pb2.RegisterBotRequest) -> bool:
    """Return whether a version of a bot that is there is asked for; house bots have one only."""
    if not request.version or request.house or not BOT_NAME.fullmatch(request.name):
        return False
    try:
        return not (await store.bots.by_name(request.name)).house
    except NotFound:
        return False


async def renew(store: Store, request: bots_pb2.RegisterBotRequest) -> None:
    """Make a new version of a bot. InvalidArgument, or AlreadyExists."""
    _check(request)
    bot = await store.bots.by_name(request.name)
    if request.owner and request.owner != bot.owner:
        raise InvalidArgument(
            "owner", f"owner is {request.owner!r}; expected none, since a new version keeps its owner"
        )
    await store.bots.renew(request.name, request.version)


async def register(store: Store, request: bots_pb2.RegisterBotRequest) -> str:
    """Make a bot and return its token, which is empty for a house bot. InvalidArgument, or AlreadyExists."""
    _check(request)
    version = request.version or "1"
    if request.house:
        await store.bots.register_house(request.name, request.house, version, request.owner)
        return ""
    _, token = await store.bots.register(request.name, version, request.owner)
    return token


def _check(request: bots_pb2.RegisterBotRequest) -> None:
    if not BOT_NAME.fullmatch(request.name):
        expected = "1 to 40 letters, digits, dots, hyphens or underscores, the first a letter or digit"
        raise InvalidArgument("name", f"name is {request.name!r}; expected {expected}")
    if request.name.startswith(HOUSE_PREFIX):
        raise InvalidArgument(
            "name", f"name is {request.name!r}; names that begin with {HOUSE_PREFIX} are the server's own"
        )
    if request.house and request.house not in house_bots.HOUSE:
        raise InvalidArgument(
            "house", f"there is no house bot {request.house!r}; expected one of {', '.join(house_bots.HOUSE)}"
        )
    checked_text("version", request.version, LONGEST_VERSION)
    checked_text("owner", request.owner, LONGEST_OWNER)
