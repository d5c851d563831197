"""Lets house bots play boards and keeps their points: those that one table alone has played, and those of a day."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Self

from farfalia_engine import board_key
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.organising.daily_boards import DailyMatch, daily_players
from farfalia_server.organising.house_points import points_of_boards
from farfalia_server.play.house_search import HouseSearch
from farfalia_server.store import Change, LoneBoard, MatchState, Store, Topic
from farfalia_server.store.change_service import ChangeService

#: Matches that end close together are handled together.
_GATHER_SECONDS = 0.5
_PAUSE_SECONDS = 2.0
#: Boards that are played in one go; each takes some ten milliseconds.
BATCH = 4
#: Share of the time that this takes while matches are played; the worker process has a low priority besides.
_SHARE = 0.25


class Baseliner(ChangeService):
    """The service that has house bots play lone boards, in a worker process. `async with` starts and stops it.

    It handles every match that ends on any node, and once after the start all that were finished before. While `busy`
    says that matches are being played it pauses after each batch. Each house bot plays the board of a day as soon as
    anybody does, where house bots `search`.
    """

    topics = (Topic.MATCH,)
    cancelled_to_stop = True
    unavailable = (FarfaliaServerError,)

    def __init__(
        self, store: Store, worker: WorkerProcess, busy: Callable[[], bool], search: HouseSearch | None = None
    ) -> None:
        super().__init__(store.changes, "baseliner", every=None, gather=_GATHER_SECONDS, pause=_PAUSE_SECONDS)
        self._store = store
        self._worker = worker
        self._busy = busy
        self._search = search
        self._ended: list[int] = []
        self._again: list[int] = []
        self._after: int | None = 0

    async def __aenter__(self) -> Self:
        self._after = 0
        return await super().__aenter__()

    async def work_off(self) -> None:
        """Work out what is missing now."""
        while boards := await self._next():
            began = asyncio.get_running_loop().time()
            await self._play(boards)
            took = asyncio.get_running_loop().time() - began
            if self._busy():
                await asyncio.sleep(took * (1 / _SHARE - 1))
        if self._search is not None:
            await self._play_daily(self._search)

    def _changed(self, change: Change) -> None:
        if not change.tournament_id:
            if change.state is MatchState.QUEUED:  # perhaps on the board of a day
                self.wake()
            return
        if change.state is MatchState.FINISHED:
            self._ended.append(change.id)
        elif change.state is MatchState.QUEUED:  # voided: another table may have its old board for itself now
            self._again.append(change.tournament_id)
        else:
            return
        self.wake()

    async def _tick(self) -> None:
        await self.work_off()

    async def _next(self) -> list[LoneBoard]:
        """Return the next boards: of matches that have just ended first, then of those from before the start."""
        while self._ended:
            some = self._ended[:BATCH]
            boards = await self._store.baselines.missing_of(some)
            del self._ended[: len(some)]
            if boards:
                return boards
        while self._again:
            boards = await self._store.baselines.missing(tournament_id=self._again[0], limit=BATCH)
            if boards:
                return boards
            del self._again[0]
        if self._after is None:
            return []
        boards = await self._store.baselines.missing(after=self._after, limit=BATCH)
        self._after = boards[-1].match_id if boards else None
        return boards

    async def _play(self, boards: Sequence[LoneBoard]) -> None:
        tasks = [(one.ruleset, dict(one.options), board_key(one.secret, one.nonces, one.board)) for one in boards]
        try:
            points = await self._worker.run(points_of_boards, tasks)
        except FarfaliaServerError:
            self._ended += [one.match_id for one in boards]  # the worker process has died
            raise
        await self._store.baselines.keep(
            {(one.tournament_id, one.board): found for one, found in zip(boards, points, strict=True)}
        )

    async def _play_daily(self, search: HouseSearch) -> None:
        """Play the boards of a day that somebody has begun, with each house bot that has not played them."""
        for board in await self._store.daily_boards.played():
            for house in daily_players():
                if house not in board.known:
                    match = DailyMatch(board.ruleset, board.day, house, board.secret)
                    points, place = await match.played(search.decide, search.decide)
                    await self._store.daily_boards.keep(board.day, board.ruleset, house, points, place)
