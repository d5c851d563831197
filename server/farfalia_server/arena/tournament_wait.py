"""Why nothing moves in a tournament, and whom it waits for."""

from __future__ import annotations

from collections.abc import Iterable

from farfalia.v1 import tournaments_pb2
from farfalia_server.arena.presence import Presence
from farfalia_server.store import Bot, Pause, PauseCause, Store, Tournament, TournamentState


async def why_waiting(
    store: Store, presence: Presence, row: Tournament, unfinished: Iterable[int]
) -> tuple[tournaments_pb2.TournamentWaitReason, str]:
    """Return why nothing moves, as a code and as a sentence; unspecified and empty if all is well.

    `unfinished` are the bots of matches that are not over.
    """
    if row.state is TournamentState.PLANNED:
        text = f"It has not been started.{await _given(store, row)}"
        return tournaments_pb2.TOURNAMENT_WAIT_REASON_NOT_STARTED, text
    if row.pause is not None:
        text = _paused(row.id, row.pause, await _missing(store, presence, row.id, row.pause))
        return tournaments_pb2.TOURNAMENT_WAIT_REASON_PAUSED, text
    if row.state is TournamentState.RUNNING:
        bots = (await store.bots.by_ids(unfinished)).values()
        if lacking := await unplayable(presence, (bot.house for bot in bots)):
            return tournaments_pb2.TOURNAMENT_WAIT_REASON_HOUSE_BOT_UNPLAYABLE, no_node_plays(lacking)
        if awaited := await absent(presence, bots):
            return tournaments_pb2.TOURNAMENT_WAIT_REASON_BOTS_ABSENT, f"Waiting for {_listed(awaited)} to connect."
    return tournaments_pb2.TOURNAMENT_WAIT_REASON_UNSPECIFIED, ""


async def absent(presence: Presence, bots: Iterable[Bot]) -> list[str]:
    """Return the names of bots that are not connected, in order, without house bots."""
    connected = await presence.connected()
    return sorted(bot.name for bot in bots if not bot.house and bot.name not in connected)


async def unplayable(presence: Presence, house: Iterable[str | None]) -> list[str]:
    """Return those of these house bots, in order, that no node can play; what is empty is none."""
    wanted = set(filter(None, house))
    nodes = await presence.nodes() if wanted else ()
    known = [node.house_bots for node in nodes if node.house_bots]
    return sorted(wanted.difference(*known)) if known and len(known) == len(nodes) else []


def no_node_plays(house: list[str]) -> str:
    """Return the sentence that matches wait for a node that can play these house bots."""
    return f"Waiting for a server that can play {_listed(house)}: none has what this needs, such as NumPy."


async def _given(store: Store, row: Tournament) -> str:
    """Return a second sentence: how many bots have given a nonce; house bots give none."""
    entrants = await store.tournaments.entrants(row.id)
    awaited, given = await store.nonces.awaited(row.id), sum(bool(entrant.nonce) for entrant in entrants)
    bots = given + len(awaited)
    return f" A nonce has come from {given} of {bots} bots." if bots else ""


async def _missing(store: Store, presence: Presence, number: int, pause: Pause) -> list[str]:
    """Return the names of the bots that a tournament is paused for, in order."""
    if pause.cause is not PauseCause.NETWORK:
        return []
    gone = await store.bots.by_ids(pause.gone & await store.pauses.awaited(number))
    reachable = await presence.reachable()
    return sorted(bot.name for bot in gone.values() if bot.name not in reachable)


def _paused(number: int, pause: Pause, missing: list[str]) -> str:
    """Return why a tournament is paused, and what has to happen for it to go on."""
    if pause.cause is PauseCause.NETWORK and missing:
        return (
            f"Paused: {pause.reason}. Missing: {_listed(missing)}. It goes on by itself when they are back. To end the "
            f"wait, withdraw them, or run: farfalia tournament resume {number}"
        )
    if pause.cause is PauseCause.NETWORK:
        return f"Paused: {pause.reason}. They are back, and it goes on by itself in a few seconds."
    reason = f": {pause.reason}" if pause.reason else ""
    return f"Paused by {pause.who}{reason.removesuffix('.')}. Matches in play are played on."


def _listed(names: list[str]) -> str:
    """Return the first few names, joined for a sentence."""
    few = names if len(names) <= 6 else [*names[:5], f"{len(names) - 5} others"]
    return few[0] if len(few) == 1 else f"{', '.join(few[:-1])} and {few[-1]}"
