"""Following the whole arena for notices: matches that begin and end, incidents, and bots that are suspended.

Each event has a `title` and a `text` in the language of the reader, and the path of the `page` that has more.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from farfalia.v1 import acts_pb2, bots_pb2, matches_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.web.match_feed import FeedEvent, MatchFeed, event_of
from farfalia_server.wording.notices import begun_words, incident_words, over_words, suspended_words

#: Entries of the log at which a look looks.
_ACTS = 50
_SUSPENDED = {acts_pb2.ACT_KIND_SUSPEND: True, acts_pb2.ACT_KIND_LET_BACK: False}
#: How the log calls a bot.
_BOT = "bot "


class ArenaFeed(MatchFeed):
    """What happens in all matches, and to bots; what there is at the first look is no news."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader)
        #: The newest incidents at the last look, each by its match, its seat and its action.
        self._incidents: set[tuple[int, int, int]] = set()
        #: The newest entry of the log.
        self._act = 0

    async def _tick(self) -> list[FeedEvent]:
        # Everything is read before anything is kept: what fails is looked at again.
        shown, now = await self._look()
        found = await self._reader.bots.newest_incidents()
        new = [one for one in found if _key(one) not in self._incidents] if self._looked else []
        matches = {number: await self._reader.match(number) for number in {one.match for one in new}}
        acts = (await self._reader.log.acts(acts_pb2.ListActsRequest(limit=_ACTS))).acts
        events = self._keep(shown, now)
        for number, own in groupby(sorted(new, key=_key), key=lambda one: one.match):
            events += _incidents(matches[number], own)
        events += [_suspended(act) for act in acts if act.id > self._act and _is_about_a_bot(act)]
        self._incidents, self._act = set(map(_key, found)), max((act.id for act in acts), default=0)
        return events if self._looked else []

    def _values(self, match: matches_pb2.Match) -> dict[str, Any]:
        title, text = over_words(match) if match.outcome.places else begun_words(match)
        told = {"title": title, "text": text, "page": f"/matches/{match.id}"}
        return {**super()._values(match), "game": match.ruleset, "tournament": match.tournament, **told}

    def _about(self, match: matches_pb2.Match) -> list[str]:
        return _about(match, match.entrants)


def _key(one: bots_pb2.BotIncident) -> tuple[int, int, int]:
    return one.match, one.incident.seat, one.incident.action_index


def _about(match: matches_pb2.Match, bots: Iterable[str]) -> list[str]:
    """Return what an event is about: a match, its tournament, and bots."""
    return [f"match:{match.id}", f"tournament:{match.tournament}", *(f"bot:{name}" for name in bots)]


def _incidents(match: matches_pb2.Match, incidents: Iterable[bots_pb2.BotIncident]) -> list[FeedEvent]:
    """Return an event for each bot with incidents in a match, given by seat."""
    events = []
    for bot, own in groupby(incidents, key=lambda one: match.entrants[one.incident.seat]):
        found = [one.incident for one in own]
        title, text = incident_words(bot, match.id, found)
        lost = any(one.taken_over for one in found)
        values = {"match": match.id, "tournament": match.tournament, "bot": bot, "strikes": found[-1].strikes}
        told = {"lost_seat": lost, "title": title, "text": text, "page": f"/matches/{match.id}"}
        events.append(event_of("incident", _about(match, [bot]), **values, **told))
    return events


def _is_about_a_bot(act: acts_pb2.Act) -> bool:
    return act.kind in _SUSPENDED and act.subject.startswith(_BOT)


def _suspended(act: acts_pb2.Act) -> FeedEvent:
    """Return the event that a bot is suspended or let back."""
    bot, suspended = act.subject.removeprefix(_BOT), _SUSPENDED[act.kind]
    title, text = suspended_words(bot, suspended=suspended)
    told = {"title": title, "text": text, "page": f"/bots/{bot}"}
    return event_of("bot", [f"bot:{bot}"], bot=bot, suspended=suspended, **told)
