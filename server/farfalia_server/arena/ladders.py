"""Opening and closing ladders."""

from __future__ import annotations

from collections.abc import Callable

from farfalia.v1 import ladders_pb2
from farfalia_engine import GAMES, TimeControl
from farfalia_server.arena.messages import ladder_message
from farfalia_server.arena.request_checks import ladder_named
from farfalia_server.contract.bounds import LADDER_NAME
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import clean, quoted
from farfalia_server.organising.event_rules import EventRules, own_ladder
from farfalia_server.organising.validation import checked_rules, checked_time_control
from farfalia_server.records.house_names import why_no_house_bot
from farfalia_server.store import ARENA, Ladder, Store

#: Matches at a time where no number is given, and at most.
TABLES, MOST_TABLES = 4, 1000


class LadderOpening:
    """The ladders that are open; `changed` is called after one was opened."""

    def __init__(self, store: Store, *, time_control: TimeControl, changed: Callable[[], None]) -> None:
        self._store = store
        #: That of ladders that name none.
        self.time_control = time_control
        self._changed = changed
        self._events = EventRules(store)

    async def open(self, asked: ladders_pb2.Ladder, who: str = "") -> ladders_pb2.Ladder:
        """Open a ladder; InvalidArgument names the field that is wrong, FailedPrecondition if that ladder is open."""
        rules, event = checked_rules(asked.ruleset, asked.options), await self._events.open_event(asked.event)
        if asked.tables > MOST_TABLES:
            raise InvalidArgument(
                "tables",
                said(
                    "%(field)s is %(value)s; expected at most %(most)s",
                    field="tables",
                    value=asked.tables,
                    most=MOST_TABLES,
                ),
            )
        control = checked_time_control(asked.time_control) if asked.HasField("time_control") else self.time_control
        ladder = await self._store.ladders.open(
            Ladder(
                _name(asked.name, rules.name, event.name),
                rules.name,
                rules.options,
                control,
                asked.tables or TABLES,
                asked.siblings,
                asked.fill,
                event.name,
                _rungs(asked),
                asked.as_played,
            ),
            who,
        )
        self._changed()
        return ladder_message(ladder, 0)

    async def close(self, name: str, who: str = "") -> None:
        """Close a ladder; NotFound if there is none of that name, FailedPrecondition if it is not open."""
        await self._store.ladders.close(await ladder_named(self._store, name), who)


def _rungs(asked: ladders_pb2.Ladder) -> tuple[str, ...]:
    """Return the house bots that are to fill seats; InvalidArgument if there is none of that name, or none is to."""
    for number, house in enumerate(asked.rungs):
        if why_not := why_no_house_bot(clean(house, 40)):
            raise InvalidArgument(f"rungs[{number}]", why_not)
    if asked.rungs and not asked.fill:
        raise InvalidArgument("rungs", said("rungs names house bots, but fill is not set; expected both or no rungs"))
    return tuple(asked.rungs)


def _name(name: str, game: str, event: str) -> str:
    """Return the name of a ladder to open, the usual one of its game for none; InvalidArgument for one that none can
    have: the names of games are those of ladders of the public arena.
    """
    if name and not LADDER_NAME.fullmatch(name):
        raise InvalidArgument(
            "name", said("name is %(name)s; expected up to 40 small letters, digits and hyphens", name=quoted(name))
        )
    if name and event != ARENA and not name.startswith(f"{event}-"):
        raise InvalidArgument(
            "name",
            said("name is %(name)s; expected one that begins with %(event)s-, or none", name=quoted(name), event=event),
        )
    if name in GAMES and (name != game or event != ARENA):
        usual = game if event == ARENA else own_ladder(event, game)
        raise InvalidArgument(
            "name",
            said(
                "name is %(name)s, which is that of a game; expected %(usual)s, or none", name=quoted(name), usual=usual
            ),
        )
    return name or (game if event == ARENA else own_ladder(event, game))
