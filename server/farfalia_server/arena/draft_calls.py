"""The calls that make tournaments: at once, or as drafts that are saved step by step and then published."""

from __future__ import annotations

from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict

from farfalia.v1 import drafts_pb2, tournaments_pb2
from farfalia_server.arena.access import ORGANISERS, Caller
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.event_calls import EventCalls
from farfalia_server.arena.request_checks import checked_number
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument
from farfalia_server.contract.said import in_english, joined, said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.organising.event_rules import EventRules
from farfalia_server.organising.planning import Planner
from farfalia_server.play.play_service import bearer_token
from farfalia_server.records.messages import timestamp
from farfalia_server.store import ARENA, Draft, MemberRole, Tournament
from farfalia_server.store.tournaments.drafts import published, unknown

#: Most characters of a value that is named as different.
_SHOWN = 60


class DraftCalls(EventCalls):
    """A part of the arena's service: tournaments before they are open for entries."""

    _planner: Planner
    _events: EventRules

    @errors_as_status
    async def CreateTournament(  # noqa: N802 - the contract's name
        self, request: tournaments_pb2.CreateTournamentRequest, context: Context
    ) -> tournaments_pb2.CreateTournamentResponse:
        """Create a tournament with its whole schedule."""
        caller = await self._access.require_in_event(
            bearer_token(context), request.event or ARENA, MemberRole.ORGANISER
        )
        planned = await self._plan(request, caller)
        return tournaments_pb2.CreateTournamentResponse(tournament=await self._reader.shown(planned))

    @errors_as_status
    async def SaveTournamentDraft(  # noqa: N802
        self, request: drafts_pb2.SaveTournamentDraftRequest, context: Context
    ) -> drafts_pb2.SaveTournamentDraftResponse:
        """Make or change a draft, and publish it if that is asked for."""
        asked, token = request.draft, bearer_token(context)
        asked.plan.event = asked.plan.event or ARENA
        if request.publish and not asked.id:
            raise InvalidArgument("publish", in_english("publish is given for a draft without a number; save it first"))
        before = await self._draft(asked.id, token) if asked.id else None
        caller = await self._access.require_in_event(token, asked.plan.event, MemberRole.ORGANISER)
        if request.publish and before is not None and before.tournament_id is None:
            _check_unchanged(before, asked)  # also if the same is asked for: it is published as somebody has seen it
        draft = before if before is not None and _same(before, asked) else await self._saved(asked, before, caller)
        answer = drafts_pb2.SaveTournamentDraftResponse(draft=draft_message(draft))
        if request.publish:
            number = draft.tournament_id or await self._published(draft, caller)
            answer.draft.tournament = number
            answer.tournament.CopyFrom(await self._reader.tournament(number))
        return answer

    @errors_as_status
    async def GetTournamentDraft(  # noqa: N802
        self, request: drafts_pb2.GetTournamentDraftRequest, context: Context
    ) -> drafts_pb2.GetTournamentDraftResponse:
        """Return a draft to those who organise its event."""
        draft = await self._draft(request.id, bearer_token(context))
        return drafts_pb2.GetTournamentDraftResponse(draft=draft_message(draft))

    @errors_as_status
    async def ListTournamentDrafts(  # noqa: N802
        self, request: drafts_pb2.ListTournamentDraftsRequest, context: Context
    ) -> drafts_pb2.ListTournamentDraftsResponse:
        """Return the drafts of events that the caller organises."""
        token = bearer_token(context)
        if request.event:
            await self._access.require_in_event(token, request.event, MemberRole.ORGANISER)
            events: set[str] | None = {(await self._store.events.get(request.event)).name}
        else:
            events = await self._organised(await self._access.caller(token))
        drafts = [draft_message(draft) for draft in await self._store.drafts.open(events)]
        for draft in drafts:
            del draft.plan.bots[:]
        return drafts_pb2.ListTournamentDraftsResponse(drafts=drafts)

    @errors_as_status
    async def DropTournamentDraft(  # noqa: N802
        self, request: drafts_pb2.DropTournamentDraftRequest, context: Context
    ) -> drafts_pb2.DropTournamentDraftResponse:
        """Delete a draft."""
        token = bearer_token(context)
        draft = await self._draft(request.id, token)
        await self._store.drafts.drop(draft.id, (await self._access.caller(token)).name)
        return drafts_pb2.DropTournamentDraftResponse()

    async def _plan(
        self,
        request: tournaments_pb2.CreateTournamentRequest,
        caller: Caller,
        draft: tuple[int, int] | None = None,
    ) -> Tournament:
        anywhere = caller.role in ORGANISERS
        if not anywhere:
            await self._events.check_bots(request.event or ARENA, request.bots)
        return await self._planner.plan(request, caller.name, anywhere=anywhere, draft=draft)

    async def _published(self, draft: Draft, caller: Caller) -> int:
        """Return the number of the tournament that a draft becomes, or has become at this moment."""
        try:
            return (await self._plan(draft_message(draft).plan, caller, draft=(draft.id, draft.revision))).id
        except FailedPrecondition:
            number = (await self._store.drafts.get(draft.id)).tournament_id
            if number is None:
                raise
            return number

    async def _saved(self, asked: drafts_pb2.TournamentDraft, before: Draft | None, caller: Caller) -> Draft:
        """Store a draft as it is asked for; FailedPrecondition (DRAFT_CHANGED, DRAFT_PUBLISHED)."""
        if before is not None:
            _check_unchanged(before, asked)
        anywhere = caller.role in ORGANISERS
        if not anywhere:
            await self._events.check_bots(asked.plan.event, asked.plan.bots)
        await self._planner.check(asked.plan, asked.entrants_expected, anywhere=anywhere)
        plan, event, drafts = _plain(asked.plan), asked.plan.event, self._store.drafts
        if before is None:
            return await drafts.make(event, plan, asked.entrants_expected, caller.name)
        saved = await drafts.change(before.id, before.revision, event, plan, asked.entrants_expected, caller.name)
        if saved is None:  # somebody was faster by a moment
            found = await drafts.get(before.id)
            _check_unchanged(found, asked)
            raise published(found)
        return saved

    async def _draft(self, number: int, token: str) -> Draft:
        """Return a draft that the caller may see; NotFound (DRAFT_UNKNOWN), also for one of others.

        Who organises nothing is refused, whether there is such a draft or not.
        """
        caller = await self._access.caller(token)
        await self._organised(caller)
        draft = await self._store.drafts.get(checked_number(number, "draft"))
        if not await self._access.may_in_event(caller, draft.event, MemberRole.ORGANISER):
            raise unknown(number)
        return draft

    async def _organised(self, caller: Caller) -> set[str] | None:
        """Return the events that the caller organises; None for all. Who organises none is refused."""
        if caller.role in ORGANISERS:
            return None
        account = None if caller.account is None else caller.account.id
        members = [] if account is None else await self._store.members.of_account(account)
        events = {member.event for member in members} | {ARENA}
        own = {event for event in events if await self._access.may_in_event(caller, event, MemberRole.ORGANISER)}
        return own or caller.refuse(said("the token of an organiser of an event, or of the admin"))


def draft_message(draft: Draft) -> drafts_pb2.TournamentDraft:
    """Return a draft as the contract's message."""
    message = drafts_pb2.TournamentDraft(
        id=draft.id,
        entrants_expected=draft.entrants_expected,
        revision=draft.revision,
        who=draft.who,
        changed=timestamp(draft.changed),
        tournament=draft.tournament_id or 0,
    )
    ParseDict(dict(draft.plan), message.plan, ignore_unknown_fields=True)
    return message


def _plain(plan: tournaments_pb2.CreateTournamentRequest) -> dict[str, Any]:
    found: dict[str, Any] = MessageToDict(plan, preserving_proto_field_name=True)
    return found


def _same(before: Draft, asked: drafts_pb2.TournamentDraft) -> bool:
    """Return whether a draft has already what is asked for."""
    return before.entrants_expected == asked.entrants_expected and draft_message(before).plan == asked.plan


def _check_unchanged(found: Draft, asked: drafts_pb2.TournamentDraft) -> None:
    """Raise FailedPrecondition unless a draft is at the revision that is to be changed; it says what differs."""
    if found.tournament_id is not None:
        raise published(found)
    if found.revision != asked.revision:
        theirs = _plain(draft_message(found).plan) | {"entrants_expected": found.entrants_expected or None}
        ours = _plain(asked.plan) | {"entrants_expected": asked.entrants_expected or None}
        names = [name for name in sorted(theirs.keys() | ours.keys()) if theirs.get(name) != ours.get(name)]
        differs = [
            said(
                "%(name)s is %(theirs)s, you have %(ours)s",
                name=name,
                theirs=_said(theirs.get(name)),
                ours=_said(ours.get(name)),
            )
            for name in names
        ]
        text = said(
            "%(who)s has changed draft %(draft)s meanwhile; look at it, then save what is to stay",
            who=found.who,
            draft=found.id,
        )
        if differs:
            text = said(
                "%(who)s has changed draft %(draft)s meanwhile: %(differs)s; look at it, then save what is to stay",
                who=found.who,
                draft=found.id,
                differs=joined(differs, "; "),
            )
        raise FailedPrecondition(text, "DRAFT_CHANGED")


def _said(value: Any) -> str:
    """Return a value of a field in a sentence."""
    if value in (None, "", 0, False, [], {}):
        return said("empty")
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        value = ", ".join(value)
    text = str(value)
    return quoted(text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …")
