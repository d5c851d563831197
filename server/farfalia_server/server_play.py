"""What plays in a server: bots come to its lobby, waiting matches to its runner; alone, or as one of several nodes."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from farfalia import grpc_wakeups
from farfalia.v1 import play_pb2
from farfalia_server.arena.messages import rating_message
from farfalia_server.arena.rating_messages import present_ratings
from farfalia_server.net.measures import Measures
from farfalia_server.nodes.shared_play import SharedPlay
from farfalia_server.play.bot_logs import BotLogWriter
from farfalia_server.play.connection_caps import no_caps
from farfalia_server.play.house_search import HouseSearch
from farfalia_server.play.journal import Journal
from farfalia_server.play.limits import most_matches
from farfalia_server.play.lobby import Lobby
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.match_runner import MatchRunner
from farfalia_server.play.nonces import NonceCollector
from farfalia_server.play.outflow import Outflow
from farfalia_server.play.play_service import PlayService
from farfalia_server.queue import Matches, matches_of_one
from farfalia_server.records.house_bot import FALLBACK
from farfalia_server.server_places import Places
from farfalia_server.settings import Settings
from farfalia_server.store import Change, ConnectionCap, MatchState, Store, Topic


@dataclass(frozen=True, slots=True)
class PrivatePlay:
    """Play on one's own machine: bots that are gone do not come back, and records say what they report of their
    failures, since their author is the only reader.

    With `secret`, 32 bytes, the deals of its tournaments come again whenever it is given: all have this secret, and
    nobody may add to it. Who knows it knows all cards. `lobby` makes the lobby. Programs that have no network reach the
    server at `unix_socket`.
    """

    secret: bytes = b""
    lobby: Callable[..., Lobby] = Lobby
    unix_socket: Path | None = None


@dataclass(frozen=True, slots=True)
class ServerPlay:
    """The parts of a server that play."""

    lobby: Lobby
    nonces: NonceCollector
    runner: MatchRunner
    service: PlayService
    #: The processes in which house bots search.
    search: HouseSearch
    #: What hands waiting matches to the runner, once its parts are entered.
    matches: Matches
    #: What is shared with other nodes, if there are any.
    shared: SharedPlay | None

    def hear(self, change: Change) -> None:
        """Look a bot's token up again, since it may have been renewed; stop the matches of a cancelled tournament, and
        those that an organiser has made void.
        """
        if change.topic is Topic.BOT:
            self.service.forget_token(change.id)
        if change.topic is Topic.TOURNAMENT and change.state is MatchState.CANCELLED:
            self.runner.cancel_tournament(change.id)
        if change.topic is Topic.MATCH and change.state is MatchState.CANCELLED:
            self.runner.cancel_match(change.id)


async def open_play(
    settings: Settings,
    private: PrivatePlay | None,
    places: Places,
    measures: Measures,
    stack: AsyncExitStack,
    *,
    changed: Callable[[], None],
    pages: Callable[[], str],
) -> ServerPlay:
    """Return what plays, all but `matches` running; `stack` ends it.

    `changed` is called when other matches may be able to begin; `pages` returns what bots are told of their address.
    """
    store, cluster, enter = places.store, places.cluster, stack.enter_async_context
    owner = None if cluster is None else cluster.registry
    journal = await enter(Journal(places.redis, places.database, measures=measures, owner=owner))
    await journal.sweep(store.matches.attempts)
    clock = await enter(LoopClock(measures))
    grpc_wakeups.read_all(asyncio.get_running_loop(), clock.woken)
    outflow = Outflow()
    lobby_settings = {
        **_lobby_settings(settings, store, private),
        "schedule_flush": lambda flush: journal.after_flush(partial(outflow.submit, flush)),
        "changed": changed,
        "measures": measures,
        "clock": clock,
    }
    if cluster is None:
        # No other start claims matches under this name.
        new_lobby = Lobby if private is None else private.lobby
        shared, lobby, node = None, new_lobby(**lobby_settings), f"{settings.effective_node}@{secrets.token_hex(8)}"
    else:
        shared = SharedPlay(
            places.redis,
            places.redis_url,
            places.database,
            cluster.registry,
            cluster.leadership,
            store,
            lobby_settings,
            absence=settings.absence_ms / 1000,
        )
        lobby, node = shared.lobby, shared.claims_as
    nonces = await enter(NonceCollector(store, lobby, open=private is None or not private.secret))
    search = await enter(HouseSearch(settings.house_processes))
    runner = MatchRunner(
        store, journal, lobby, nonces, node=node, fallback=FALLBACK, measures=measures, house_search=search
    )
    service = PlayService(
        lobby,
        server_name=settings.name,
        bot_by_token=store.bots.by_token,
        token_hashes=store.bots.token_hashes,
        is_persons_token=partial(_is_persons_token, store),
        ratings=partial(_ratings, store),
        log_line=(await enter(BotLogWriter(store))).write,
        nonces=nonces,
        ping_interval=settings.ping_interval_ms / 1000,
        reconnect_grace=settings.reconnect_grace_ms / 1000,
        clock=clock,
        pages=pages,
        gateways=None if shared is None else shared.gateways,
        caps_of=no_caps if private is not None else partial(_connection_caps, store),
    )
    await enter(service.tokens)
    if shared is not None:
        matches = shared.matches(runner, nonces, settings.max_tables)
    else:
        matches = matches_of_one(
            store,
            lobby,
            runner,
            redis_url=places.redis_url,
            database=places.database,
            most=settings.max_tables,
            absence=settings.absence_ms / 1000,
        )
    play = ServerPlay(lobby, nonces, runner, service, search, matches, shared)
    stack.callback(store.changes.on((Topic.TOURNAMENT,), nonces.on_tournament))
    stack.callback(store.changes.on((Topic.BOT, Topic.MATCH, Topic.TOURNAMENT), play.hear))
    if shared is None:
        lobby.expect(await store.matches.bots_of_running())
    else:
        await enter(shared)
    return play


def _lobby_settings(settings: Settings, store: Store, private: PrivatePlay | None) -> dict[str, Any]:
    """Return what a lobby is told of the settings, of outages, and of what is private."""
    return {
        "linger": settings.linger_ms / 1000,
        "reconnect_grace": settings.reconnect_grace_ms / 1000,
        "most_matches": most_matches(settings.max_tables),
        "outage_end": lambda: store.outage_end,
        "tells_failures": private is not None,
        "absence_is_loss": private is not None,
    }


async def _ratings(store: Store, bot_id: int) -> list[play_pb2.Rating]:
    bot = (await store.bots.by_ids([bot_id]))[bot_id]
    return [rating_message(rating) for rating in present_ratings(bot, await store.bots.ratings(bot_id))]


async def _connection_caps(store: Store, bot_id: int) -> list[ConnectionCap]:
    account = (await store.bots.by_ids([bot_id]))[bot_id].account_id
    return [] if account is None else await store.members.connection_caps(account)


async def _is_persons_token(store: Store, token: str) -> bool:
    return await store.meta.is_admin_token(token) or await store.accounts.by_token(token) is not None
