"""The board of a day as the contract's message: who sits where, and what everyone made of it."""

from __future__ import annotations

from datetime import date
from typing import Final

from farfalia.v1 import daily_boards_pb2
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.organising.daily_boards import daily_entrants
from farfalia_server.organising.validation import checked_rules
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Bot, Store
from farfalia_server.store.matches.boards import daily_closes, daily_opens, is_daily_closed, today

#: Most results of persons in an answer, the caller's own not counted.
_MOST: Final = 500


async def daily_board(store: Store, game: str, day: str, caller: Bot | None = None) -> daily_boards_pb2.DailyBoard:
    """Return the board of a game on a day, today's if that is empty, as this bot of a person may see it.

    InvalidArgument for an unknown game, and for what is no day or is one to come.
    """
    rules, day = checked_rules(game, {}), _checked_day(day)
    entrants = daily_entrants(day, rules.name)
    earlier, later = await store.daily_boards.neighbours(day, rules.name)
    board = daily_boards_pb2.DailyBoard(
        ruleset=rules.name,
        day=day,
        seat=entrants.index(""),
        entrants=entrants,
        closes=timestamp(daily_closes(day)),
        opens=timestamp(daily_opens(day)),
        shown=not is_daily_closed(day),
        earlier=earlier,
        later=later,
    )
    if caller is not None and caller.person:
        board.match, ended = await store.daily_boards.of_person(day, rules.name, caller.id)
        board.shown |= ended
    if board.shown:
        own = 0 if caller is None else caller.id
        board.results.extend(await _results(store, rules.name, day, own))
    return board


async def _results(store: Store, game: str, day: str, own: int) -> list[daily_boards_pb2.DailyResult]:
    """Return all results, best first: house bots behind persons with as many points."""
    entries = await store.daily_boards.entries(day, game)
    house = await store.daily_boards.house_results(day, game)
    points = sorted((*(one.points for one in entries), *(points for points, _ in house.values())), reverse=True)
    places: dict[int, int] = {}
    for place, one in enumerate(points, 1):
        places.setdefault(one, place)
    shown = [one for number, one in enumerate(entries) if number < _MOST or one.bot_id == own]
    bots = await store.bots.by_ids(one.bot_id for one in shown)
    results = [
        daily_boards_pb2.DailyResult(
            bot=bots[one.bot_id].name,
            points=one.points,
            place_at_table=one.place,
            place=places[one.points],
            match=one.match_id,
            own=one.bot_id == own,
        )
        for one in shown
    ]
    results += [
        daily_boards_pb2.DailyResult(house=name, points=points, place_at_table=place, place=places[points])
        for name, (points, place) in house.items()
    ]
    return sorted(results, key=lambda one: (one.place, one.house, one.match))


def _checked_day(text: str) -> str:
    """Return a day that has begun, today for none; InvalidArgument."""
    latest = today()
    try:
        day = date.fromisoformat(text or latest).isoformat()
    except ValueError:
        day = ""
    if day != (text or latest) or day > latest:
        raise InvalidArgument(
            "day", said("day is %(day)s; expected one up to today, such as %(today)s", day=quoted(text), today=latest)
        )
    return day
