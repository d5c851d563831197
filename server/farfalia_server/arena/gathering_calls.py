"""The calls of persons: friends who gather for a match, and the board of a day."""

from __future__ import annotations

from farfalia.v1 import daily_boards_pb2, gatherings_pb2
from farfalia_server.arena.analysis_calls import AnalysisCalls
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.gathering import GatheringFriends
from farfalia_server.play.play_service import bearer_token


class GatheringCalls(AnalysisCalls):
    """A part of the arena's service: gatherings, which persons open, join, leave and begin, and boards of a day."""

    _gathering: GatheringFriends

    @errors_as_status
    async def GetDailyBoard(  # noqa: N802 - the contract's name
        self, request: daily_boards_pb2.GetDailyBoardRequest, context: Context
    ) -> daily_boards_pb2.GetDailyBoardResponse:
        """Return the board of a day."""
        caller = (await self._access.caller(bearer_token(context))).bot
        board = await self._reader.daily_board(request.ruleset, request.day, caller)
        return daily_boards_pb2.GetDailyBoardResponse(board=board)

    @errors_as_status
    async def OpenGathering(  # noqa: N802
        self, request: gatherings_pb2.OpenGatheringRequest, context: Context
    ) -> gatherings_pb2.OpenGatheringResponse:
        """Open a gathering."""
        opened = await self._gathering.open(request, bearer_token(context))
        return gatherings_pb2.OpenGatheringResponse(gathering=opened)

    @errors_as_status
    async def GetGathering(  # noqa: N802
        self, request: gatherings_pb2.GetGatheringRequest, context: Context
    ) -> gatherings_pb2.GetGatheringResponse:
        """Return a gathering."""
        found = await self._gathering.get(request.key, bearer_token(context))
        return gatherings_pb2.GetGatheringResponse(gathering=found)

    @errors_as_status
    async def JoinGathering(  # noqa: N802
        self, request: gatherings_pb2.JoinGatheringRequest, context: Context
    ) -> gatherings_pb2.JoinGatheringResponse:
        """Take a place."""
        joined = await self._gathering.join(request.key, bearer_token(context))
        return gatherings_pb2.JoinGatheringResponse(gathering=joined)

    @errors_as_status
    async def LeaveGathering(  # noqa: N802
        self, request: gatherings_pb2.LeaveGatheringRequest, context: Context
    ) -> gatherings_pb2.LeaveGatheringResponse:
        """Give a place up."""
        left = await self._gathering.leave(request.key, bearer_token(context))
        return gatherings_pb2.LeaveGatheringResponse(gathering=left)

    @errors_as_status
    async def BeginGathering(  # noqa: N802
        self, request: gatherings_pb2.BeginGatheringRequest, context: Context
    ) -> gatherings_pb2.BeginGatheringResponse:
        """Begin the match."""
        begun = await self._gathering.begin(request.key, bearer_token(context))
        return gatherings_pb2.BeginGatheringResponse(gathering=begun)
