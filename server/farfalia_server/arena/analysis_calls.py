"""The calls about what decisions have cost."""

from __future__ import annotations

from farfalia.v1 import analysis_pb2
from farfalia_server.arena.analysing import Analysing
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.draft_calls import DraftCalls
from farfalia_server.play.play_service import bearer_token


class AnalysisCalls(DraftCalls):
    """A part of the arena's service: the analyses of matches."""

    _analysing: Analysing

    @errors_as_status
    async def GetAnalysis(  # noqa: N802 - the contract's name
        self, request: analysis_pb2.GetAnalysisRequest, context: Context
    ) -> analysis_pb2.GetAnalysisResponse:
        """Return the analysis of a match as far as it is."""
        return analysis_pb2.GetAnalysisResponse(analysis=await self._reader.prices.of_match(request.match))

    @errors_as_status
    async def RequestAnalysis(  # noqa: N802
        self, request: analysis_pb2.RequestAnalysisRequest, context: Context
    ) -> analysis_pb2.RequestAnalysisResponse:
        """Have a match analysed soon."""
        state = await self._analysing.request(request.match, bearer_token(context))
        return analysis_pb2.RequestAnalysisResponse(state=state)
