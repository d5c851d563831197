"""The first thing that goes wrong with each bot, told while the tournament goes on."""

from collections.abc import Callable

from farfalia.arena import Arena
from farfalia.v1 import bots_pb2, record_pb2, tournaments_pb2


class Trouble:
    """Reports of each bot's first strike or lost seat as soon as its match is over, and why as soon as that is open.

    `since` is the newest match that was there before: incidents of it and of older ones are told no more.
    """

    def __init__(self, arena: Arena, since: int, tell: Callable[[str], None]) -> None:
        self._arena = arena
        self._since = since
        self._tell = tell
        self._told: set[str] = set()
        self._explained: set[str] = set()

    async def look(self, tournament: tournaments_pb2.Tournament) -> None:
        """Tell what is new in this state of the tournament."""
        for row in tournament.standings:
            if (row.strikes or row.forfeits) and row.entrant not in self._explained:
                await self._ask(row.entrant)

    async def _ask(self, name: str) -> None:
        answer = await self._arena.ask("GetBot", bots_pb2.GetBotRequest(name=name))
        found = [one for one in answer.incidents if one.match > self._since]
        if not found:
            return
        # Of what is listed, which is the newest, the oldest: matches of several tables end in any order.
        first = min(found, key=lambda one: (not one.text_open, one.match, one.incident.action_index))
        if not first.text_open and name in self._told:
            return
        self._tell(_sentence(name, first, again=name in self._told))
        self._told.add(name)
        if first.text_open:
            self._explained.add(name)


def _sentence(name: str, one: bots_pb2.BotIncident, *, again: bool) -> str:
    cause = record_pb2.Cause.Name(one.incident.cause).removeprefix("CAUSE_").lower()
    where = f"{name} in match {one.match}, action {one.incident.action_index}"
    if not one.text_open:
        return f"{where}: {cause}; the reason follows when its board is over. Play goes on; Ctrl-C ends it."
    return f"{where}: {one.incident.text} ({cause}).{'' if again else ' Play goes on; Ctrl-C ends it.'}"
