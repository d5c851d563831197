"""Finds bots, tournaments, events, people, matches, ladders and games by what somebody remembers of their names."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from farfalia.v1 import search_pb2
from farfalia_engine import GAMES
from farfalia_server.arena.request_checks import ladder_games
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.contract.near_names import Wanted
from farfalia_server.contract.said import said
from farfalia_server.store import Store

#: Hits of each kind, and most characters that are searched for.
MOST_HITS, LONGEST_SEARCH = 8, 80
#: Tournaments and events in which a name is looked for: the newest. Candidates of which it is looked up what they are.
_NEWEST, _CANDIDATES = 1000, 200
_EXACT, _TYPO = search_pb2.SEARCH_MATCH_EXACT, search_pb2.SEARCH_MATCH_TYPO
#: A hit, and all names of the thing.
Named = tuple[search_pb2.SearchHit, Sequence[str]]


class Search:
    """Answers what is called like this; it changes nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def found(self, text: str, others: Iterable[Named] = ()) -> search_pb2.SearchResults:
        """Return what is called like this, of `others` too; InvalidArgument if the text is too long.

        An empty text finds nothing.
        """
        if len(text) > LONGEST_SEARCH:
            raise InvalidArgument(
                "q",
                said(
                    "%(field)s has %(length)s characters; expected at most %(most)s",
                    field="q",
                    length=len(text),
                    most=LONGEST_SEARCH,
                ),
            )
        wanted = Wanted(text)
        if not wanted.folded:
            return search_pb2.SearchResults()
        kinds = [
            await self._match(text),
            await self._bots(wanted),
            _nearest(wanted, await self._tournaments()),
            _nearest(wanted, await self._events()),
            await self._people(wanted),
            _nearest(wanted, await self._ladders()),
            _nearest(wanted, _games()),
            _nearest(wanted, others),
        ]
        hits = [hit for kind in sorted(kinds, key=_of_best) for hit in kind]
        return search_pb2.SearchResults(hits=hits)

    async def _match(self, text: str) -> list[search_pb2.SearchHit]:
        number = text.strip().removeprefix("#")
        if not (number.isascii() and number.isdigit() and int(number) < 2**63):
            return []
        try:
            match = await self._store.matches.get(int(number))
        except NotFound:
            return []
        return [
            search_pb2.SearchHit(
                kind=search_pb2.SEARCH_KIND_MATCH,
                name=str(match.id),
                address=f"/matches/{match.id}",
                detail=match.ruleset,
                match=_EXACT,
            )
        ]

    async def _bots(self, wanted: Wanted) -> list[search_pb2.SearchHit]:
        near = await asyncio.to_thread(_candidates, wanted, await self._store.names.of_bots())
        owners = await self._store.names.owners(near)
        named = [
            _hit(search_pb2.SEARCH_KIND_BOT, name, f"/bots/{name}", owners[name]) for name in near if name in owners
        ]
        return _nearest(wanted, named)

    async def _people(self, wanted: Wanted) -> list[search_pb2.SearchHit]:
        near = await asyncio.to_thread(_candidates, wanted, await self._store.names.of_accounts())
        people = await self._store.names.people(near)
        named = [
            _hit(
                search_pb2.SEARCH_KIND_PERSON,
                name,
                f"/bots?owner={quote(name)}" if people[name].has_bots else f"/events/{people[name].event}#members",
            )
            for name in near
            if name in people
        ]
        return _nearest(wanted, named)

    async def _tournaments(self) -> list[Named]:
        return [
            _hit(search_pb2.SEARCH_KIND_TOURNAMENT, name, f"/tournaments/{number}", ruleset)
            for number, name, ruleset in await self._store.names.of_tournaments(_NEWEST)
        ]

    async def _events(self) -> list[Named]:
        return [
            _hit(search_pb2.SEARCH_KIND_EVENT, event.title, f"/events/{event.name}", event.name, event.name)
            for event in (await self._store.events.all())[:_NEWEST]
        ]

    async def _ladders(self) -> list[Named]:
        games = await ladder_games(self._store)
        of_other_name = {name: "" if name == game else game for name, game in games.items()}
        return [
            _hit(search_pb2.SEARCH_KIND_LADDER, name, f"/ladders/{name}", of_other_name[name]) for name in sorted(games)
        ]


def _games() -> list[Named]:
    return [_hit(search_pb2.SEARCH_KIND_GAME, name, f"/rules/{name}") for name in sorted(GAMES)]


def _hit(kind: search_pb2.SearchKind, name: str, address: str, detail: str = "", *names: str) -> Named:
    return search_pb2.SearchHit(kind=kind, name=name, address=address, detail=detail), (name, *names)


def _candidates(wanted: Wanted, names: Sequence[str]) -> list[str]:
    """Return those of many names that are nearest."""
    for slips in (False, True):
        near = [(wanted.nearness(name, slips=slips), len(name), name) for name in names]
        found = sorted(one for one in near if one[0])[:_CANDIDATES]
        if found:
            return [name for _, _, name in found]
    return []


def _nearest(wanted: Wanted, named: Iterable[Named]) -> list[search_pb2.SearchHit]:
    """Return the nearest of one kind, in their order where they are equally near; slips only if none is nearer."""
    found = []
    for hit, names in named:
        hit.match = wanted.nearness(*names)
        if hit.match:
            found.append(hit)
    found.sort(key=lambda hit: hit.match)
    clear = [hit for hit in found if hit.match != _TYPO]
    return (clear or found)[:MOST_HITS]


def _of_best(hits: Sequence[search_pb2.SearchHit]) -> int:
    return hits[0].match if hits else _TYPO
