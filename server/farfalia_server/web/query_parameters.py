"""Reading the path and the query parameters of an address."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp
from starlette.requests import Request

from farfalia.v1 import bots_pb2, matches_pb2, ratings_pb2
from farfalia_server.arena.request_checks import NOUNS
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.contract.said import Said, either, said
from farfalia_server.contract.said_below import perhaps_meant
from farfalia_server.contract.untrusted import quoted

#: Default number of matches on one page.
PAGE = 50
#: Rows of a ladder on one page.
LADDER_PAGE = 50
#: Seconds that a page waits for standings that are not computed yet.
TABLE_SECONDS = 2.0
#: What a ladder can be sorted by.
ORDERS = {
    "place": ratings_pb2.RATING_ORDER_UNSPECIFIED,
    "skill": ratings_pb2.RATING_ORDER_SKILL,
    "matches": ratings_pb2.RATING_ORDER_MATCHES,
    "name": ratings_pb2.RATING_ORDER_NAME,
    "last": ratings_pb2.RATING_ORDER_LAST_MATCH,
}
#: States by which matches can be filtered.
STATES = {
    "all": matches_pb2.MATCH_STATE_UNSPECIFIED,
    "running": matches_pb2.MATCH_STATE_RUNNING,
    "finished": matches_pb2.MATCH_STATE_FINISHED,
    "waiting": matches_pb2.MATCH_STATE_QUEUED,
    "void": matches_pb2.MATCH_STATE_VOID,
}
#: The filters of matches, with their meaning.
MATCHES = (
    ("tournament", "only matches of the tournament with this number"),
    ("bot", "only matches of the bot with this name"),
    ("against", "only those in which this bot has a seat, too"),
    ("game", "only matches of this game"),
    ("version", "only finished matches that the bot played at this version"),
    ("place", "only finished matches in which the bot had this place, 1 to 5"),
    ("strikes", "true: only finished matches with a strike, of the bot if one is named"),
    ("seats", "only matches at tables of this many seats, 2 to 5"),
    ("newest", "only those among as many of the bot's last finished matches, of the game and version if given"),
    ("event", "only matches of tournaments of this event"),
    ("since", "only matches that ended on this day or later, such as 2026-11-20, in UTC"),
    ("state", "only matches in this state: running, finished, waiting or void; all if left out"),
    ("limit", "how many at most, up to 1000; 50 if left out"),
    ("before", "only matches after the one with this number in the order of the list, for paging"),
)
_LARGEST = 2**63 - 1


def number_of(request: Request, what: str) -> int:
    """Return the number in a path; NotFound if it is not a number."""
    return number_at(request, "id", what)


def deal_of(request: Request) -> int:
    """Return the number of a deal in a path; NotFound if it is not a number."""
    return number_at(request, "deal", "deal")


def number_at(request: Request, name: str, what: str) -> int:
    """Return a number in a path; NotFound if it is not a number."""
    text = request.path_params[name]
    if not _is_number(text, _LARGEST):
        raise NotFound(
            said("there is no %(what)s %(text)s; it is addressed by its number", what=NOUNS[what], text=quoted(text))
        )
    return int(text)


def card_of(request: Request) -> tuple[int, int] | None:
    """Return trick and card from a path such as `4.2`; None if there is none, NotFound for anything else."""
    text = request.path_params.get("card")
    if text is None:
        return None
    trick, dot, card = text.partition(".")
    if not (dot and _is_number(trick, _LARGEST) and _is_number(card, _LARGEST)):
        raise NotFound(
            said("there is no card %(text)s; expected its trick and its place in it, such as 4.2", text=quoted(text))
        )
    return int(trick), int(card)


def matches_asked(request: Request, state: str = "all") -> matches_pb2.ListMatchesRequest:
    """Return the matches that the parameters of `MATCHES` describe, in this state if they name none; InvalidArgument if
    one of them is invalid.
    """
    return matches_pb2.ListMatchesRequest(
        tournament=_parameter(request, "tournament", _LARGEST),
        bot=request.query_params.get("bot", ""),
        against=request.query_params.get("against", ""),
        game=request.query_params.get("game", ""),
        version=request.query_params.get("version", ""),
        place=_parameter(request, "place", 5),
        strikes=flag(request, "strikes"),
        newest=_parameter(request, "newest", 1000),
        seats=_parameter(request, "seats", 5),
        limit=_parameter(request, "limit", 1000) or PAGE,
        before=_parameter(request, "before", _LARGEST),
        state=STATES[one_of(request, "state", list(STATES), state)],
        event=request.query_params.get("event", ""),
        since=day_asked(request, "since"),
    )


def bot_asked(request: Request, name: str) -> bots_pb2.GetBotRequest:
    """Return what `game`, `version`, `event` and `since` ask of a bot; InvalidArgument for a day that is none."""
    given = request.query_params
    return bots_pb2.GetBotRequest(
        name=name,
        game=given.get("game", ""),
        version=given.get("version", ""),
        event=given.get("event", ""),
        since=day_asked(request, "since"),
    )


def day_asked(request: Request, name: str) -> Timestamp | None:
    """Return when a day begins in UTC, None if none is given; InvalidArgument for anything but a day."""
    text = request.query_params.get(name, "")
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InvalidArgument(
            name, said("%(name)s is %(text)s; expected a day such as 2026-11-20", name=name, text=quoted(text))
        ) from None
    stamp = Timestamp()
    stamp.FromDatetime(day)
    return stamp


def order_asked(request: Request) -> ratings_pb2.RatingOrder:
    """Return the order of a ladder; InvalidArgument for an unknown one."""
    return ORDERS[one_of(request, "order", list(ORDERS))]


def number_asked(request: Request, name: str, largest: int = _LARGEST) -> int:
    """Return a number parameter, 0 if it is missing; InvalidArgument if it is not a number, or too large."""
    return _parameter(request, name, largest)


def limit_asked(request: Request) -> int:
    """Return the requested number of rows; InvalidArgument for more than 1000."""
    return _parameter(request, "limit", 1000)


def void_attempts_asked(request: Request) -> matches_pb2.ListVoidAttemptsRequest:
    """Return the void attempts that `tournament`, `ladder`, `limit` and `before` describe;
    InvalidArgument for a bad one.
    """
    return matches_pb2.ListVoidAttemptsRequest(
        tournament=_parameter(request, "tournament", _LARGEST),
        ladder=request.query_params.get("ladder", ""),
        limit=_parameter(request, "limit", 1000) or PAGE,
        before=_parameter(request, "before", _LARGEST),
    )


def flag(request: Request, name: str) -> bool:
    """Return whether the address has `name=true`; InvalidArgument for anything but true and false."""
    text = request.query_params.get(name) or "false"
    if text not in ("true", "false"):
        raise InvalidArgument(name, said("%(name)s is %(text)s; expected true or false", name=name, text=quoted(text)))
    return text == "true"


def check_names(request: Request, known: Collection[str]) -> None:
    """Check that there are no other parameters than these; InvalidArgument names the first unknown one."""
    for name in request.query_params:
        if name not in known:
            raise InvalidArgument("query", no_such_parameter(name, known))


def no_such_parameter(name: str, known: Collection[str]) -> Said:
    """Return that an address has no parameter of this name, and which ones it has."""
    if not known:
        return said("there is no parameter %(name)s at this address; expected none here", name=quoted(name))
    return said(
        "there is no parameter %(name)s at this address; expected %(known)s%(near)s",
        name=quoted(name),
        known=either(sorted(known)),
        near=perhaps_meant(name, known),
    )


def one_of(request: Request, name: str, values: Sequence[str], default: str = "") -> str:
    """Return one of these words, or the default or the first one if it is missing; InvalidArgument for any other."""
    text = request.query_params.get(name) or default or values[0]
    if text not in values:
        raise InvalidArgument(
            name,
            said(
                "%(field)s is %(value)s; expected %(expected)s",
                field=name,
                value=quoted(text),
                expected=either(values),
            ),
        )
    return text


def _is_number(text: str, largest: int) -> bool:
    """Return whether it is a whole number up to `largest`; one with thousands of digits is not computed,
    which Python refuses.
    """
    return text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST)) and int(text) <= largest


def _parameter(request: Request, name: str, largest: int) -> int:
    text = request.query_params.get(name) or "0"  # a form sends what was left empty
    if not _is_number(text, largest):
        raise InvalidArgument(
            name,
            said(
                "%(name)s is %(text)s; expected a whole number up to %(most)s",
                name=name,
                text=quoted(text),
                most=largest,
            ),
        )
    return int(text)
