"""The calls of `farfalia.v1.ArenaService`: who may make each, and which part answers it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING

from farfalia.v1 import arena_pb2_grpc, bots_pb2, ladders_pb2, matches_pb2, nodes_pb2, ratings_pb2, tournaments_pb2
from farfalia_server.arena import News, Presence, Reader
from farfalia_server.arena.access import ORGANISERS, RUNNERS, VIEWERS, Access, Caller
from farfalia_server.arena.analysing import Analysing
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.arena.challenging import Challenging
from farfalia_server.arena.gathering import GatheringFriends
from farfalia_server.arena.gathering_calls import GatheringCalls
from farfalia_server.arena.ladders import LadderOpening
from farfalia_server.arena.rating_messages import rebuilt_message
from farfalia_server.arena.request_checks import checked_number, ladder_named
from farfalia_server.arena.watching import Watching
from farfalia_server.contract.errors import FarfaliaServerError, InvalidArgument
from farfalia_server.contract.registration import RegistrationRules
from farfalia_server.contract.said import in_english, said
from farfalia_server.contract.statuses import abort
from farfalia_server.contract.untrusted import clean
from farfalia_server.net.webhook_urls import WebhookTargets
from farfalia_server.organising.deciding import void_matches
from farfalia_server.organising.entering import Entering
from farfalia_server.organising.event_rules import EventRules
from farfalia_server.organising.planning import Planner
from farfalia_server.organising.starting import Starting
from farfalia_server.organising.validation import checked_moment
from farfalia_server.play.play_service import bearer_token
from farfalia_server.rating.ladder_knowledge import LadderKnowing
from farfalia_server.rating.rebuilding import rebuild
from farfalia_server.rating.whole_history import fit_ladder, report_collusion, report_tournament_collusion
from farfalia_server.store import ARENA, DEFAULT_SYSTEM, MemberRole, PauseCause, Role, Store

if TYPE_CHECKING:  # it imports libraries that a server without a provider does not need
    from farfalia_server.arena.identifying import Identifying
    from farfalia_server.arena.password_mail import PasswordMail

#: Most characters of the reason why a tournament is cancelled.
_REASON = 200


class ArenaService(GatheringCalls, arena_pb2_grpc.ArenaServiceServicer):
    """Accounts, bots, tournaments, ratings and records.

    `on_change` is called when there are more or fewer matches to play. Watchers of a finished tournament wait up to
    `settling` seconds for its last baselines. `analyses` says whether matches are analysed, `webhooks`
    where they may lead.
    """

    def __init__(
        self,
        store: Store,
        reader: Reader,
        planner: Planner,
        presence: Presence,
        news: News,
        *,
        registration: RegistrationRules,
        rating_system: str = DEFAULT_SYSTEM,
        on_change: Callable[[], None],
        starting: Starting,
        ladders: LadderOpening,
        settling: float = 0.0,
        call_limits: CallLimits | None = None,
        identities: Identifying | None = None,
        mail: PasswordMail | None = None,
        analyses: bool = False,
        webhooks: WebhookTargets = WebhookTargets.OFF,
    ) -> None:
        limits = call_limits or CallLimits()
        super().__init__(store, Access(store), registration, reader, presence, limits, identities, mail)
        self._webhook_targets = webhooks
        self._planner = planner
        self._entering = Entering(store, planner, LadderKnowing(store).of_late)
        self._watching = Watching(reader, news, settling=settling)
        self._rating_system = rating_system
        self._on_change = on_change
        self._starting = starting
        self._ladders = ladders
        self._events = EventRules(store)
        self._analysing = Analysing(store, self._access, on=analyses)
        self._challenging = Challenging(
            store, self._access, presence, time_control=ladders.time_control, changed=on_change
        )
        self._gathering = GatheringFriends(
            store, self._access, presence, time_control=ladders.time_control, changed=on_change
        )

    @errors_as_status
    async def ListBots(  # noqa: N802 - the contract's name
        self, request: bots_pb2.ListBotsRequest, context: Context
    ) -> bots_pb2.ListBotsResponse:
        """Return bots."""
        return await self._reader.bots.page(request.limit, request.after, request.search)

    @errors_as_status
    async def GetBot(self, request: bots_pb2.GetBotRequest, context: Context) -> bots_pb2.GetBotResponse:  # noqa: N802
        """Return one bot, with what is private for those who may see it; with another one, how both do instead."""
        if request.against:
            pair = await self._reader.bots.pair(request.name, request.against)
            return bots_pb2.GetBotResponse(bot=await self._reader.bots.one(request.name), pair=pair)
        answer = await self._reader.bots.with_versions(request)
        if await self._access.owns(bearer_token(context), request.name):
            answer.logs.extend(await self._reader.bots.logs(request.name, checked_number(request.match, "match")))
        return answer

    @errors_as_status
    async def OpenLadder(  # noqa: N802
        self, request: ladders_pb2.OpenLadderRequest, context: Context
    ) -> ladders_pb2.OpenLadderResponse:
        """Open a ladder."""
        event = request.ladder.event or ARENA
        caller = await self._access.require_in_event(bearer_token(context), event, MemberRole.ORGANISER)
        return ladders_pb2.OpenLadderResponse(ladder=await self._ladders.open(request.ladder, caller.name))

    @errors_as_status
    async def CloseLadder(  # noqa: N802
        self, request: ladders_pb2.CloseLadderRequest, context: Context
    ) -> ladders_pb2.CloseLadderResponse:
        """Close a ladder."""
        event = await self._store.ladders.event(request.ladder)
        caller = await self._access.require_in_event(bearer_token(context), event, MemberRole.ORGANISER)
        await self._ladders.close(request.ladder, caller.name)
        return ladders_pb2.CloseLadderResponse()

    @errors_as_status
    async def ListLadders(  # noqa: N802
        self, request: ladders_pb2.ListLaddersRequest, context: Context
    ) -> ladders_pb2.ListLaddersResponse:
        """Return the open ladders."""
        return await self._reader.ladder_list()

    @errors_as_status
    async def ListRatings(  # noqa: N802
        self, request: ratings_pb2.ListRatingsRequest, context: Context
    ) -> ratings_pb2.ListRatingsResponse:
        """Return a ladder."""
        return await self._reader.ratings(
            request.ladder,
            all_versions=request.all_versions,
            limit=request.limit,
            skip=request.skip,
            search=request.search,
            owner=request.owner,
            order=request.order,
        )

    @errors_as_status
    async def ListRatingChain(  # noqa: N802
        self, request: ratings_pb2.ListRatingChainRequest, context: Context
    ) -> ratings_pb2.ListRatingChainResponse:
        """Return the chain of a ladder."""
        return await self._reader.rating_chain(request.ladder, request.limit, request.after)

    async def RebuildRatings(  # noqa: N802
        self, request: ratings_pb2.RebuildRatingsRequest, context: Context
    ) -> AsyncIterator[ratings_pb2.RebuildRatingsResponse]:
        """Rebuild all ratings from the records alone."""
        try:
            with self.call_limits.watching(context):
                async for made in self._rebuild(request.replace, bearer_token(context)):
                    yield made
        except FarfaliaServerError as error:
            await abort(context, error)

    async def _rebuild(self, replace: bool, token: str) -> AsyncIterator[ratings_pb2.RebuildRatingsResponse]:
        await self._access.require(token, Role.ADMIN)
        async with aclosing(rebuild(self._store, replace=replace, system=self._rating_system)) as steps:
            async for step in steps:
                await self._access.require(token, Role.ADMIN)  # it may have been revoked meanwhile
                bots = {bot.id: bot.name for bot in await self._store.bots.all()} if step.differences else {}
                yield rebuilt_message(step, bots)

    @errors_as_status
    async def FitLadder(  # noqa: N802
        self, request: ratings_pb2.FitLadderRequest, context: Context
    ) -> ratings_pb2.FitLadderResponse:
        """Fit a ladder."""
        await self._access.require(bearer_token(context), *ORGANISERS)
        matches = await fit_ladder(self._store, await ladder_named(self._store, request.ladder))
        return ratings_pb2.FitLadderResponse(matches=matches)

    @errors_as_status
    async def ReportCollusion(  # noqa: N802
        self, request: ratings_pb2.ReportCollusionRequest, context: Context
    ) -> ratings_pb2.ReportCollusionResponse:
        """Return which bots play differently with which others."""
        await self._access.require(bearer_token(context), *VIEWERS)
        if not request.tournament:
            return await report_collusion(self._store, await ladder_named(self._store, request.ladder))
        if request.ladder:
            raise InvalidArgument("ladder", said("tournament and ladder are both given; expected at most one of them"))
        tournament = await self._reader.tournament_alone(request.tournament)
        return await report_tournament_collusion(self._store, tournament.id)

    @errors_as_status
    async def StartTournament(  # noqa: N802
        self, request: tournaments_pb2.StartTournamentRequest, context: Context
    ) -> tournaments_pb2.StartTournamentResponse:
        """Queue its matches."""
        caller = await self._access.require_runner(bearer_token(context), request.id)
        number = checked_number(request.id, "tournament")
        if request.HasField("at") or request.with_event:
            at = checked_moment("at", request.at)
            if at is not None and request.with_event:
                raise InvalidArgument(
                    "at", in_english("at and with_event are both given; expected at most one of them")
                )
            started = await self._starting.schedule(number, at, with_event=request.with_event, who=caller.name)
        else:
            started = await self._starting.start(number, beacon_value=request.beacon_value, who=caller.name)
        return tournaments_pb2.StartTournamentResponse(tournament=await self._reader.shown(started))

    @errors_as_status
    async def CancelTournament(  # noqa: N802
        self, request: tournaments_pb2.CancelTournamentRequest, context: Context
    ) -> tournaments_pb2.CancelTournamentResponse:
        """Cancel a tournament's unfinished matches."""
        caller = await self._access.require_runner(bearer_token(context), request.id)
        number = checked_number(request.id, "tournament")
        cancelled = await self._store.tournaments.cancel(number, clean(request.reason, _REASON), caller.name)
        self._on_change()
        return tournaments_pb2.CancelTournamentResponse(tournament=await self._reader.shown(cancelled))

    @errors_as_status
    async def PauseTournament(  # noqa: N802
        self, request: tournaments_pb2.PauseTournamentRequest, context: Context
    ) -> tournaments_pb2.PauseTournamentResponse:
        """Let no more of its matches begin."""
        caller = await self._access.require_runner(bearer_token(context), request.id)
        number, reason = checked_number(request.id, "tournament"), clean(request.reason, _REASON)
        await self._store.pauses.pause(number, PauseCause.ORGANISER, reason, who=caller.name)
        return tournaments_pb2.PauseTournamentResponse(tournament=await self._reader.tournament(request.id))

    @errors_as_status
    async def ResumeTournament(  # noqa: N802
        self, request: tournaments_pb2.ResumeTournamentRequest, context: Context
    ) -> tournaments_pb2.ResumeTournamentResponse:
        """Let it go on."""
        caller = await self._access.require_runner(bearer_token(context), request.id)
        number = checked_number(request.id, "tournament")
        await self._store.pauses.resume(number, who=caller.name, reason=clean(request.reason, _REASON))
        self._on_change()
        return tournaments_pb2.ResumeTournamentResponse(tournament=await self._reader.tournament(request.id))

    @errors_as_status
    async def VoidMatches(  # noqa: N802
        self, request: tournaments_pb2.VoidMatchesRequest, context: Context
    ) -> tournaments_pb2.VoidMatchesResponse:
        """Take results out, and play them again."""
        caller = await self._access.require_runner(bearer_token(context), request.id)
        await self._reader.tournament_alone(request.id)
        done = await void_matches(self._store, request, caller.name)
        self._on_change()
        return tournaments_pb2.VoidMatchesResponse(
            tournament=await self._reader.tournament(request.id), matches=done.matches, instead=done.instead.values()
        )

    @errors_as_status
    async def EnterTournament(  # noqa: N802
        self, request: tournaments_pb2.EnterTournamentRequest, context: Context
    ) -> tournaments_pb2.EnterTournamentResponse:
        """Enter a bot."""
        caller, runs = await self._entering_by(context, request.id, request.bot)
        former = request.instead_of
        if former and not runs:
            await self._access.require_owner(bearer_token(context), former, Role.ORGANISER)
        await self._planner.ensure_house(request.bot)
        tournament, bot = await self._reader.tournament_alone(request.id), await self._reader.bots.one(request.bot)
        entered = await self._store.tournaments.get(tournament.id)
        if not runs:
            await self._events.check_entry(entered, await self._store.bots.by_name(bot.name), former)
        elif caller.role not in ORGANISERS:
            await self._events.check_bots(entered.event, [bot.name])
        if former:
            done = await self._entering.replace(tournament.id, former, bot.name, caller.name)
        else:
            done = await self._entering.enter(tournament.id, bot.name, caller.name)
        self._on_change()
        return tournaments_pb2.EnterTournamentResponse(
            tournament=await self._reader.tournament(request.id), playing=done.playing, taken=done.taken
        )

    @errors_as_status
    async def WithdrawFromTournament(  # noqa: N802
        self, request: tournaments_pb2.WithdrawFromTournamentRequest, context: Context
    ) -> tournaments_pb2.WithdrawFromTournamentResponse:
        """Withdraw a bot."""
        caller, _ = await self._entering_by(context, request.id, request.bot)
        tournament = await self._reader.tournament_alone(request.id)
        left = await self._entering.withdraw(tournament.id, request.bot, caller.name)
        self._on_change()
        return tournaments_pb2.WithdrawFromTournamentResponse(
            tournament=await self._reader.tournament(request.id), playing=left.playing, filled=left.filled
        )

    @errors_as_status
    async def GetTournament(  # noqa: N802
        self, request: tournaments_pb2.GetTournamentRequest, context: Context
    ) -> tournaments_pb2.GetTournamentResponse:
        """Return a tournament with its standings."""
        return tournaments_pb2.GetTournamentResponse(tournament=await self._reader.tournament(request.id))

    @errors_as_status
    async def ListTournaments(  # noqa: N802
        self, request: tournaments_pb2.ListTournamentsRequest, context: Context
    ) -> tournaments_pb2.ListTournamentsResponse:
        """Return tournaments."""
        return await self._reader.tournaments(request.limit, request.before, request.event)

    async def WatchTournament(  # noqa: N802
        self, request: tournaments_pb2.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[tournaments_pb2.WatchTournamentResponse]:
        """Yield the tournament now and after every change."""
        try:
            with self.call_limits.watching(context):
                async with aclosing(self._watching.follow(request.id)) as changes:
                    now = await self.call_limits.reading(context, self._access, request, partial(_next, changes))
                    yield tournaments_pb2.WatchTournamentResponse(tournament=now)
                    async for tournament in changes:
                        yield tournaments_pb2.WatchTournamentResponse(tournament=tournament)
        except FarfaliaServerError as error:
            await abort(context, error)

    @errors_as_status
    async def CreateChallenge(  # noqa: N802
        self, request: matches_pb2.CreateChallengeRequest, context: Context
    ) -> matches_pb2.CreateChallengeResponse:
        """Queue a match that counts nowhere."""
        match = await self._challenging.create(request, bearer_token(context))
        return matches_pb2.CreateChallengeResponse(match=await self._reader.match(match.id))

    @errors_as_status
    async def CancelChallenge(  # noqa: N802
        self, request: matches_pb2.CancelChallengeRequest, context: Context
    ) -> matches_pb2.CancelChallengeResponse:
        """Give such a match up."""
        number = await self._challenging.cancel(request.match, bearer_token(context))
        return matches_pb2.CancelChallengeResponse(match=await self._reader.match(number))

    @errors_as_status
    async def ListMatches(  # noqa: N802
        self, request: matches_pb2.ListMatchesRequest, context: Context
    ) -> matches_pb2.ListMatchesResponse:
        """Return matches."""
        return await self._reader.matches(request)

    @errors_as_status
    async def ListVoidAttempts(  # noqa: N802
        self, request: matches_pb2.ListVoidAttemptsRequest, context: Context
    ) -> matches_pb2.ListVoidAttemptsResponse:
        """Return void attempts."""
        return await self._reader.void_attempts(request)

    @errors_as_status
    async def GetRecord(  # noqa: N802
        self, request: matches_pb2.GetRecordRequest, context: Context
    ) -> matches_pb2.GetRecordResponse:
        """Return the record of a finished match."""
        record = await self._reader.record(request.match, bearer_token(context))
        return matches_pb2.GetRecordResponse(record=record)

    @errors_as_status
    async def GetQueue(  # noqa: N802
        self, request: nodes_pb2.GetQueueRequest, context: Context
    ) -> nodes_pb2.GetQueueResponse:
        """Return what is queued and what is in play."""
        return await self._reader.queue()

    @errors_as_status
    async def ListNodes(  # noqa: N802
        self, request: nodes_pb2.ListNodesRequest, context: Context
    ) -> nodes_pb2.ListNodesResponse:
        """Return the nodes."""
        return await self._reader.nodes()

    async def _entering_by(self, context: Context, tournament: int, bot: str) -> tuple[Caller, bool]:
        """Return who enters a bot or takes it out: its owner, or who runs the tournament, in which case True."""
        token = bearer_token(context)
        caller = await self._access.caller(token)
        if await self._access.may_in_event(caller, await self._store.tournaments.event(tournament), *RUNNERS):
            return caller, True
        return await self._access.require_owner(token, bot, Role.ORGANISER), False


async def _next(changes: AsyncGenerator[tournaments_pb2.Tournament]) -> tournaments_pb2.Tournament:
    return await anext(changes)
