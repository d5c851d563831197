"""How the queue hands a match to its runner, and handles errors there."""

from __future__ import annotations

from typing import Protocol

import structlog

from farfalia_server.contract.errors import StoreUnavailable
from farfalia_server.store import MatchState, Store, VoidReason

log = structlog.get_logger(__name__)


class Runner(Protocol):
    """What plays matches."""

    #: The name under which it claims matches: another one after each start, and if this node is taken for dead.
    node: str

    async def play(self, match_id: int, epoch: int, /) -> None:
        """Claim a match and play it to its end, from where its journal ends.

        Returns at once if the match is no longer at this epoch: somebody else was quicker. It is cancelled when the
        server stops; a later pass recovers the match.
        """


async def play_or_void(runner: Runner, store: Store, match_id: int, epoch: int) -> None:
    """Play a match; if it makes the server fail it is void: it is replayed on another board, and given up after some
    attempts.
    """
    try:
        await runner.play(match_id, epoch)
    except StoreUnavailable as error:
        log.warning("match_left", match=match_id, error=str(error))
    except Exception:
        log.exception("match_failed", match=match_id)
        await _void(store, match_id, runner.node)


async def _void(store: Store, match_id: int, node: str) -> None:
    try:
        match = await store.matches.get(match_id)
        if match.state is MatchState.RUNNING and match.node == node:
            text = "the server failed while it was played"
            await store.claims.void(match_id, match.epoch, VoidReason.SERVER_FAILED, text)
    except StoreUnavailable as error:
        log.warning("match_left", match=match_id, error=str(error))
