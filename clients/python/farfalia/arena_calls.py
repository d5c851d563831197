"""The calls of ArenaService, typed, to be awaited. Made from the contract by `make proto`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.arena_paging import ask_for_next, rows
from farfalia.v1 import (
    accounts_pb2,
    acts_pb2,
    analysis_pb2,
    bots_pb2,
    daily_boards_pb2,
    drafts_pb2,
    events_pb2,
    gatherings_pb2,
    ladders_pb2,
    matches_pb2,
    nodes_pb2,
    programs_pb2,
    ratings_pb2,
    record_pb2,
    stages_pb2,
    tournaments_pb2,
    webhooks_pb2,
)


class ArenaCalls(ABC):
    """Every call, which takes the fields of its request."""

    #: Rows that the server lists in one answer, at most.
    page: int

    @abstractmethod
    async def ask(self, call: str, request: Message) -> Any:
        """Return the answer of a call."""

    @abstractmethod
    def stream(self, call: str, request: Message) -> AsyncIterator[Any]:
        """Yield the answers of a call that answers more than once."""

    async def pages(self, call: str, request: Any, limit: int = 0) -> AsyncIterator[Any]:
        """Yield the answers of a call that lists something, until it has listed `limit` rows, or all if that is 0.

        It changes `request` meanwhile.
        """
        left = limit
        while True:
            request.limit = min(self.page, left) if limit else self.page
            page = await self.ask(call, request)
            yield page
            listed = len(rows(page))
            left -= listed
            if listed < request.limit or (limit and not left):
                return
            ask_for_next(request, page)

    async def create_account(
        self,
        *,
        name: str = "",
        role: accounts_pb2.Role = accounts_pb2.ROLE_UNSPECIFIED,
        invitation: str = "",
        password: str = "",
        bot: str = "",
        identity: str = "",
        email: str = "",
    ) -> accounts_pb2.CreateAccountResponse:
        """Make an account and its token."""
        request = accounts_pb2.CreateAccountRequest(
            name=name,
            role=role,
            invitation=invitation,
            password=password,
            bot=bot,
            identity=identity,
            email=email,
        )
        answer: accounts_pb2.CreateAccountResponse = await self.ask("CreateAccount", request)
        return answer

    async def sign_in(
        self,
        *,
        name: str = "",
        password: str = "",
        identity: str = "",
    ) -> accounts_pb2.SignInResponse:
        """Begin a session of an account that has a password, or an identity."""
        request = accounts_pb2.SignInRequest(
            name=name,
            password=password,
            identity=identity,
        )
        answer: accounts_pb2.SignInResponse = await self.ask("SignIn", request)
        return answer

    async def begin_oidc(
        self,
        *,
        connect: bool = False,
    ) -> accounts_pb2.BeginOidcResponse:
        """Return where somebody signs in at the provider of OpenID Connect of this server."""
        request = accounts_pb2.BeginOidcRequest(
            connect=connect,
        )
        answer: accounts_pb2.BeginOidcResponse = await self.ask("BeginOidc", request)
        return answer

    async def finish_oidc(
        self,
        *,
        flow: str = "",
        state: str = "",
        code: str = "",
        issuer: str = "",
        error: str = "",
    ) -> accounts_pb2.FinishOidcResponse:
        """Verify what the provider says of who has signed in."""
        request = accounts_pb2.FinishOidcRequest(
            flow=flow,
            state=state,
            code=code,
            issuer=issuer,
            error=error,
        )
        answer: accounts_pb2.FinishOidcResponse = await self.ask("FinishOidc", request)
        return answer

    async def connect_identity(
        self,
        *,
        identity: str = "",
    ) -> accounts_pb2.ConnectIdentityResponse:
        """Let the account that makes the call sign in with an identity, too."""
        request = accounts_pb2.ConnectIdentityRequest(
            identity=identity,
        )
        answer: accounts_pb2.ConnectIdentityResponse = await self.ask("ConnectIdentity", request)
        return answer

    async def disconnect_identity(
        self,
        *,
        id: int = 0,
    ) -> accounts_pb2.DisconnectIdentityResponse:
        """End that."""
        request = accounts_pb2.DisconnectIdentityRequest(
            id=id,
        )
        answer: accounts_pb2.DisconnectIdentityResponse = await self.ask("DisconnectIdentity", request)
        return answer

    async def sign_out(
        self,
        *,
        everywhere: bool = False,
    ) -> accounts_pb2.SignOutResponse:
        """End the session that makes the call, or all of its account."""
        request = accounts_pb2.SignOutRequest(
            everywhere=everywhere,
        )
        answer: accounts_pb2.SignOutResponse = await self.ask("SignOut", request)
        return answer

    async def set_password(
        self,
        *,
        name: str = "",
        old: str = "",
        password: str = "",
    ) -> accounts_pb2.SetPasswordResponse:
        """Give an account a password, or another one."""
        request = accounts_pb2.SetPasswordRequest(
            name=name,
            old=old,
            password=password,
        )
        answer: accounts_pb2.SetPasswordResponse = await self.ask("SetPassword", request)
        return answer

    async def create_password_link(
        self,
        *,
        name: str = "",
    ) -> accounts_pb2.CreatePasswordLinkResponse:
        """Make a link by which somebody who has lost their password chooses a new one."""
        request = accounts_pb2.CreatePasswordLinkRequest(
            name=name,
        )
        answer: accounts_pb2.CreatePasswordLinkResponse = await self.ask("CreatePasswordLink", request)
        return answer

    async def request_password_link(
        self,
        *,
        name: str = "",
    ) -> accounts_pb2.RequestPasswordLinkResponse:
        """Send such a link, good for a day, to the e-mail address of an account, if there is such an account and
        it has one.
        """
        request = accounts_pb2.RequestPasswordLinkRequest(
            name=name,
        )
        answer: accounts_pb2.RequestPasswordLinkResponse = await self.ask("RequestPasswordLink", request)
        return answer

    async def set_email(
        self,
        *,
        name: str = "",
        email: str = "",
        password: str = "",
    ) -> accounts_pb2.SetEmailResponse:
        """Give an account an e-mail address, another one or none."""
        request = accounts_pb2.SetEmailRequest(
            name=name,
            email=email,
            password=password,
        )
        answer: accounts_pb2.SetEmailResponse = await self.ask("SetEmail", request)
        return answer

    async def get_account(
        self,
        *,
        name: str = "",
    ) -> accounts_pb2.GetAccountResponse:
        """Return an account with its bots."""
        request = accounts_pb2.GetAccountRequest(
            name=name,
        )
        answer: accounts_pb2.GetAccountResponse = await self.ask("GetAccount", request)
        return answer

    async def list_accounts(
        self,
        *,
        limit: int = 0,
        after: str = "",
    ) -> accounts_pb2.ListAccountsResponse:
        """Return accounts by name."""
        request = accounts_pb2.ListAccountsRequest(
            limit=limit,
            after=after,
        )
        answer: accounts_pb2.ListAccountsResponse = await self.ask("ListAccounts", request)
        return answer

    async def all_accounts(
        self,
        *,
        limit: int = 0,
        after: str = "",
    ) -> AsyncIterator[accounts_pb2.Account]:
        """Yield accounts by name, page by page: `limit` rows, or all if that is 0."""
        request = accounts_pb2.ListAccountsRequest(
            after=after,
        )
        async for page in self.pages("ListAccounts", request, limit):
            for row in page.accounts:
                yield row

    async def rotate_account_token(
        self,
        *,
        name: str = "",
    ) -> accounts_pb2.RotateAccountTokenResponse:
        """Give an account a new token."""
        request = accounts_pb2.RotateAccountTokenRequest(
            name=name,
        )
        answer: accounts_pb2.RotateAccountTokenResponse = await self.ask("RotateAccountToken", request)
        return answer

    async def revoke_account(
        self,
        *,
        name: str = "",
    ) -> accounts_pb2.RevokeAccountResponse:
        """Take away the token of an account that you manage, its password, identities and sessions, and the tokens
        of its bots, whose streams end.
        """
        request = accounts_pb2.RevokeAccountRequest(
            name=name,
        )
        answer: accounts_pb2.RevokeAccountResponse = await self.ask("RevokeAccount", request)
        return answer

    async def create_invitation(
        self,
        *,
        note: str = "",
        uses: int = 0,
        seconds: int = 0,
        event: str = "",
    ) -> accounts_pb2.CreateInvitationResponse:
        """Make an invitation and its code."""
        request = accounts_pb2.CreateInvitationRequest(
            note=note,
            uses=uses,
            seconds=seconds,
            event=event,
        )
        answer: accounts_pb2.CreateInvitationResponse = await self.ask("CreateInvitation", request)
        return answer

    async def list_invitations(
        self,
        *,
        event: str = "",
    ) -> accounts_pb2.ListInvitationsResponse:
        """Return the invitations, newest first, without their codes."""
        request = accounts_pb2.ListInvitationsRequest(
            event=event,
        )
        answer: accounts_pb2.ListInvitationsResponse = await self.ask("ListInvitations", request)
        return answer

    async def revoke_invitation(
        self,
        *,
        id: int = 0,
    ) -> accounts_pb2.RevokeInvitationResponse:
        """End an invitation."""
        request = accounts_pb2.RevokeInvitationRequest(
            id=id,
        )
        answer: accounts_pb2.RevokeInvitationResponse = await self.ask("RevokeInvitation", request)
        return answer

    async def moderate_account(
        self,
        *,
        name: str = "",
        suspended: bool = False,
        reason: str = "",
    ) -> accounts_pb2.ModerateAccountResponse:
        """Suspend an account, or lets it back in."""
        request = accounts_pb2.ModerateAccountRequest(
            name=name,
            suspended=suspended,
            reason=reason,
        )
        answer: accounts_pb2.ModerateAccountResponse = await self.ask("ModerateAccount", request)
        return answer

    async def rename_account(
        self,
        *,
        name: str = "",
        new_name: str = "",
        reason: str = "",
    ) -> accounts_pb2.RenameAccountResponse:
        """Give an account another name."""
        request = accounts_pb2.RenameAccountRequest(
            name=name,
            new_name=new_name,
            reason=reason,
        )
        answer: accounts_pb2.RenameAccountResponse = await self.ask("RenameAccount", request)
        return answer

    async def remove_account(
        self,
        *,
        name: str = "",
        strike: bool = False,
        reason: str = "",
    ) -> accounts_pb2.RemoveAccountResponse:
        """Remove an account with its bots, tokens and sessions."""
        request = accounts_pb2.RemoveAccountRequest(
            name=name,
            strike=strike,
            reason=reason,
        )
        answer: accounts_pb2.RemoveAccountResponse = await self.ask("RemoveAccount", request)
        return answer

    async def create_api_token(
        self,
        *,
        name: str = "",
        scope: accounts_pb2.TokenScope = accounts_pb2.TOKEN_SCOPE_UNSPECIFIED,
        bot: str = "",
        event: str = "",
        seconds: int = 0,
    ) -> accounts_pb2.CreateApiTokenResponse:
        """Make another token of the account that makes the call, good for a part of what it may do."""
        request = accounts_pb2.CreateApiTokenRequest(
            name=name,
            scope=scope,
            bot=bot,
            event=event,
            seconds=seconds,
        )
        answer: accounts_pb2.CreateApiTokenResponse = await self.ask("CreateApiToken", request)
        return answer

    async def list_api_tokens(
        self,
    ) -> accounts_pb2.ListApiTokensResponse:
        """Return these tokens of the account that makes the call."""
        request = accounts_pb2.ListApiTokensRequest()
        answer: accounts_pb2.ListApiTokensResponse = await self.ask("ListApiTokens", request)
        return answer

    async def revoke_api_token(
        self,
        *,
        id: int = 0,
    ) -> accounts_pb2.RevokeApiTokenResponse:
        """End one of them, and no other."""
        request = accounts_pb2.RevokeApiTokenRequest(
            id=id,
        )
        answer: accounts_pb2.RevokeApiTokenResponse = await self.ask("RevokeApiToken", request)
        return answer

    async def moderate_bot(
        self,
        *,
        name: str = "",
        suspended: bool | None = None,
        hidden: bool | None = None,
        strike: bool = False,
        reason: str = "",
    ) -> bots_pb2.ModerateBotResponse:
        """Suspend a bot, hides it, or strikes its results."""
        request = bots_pb2.ModerateBotRequest(
            name=name,
            strike=strike,
            reason=reason,
        )
        if suspended is not None:
            request.suspended = suspended
        if hidden is not None:
            request.hidden = hidden
        answer: bots_pb2.ModerateBotResponse = await self.ask("ModerateBot", request)
        return answer

    async def rename_bot(
        self,
        *,
        name: str = "",
        new_name: str = "",
        reason: str = "",
    ) -> bots_pb2.RenameBotResponse:
        """Give a bot that is not connected another name."""
        request = bots_pb2.RenameBotRequest(
            name=name,
            new_name=new_name,
            reason=reason,
        )
        answer: bots_pb2.RenameBotResponse = await self.ask("RenameBot", request)
        return answer

    async def remove_bot(
        self,
        *,
        name: str = "",
        strike: bool = False,
        reason: str = "",
    ) -> bots_pb2.RemoveBotResponse:
        """Remove a bot."""
        request = bots_pb2.RemoveBotRequest(
            name=name,
            strike=strike,
            reason=reason,
        )
        answer: bots_pb2.RemoveBotResponse = await self.ask("RemoveBot", request)
        return answer

    async def set_challengers(
        self,
        *,
        name: str = "",
        challengers: bots_pb2.Challengers = bots_pb2.CHALLENGERS_UNSPECIFIED,
    ) -> bots_pb2.SetChallengersResponse:
        """Say who may ask a bot for a match."""
        request = bots_pb2.SetChallengersRequest(
            name=name,
            challengers=challengers,
        )
        answer: bots_pb2.SetChallengersResponse = await self.ask("SetChallengers", request)
        return answer

    async def set_webhook(
        self,
        *,
        bot: str = "",
        url: str = "",
        kinds: Iterable[webhooks_pb2.DeliveryKind] = (),
        renew_secret: bool = False,
    ) -> webhooks_pb2.SetWebhookResponse:
        """Say where the server tells a bot's owner what happened, and of what, or takes that away."""
        request = webhooks_pb2.SetWebhookRequest(
            bot=bot,
            url=url,
            kinds=kinds,
            renew_secret=renew_secret,
        )
        answer: webhooks_pb2.SetWebhookResponse = await self.ask("SetWebhook", request)
        return answer

    async def get_webhook(
        self,
        *,
        bot: str = "",
    ) -> webhooks_pb2.GetWebhookResponse:
        """Return a bot's webhook and what became of its last deliveries."""
        request = webhooks_pb2.GetWebhookRequest(
            bot=bot,
        )
        answer: webhooks_pb2.GetWebhookResponse = await self.ask("GetWebhook", request)
        return answer

    async def test_webhook(
        self,
        *,
        bot: str = "",
    ) -> webhooks_pb2.TestWebhookResponse:
        """Send a test to a bot's webhook soon."""
        request = webhooks_pb2.TestWebhookRequest(
            bot=bot,
        )
        answer: webhooks_pb2.TestWebhookResponse = await self.ask("TestWebhook", request)
        return answer

    async def create_event(
        self,
        *,
        event: events_pb2.Event | None = None,
        like: str = "",
    ) -> events_pb2.CreateEventResponse:
        """Make an event, as a draft, of which the caller is an organiser."""
        request = events_pb2.CreateEventRequest(
            event=event,
            like=like,
        )
        answer: events_pb2.CreateEventResponse = await self.ask("CreateEvent", request)
        return answer

    async def change_event(
        self,
        *,
        event: events_pb2.Event | None = None,
        publish: bool = False,
    ) -> events_pb2.ChangeEventResponse:
        """Replace all of an event but its name and members, and publishes it if that is asked for."""
        request = events_pb2.ChangeEventRequest(
            event=event,
            publish=publish,
        )
        answer: events_pb2.ChangeEventResponse = await self.ask("ChangeEvent", request)
        return answer

    async def close_event(
        self,
        *,
        name: str = "",
    ) -> events_pb2.CloseEventResponse:
        """Close an event and its ladders for good."""
        request = events_pb2.CloseEventRequest(
            name=name,
        )
        answer: events_pb2.CloseEventResponse = await self.ask("CloseEvent", request)
        return answer

    async def get_event(
        self,
        *,
        name: str = "",
    ) -> events_pb2.GetEventResponse:
        """Return an event with its members, ladders and tournaments."""
        request = events_pb2.GetEventRequest(
            name=name,
        )
        answer: events_pb2.GetEventResponse = await self.ask("GetEvent", request)
        return answer

    async def list_events(
        self,
    ) -> events_pb2.ListEventsResponse:
        """Return the events that the caller may see, all in one answer."""
        request = events_pb2.ListEventsRequest()
        answer: events_pb2.ListEventsResponse = await self.ask("ListEvents", request)
        return answer

    async def join_event(
        self,
        *,
        event: str = "",
        invitation: str = "",
    ) -> events_pb2.JoinEventResponse:
        """Make the account that calls a member of an event."""
        request = events_pb2.JoinEventRequest(
            event=event,
            invitation=invitation,
        )
        answer: events_pb2.JoinEventResponse = await self.ask("JoinEvent", request)
        return answer

    async def set_event_member(
        self,
        *,
        event: str = "",
        account: str = "",
        role: events_pb2.MemberRole = events_pb2.MEMBER_ROLE_UNSPECIFIED,
        team: str = "",
    ) -> events_pb2.SetEventMemberResponse:
        """Make an account a member, at any time, or changes its role and team."""
        request = events_pb2.SetEventMemberRequest(
            event=event,
            account=account,
            role=role,
            team=team,
        )
        answer: events_pb2.SetEventMemberResponse = await self.ask("SetEventMember", request)
        return answer

    async def remove_event_member(
        self,
        *,
        event: str = "",
        account: str = "",
    ) -> events_pb2.RemoveEventMemberResponse:
        """Take an account out of an event."""
        request = events_pb2.RemoveEventMemberRequest(
            event=event,
            account=account,
        )
        answer: events_pb2.RemoveEventMemberResponse = await self.ask("RemoveEventMember", request)
        return answer

    async def register_bot(
        self,
        *,
        name: str = "",
        version: str = "",
        owner: str = "",
        house: str = "",
        person: bool = False,
    ) -> bots_pb2.RegisterBotResponse:
        """Make a bot and its token, or a new version of a bot."""
        request = bots_pb2.RegisterBotRequest(
            name=name,
            version=version,
            owner=owner,
            house=house,
            person=person,
        )
        answer: bots_pb2.RegisterBotResponse = await self.ask("RegisterBot", request)
        return answer

    async def rotate_token(
        self,
        *,
        name: str = "",
    ) -> bots_pb2.RotateTokenResponse:
        """Give a bot a new token and ends the stream that the old one opened."""
        request = bots_pb2.RotateTokenRequest(
            name=name,
        )
        answer: bots_pb2.RotateTokenResponse = await self.ask("RotateToken", request)
        return answer

    async def revoke_token(
        self,
        *,
        name: str = "",
    ) -> bots_pb2.RevokeTokenResponse:
        """Take a bot's token away and ends the stream that it opened."""
        request = bots_pb2.RevokeTokenRequest(
            name=name,
        )
        answer: bots_pb2.RevokeTokenResponse = await self.ask("RevokeToken", request)
        return answer

    async def list_bots(
        self,
        *,
        limit: int = 0,
        after: str = "",
        search: str = "",
    ) -> bots_pb2.ListBotsResponse:
        """Return bots by name."""
        request = bots_pb2.ListBotsRequest(
            limit=limit,
            after=after,
            search=search,
        )
        answer: bots_pb2.ListBotsResponse = await self.ask("ListBots", request)
        return answer

    async def all_bots(
        self,
        *,
        limit: int = 0,
        after: str = "",
        search: str = "",
    ) -> AsyncIterator[bots_pb2.BotInfo]:
        """Yield bots by name, page by page: `limit` rows, or all if that is 0."""
        request = bots_pb2.ListBotsRequest(
            after=after,
            search=search,
        )
        async for page in self.pages("ListBots", request, limit):
            for row in page.bots:
                yield row

    async def get_bot(
        self,
        *,
        name: str = "",
        match: int = 0,
        game: str = "",
        version: str = "",
        event: str = "",
        since: Timestamp | None = None,
        against: str = "",
    ) -> bots_pb2.GetBotResponse:
        """Return one bot with its incidents, and to its owner with its log lines."""
        request = bots_pb2.GetBotRequest(
            name=name,
            match=match,
            game=game,
            version=version,
            event=event,
            since=since,
            against=against,
        )
        answer: bots_pb2.GetBotResponse = await self.ask("GetBot", request)
        return answer

    async def upload_program(
        self,
        *,
        bot: str = "",
        hash: bytes = b"",
        offset: int = 0,
        part: bytes = b"",
    ) -> programs_pb2.UploadProgramResponse:
        """Bring a part of an archive, for HandIn."""
        request = programs_pb2.UploadProgramRequest(
            bot=bot,
            hash=hash,
            offset=offset,
            part=part,
        )
        answer: programs_pb2.UploadProgramResponse = await self.ask("UploadProgram", request)
        return answer

    async def hand_in(
        self,
        *,
        bot: str = "",
        hash: bytes = b"",
        check_only: bool = False,
        proof: bytes = b"",
    ) -> programs_pb2.HandInResponse:
        """Hand in an uploaded archive with a bot's program."""
        request = programs_pb2.HandInRequest(
            bot=bot,
            hash=hash,
            check_only=check_only,
            proof=proof,
        )
        answer: programs_pb2.HandInResponse = await self.ask("HandIn", request)
        return answer

    async def list_programs(
        self,
        *,
        bot: str = "",
    ) -> programs_pb2.ListProgramsResponse:
        """Return the programs of a bot, newest first, without steps."""
        request = programs_pb2.ListProgramsRequest(
            bot=bot,
        )
        answer: programs_pb2.ListProgramsResponse = await self.ask("ListPrograms", request)
        return answer

    async def get_program(
        self,
        *,
        bot: str = "",
        number: int = 0,
    ) -> programs_pb2.GetProgramResponse:
        """Return one program with the steps of its check."""
        request = programs_pb2.GetProgramRequest(
            bot=bot,
            number=number,
        )
        answer: programs_pb2.GetProgramResponse = await self.ask("GetProgram", request)
        return answer

    async def get_program_archive(
        self,
        *,
        bot: str = "",
        number: int = 0,
        offset: int = 0,
    ) -> programs_pb2.GetProgramArchiveResponse:
        """Return a part of what was handed in."""
        request = programs_pb2.GetProgramArchiveRequest(
            bot=bot,
            number=number,
            offset=offset,
        )
        answer: programs_pb2.GetProgramArchiveResponse = await self.ask("GetProgramArchive", request)
        return answer

    async def activate_program(
        self,
        *,
        bot: str = "",
        number: int = 0,
    ) -> programs_pb2.ActivateProgramResponse:
        """Let the bot play with one of its programs, as that version, or connect by itself again."""
        request = programs_pb2.ActivateProgramRequest(
            bot=bot,
            number=number,
        )
        answer: programs_pb2.ActivateProgramResponse = await self.ask("ActivateProgram", request)
        return answer

    async def work_as_host(
        self,
        *,
        host: programs_pb2.HostReport | None = None,
    ) -> programs_pb2.WorkAsHostResponse:
        """Report what a host is and does, and returns what it is to do."""
        request = programs_pb2.WorkAsHostRequest(
            host=host,
        )
        answer: programs_pb2.WorkAsHostResponse = await self.ask("WorkAsHost", request)
        return answer

    async def fetch_program(
        self,
        *,
        hash: bytes = b"",
        offset: int = 0,
    ) -> programs_pb2.FetchProgramResponse:
        """Return a part of an archive that a host is to run or to check."""
        request = programs_pb2.FetchProgramRequest(
            hash=hash,
            offset=offset,
        )
        answer: programs_pb2.FetchProgramResponse = await self.ask("FetchProgram", request)
        return answer

    async def report_program_check(
        self,
        *,
        bot: str = "",
        number: int = 0,
        lease: int = 0,
        steps: Iterable[programs_pb2.ProgramStep] = (),
        output: Iterable[str] = (),
        over: bool = False,
    ) -> programs_pb2.ReportProgramCheckResponse:
        """Report how far a check is."""
        request = programs_pb2.ReportProgramCheckRequest(
            bot=bot,
            number=number,
            lease=lease,
            steps=steps,
            output=output,
            over=over,
        )
        answer: programs_pb2.ReportProgramCheckResponse = await self.ask("ReportProgramCheck", request)
        return answer

    async def list_hosts(
        self,
    ) -> programs_pb2.ListHostsResponse:
        """Return the hosts that run programs, by name, all in one answer."""
        request = programs_pb2.ListHostsRequest()
        answer: programs_pb2.ListHostsResponse = await self.ask("ListHosts", request)
        return answer

    async def open_ladder(
        self,
        *,
        ladder: ladders_pb2.Ladder | None = None,
    ) -> ladders_pb2.OpenLadderResponse:
        """Open a ladder."""
        request = ladders_pb2.OpenLadderRequest(
            ladder=ladder,
        )
        answer: ladders_pb2.OpenLadderResponse = await self.ask("OpenLadder", request)
        return answer

    async def close_ladder(
        self,
        *,
        ladder: str = "",
    ) -> ladders_pb2.CloseLadderResponse:
        """Close a ladder."""
        request = ladders_pb2.CloseLadderRequest(
            ladder=ladder,
        )
        answer: ladders_pb2.CloseLadderResponse = await self.ask("CloseLadder", request)
        return answer

    async def list_ladders(
        self,
    ) -> ladders_pb2.ListLaddersResponse:
        """Return the ladders that are open, all in one answer, and the names of all that have ratings."""
        request = ladders_pb2.ListLaddersRequest()
        answer: ladders_pb2.ListLaddersResponse = await self.ask("ListLadders", request)
        return answer

    async def list_ratings(
        self,
        *,
        ladder: str = "",
        all_versions: bool = False,
        limit: int = 0,
        skip: int = 0,
        search: str = "",
        owner: str = "",
        order: ratings_pb2.RatingOrder = ratings_pb2.RATING_ORDER_UNSPECIFIED,
    ) -> ratings_pb2.ListRatingsResponse:
        """Return a ladder, best first."""
        request = ratings_pb2.ListRatingsRequest(
            ladder=ladder,
            all_versions=all_versions,
            limit=limit,
            skip=skip,
            search=search,
            owner=owner,
            order=order,
        )
        answer: ratings_pb2.ListRatingsResponse = await self.ask("ListRatings", request)
        return answer

    async def all_ratings(
        self,
        *,
        ladder: str = "",
        all_versions: bool = False,
        limit: int = 0,
        skip: int = 0,
        search: str = "",
        owner: str = "",
        order: ratings_pb2.RatingOrder = ratings_pb2.RATING_ORDER_UNSPECIFIED,
    ) -> AsyncIterator[ratings_pb2.RatedBot]:
        """Yield a ladder, best first, page by page: `limit` rows, or all if that is 0."""
        request = ratings_pb2.ListRatingsRequest(
            ladder=ladder,
            all_versions=all_versions,
            skip=skip,
            search=search,
            owner=owner,
            order=order,
        )
        async for page in self.pages("ListRatings", request, limit):
            for row in page.bots:
                yield row

    async def list_rating_chain(
        self,
        *,
        ladder: str = "",
        limit: int = 0,
        after: int = 0,
    ) -> ratings_pb2.ListRatingChainResponse:
        """Return the chain of a ladder."""
        request = ratings_pb2.ListRatingChainRequest(
            ladder=ladder,
            limit=limit,
            after=after,
        )
        answer: ratings_pb2.ListRatingChainResponse = await self.ask("ListRatingChain", request)
        return answer

    async def all_rating_chain(
        self,
        *,
        ladder: str = "",
        limit: int = 0,
        after: int = 0,
    ) -> AsyncIterator[ratings_pb2.RatingChainEntry]:
        """Yield the chain of a ladder, page by page: `limit` rows, or all if that is 0."""
        request = ratings_pb2.ListRatingChainRequest(
            ladder=ladder,
            after=after,
        )
        async for page in self.pages("ListRatingChain", request, limit):
            for row in page.entries:
                yield row

    def rebuild_ratings(
        self,
        *,
        replace: bool = False,
    ) -> AsyncIterator[ratings_pb2.RebuildRatingsResponse]:
        """Recompute all ratings from the records alone, each of which is played again and checked, and returns
        what differs from the ratings that are shown.
        """
        request = ratings_pb2.RebuildRatingsRequest(
            replace=replace,
        )
        return self.stream("RebuildRatings", request)

    async def fit_ladder(
        self,
        *,
        ladder: str = "",
    ) -> ratings_pb2.FitLadderResponse:
        """Fit ratings and strengths of a ladder from all its results."""
        request = ratings_pb2.FitLadderRequest(
            ladder=ladder,
        )
        answer: ratings_pb2.FitLadderResponse = await self.ask("FitLadder", request)
        return answer

    async def report_collusion(
        self,
        *,
        ladder: str = "",
        tournament: int = 0,
    ) -> ratings_pb2.ReportCollusionResponse:
        """Return how each bot of a ladder, or of a tournament, does when each other one sits at its table."""
        request = ratings_pb2.ReportCollusionRequest(
            ladder=ladder,
            tournament=tournament,
        )
        answer: ratings_pb2.ReportCollusionResponse = await self.ask("ReportCollusion", request)
        return answer

    async def create_tournament(
        self,
        *,
        name: str = "",
        ruleset: str = "",
        options: Mapping[str, str] | None = None,
        bots: Iterable[str] = (),
        rounds: int = 0,
        stages: Iterable[stages_pb2.Stage] = (),
        boards: stages_pb2.Boards = stages_pb2.BOARDS_UNSPECIFIED,
        time_control: record_pb2.TimeControl | None = None,
        beacon_source: str = "",
        beacon_round: str = "",
        network_rule: tournaments_pb2.NetworkRule | None = None,
        unrated: bool = False,
        ladder: str = "",
        event: str = "",
        starts: Timestamp | None = None,
        starts_with_event: bool = False,
        lasting_processes: bool = False,
        alone: bool = False,
        persons: bool = False,
    ) -> tournaments_pb2.CreateTournamentResponse:
        """Plan a tournament, in state PLANNED."""
        request = tournaments_pb2.CreateTournamentRequest(
            name=name,
            ruleset=ruleset,
            options=options,
            bots=bots,
            rounds=rounds,
            stages=stages,
            boards=boards,
            time_control=time_control,
            beacon_source=beacon_source,
            beacon_round=beacon_round,
            network_rule=network_rule,
            unrated=unrated,
            ladder=ladder,
            event=event,
            starts=starts,
            starts_with_event=starts_with_event,
            lasting_processes=lasting_processes,
            alone=alone,
            persons=persons,
        )
        answer: tournaments_pb2.CreateTournamentResponse = await self.ask("CreateTournament", request)
        return answer

    async def save_tournament_draft(
        self,
        *,
        draft: drafts_pb2.TournamentDraft | None = None,
        publish: bool = False,
    ) -> drafts_pb2.SaveTournamentDraftResponse:
        """Make or changes a draft, and publishes it if that is asked for, as CreateTournament would create it."""
        request = drafts_pb2.SaveTournamentDraftRequest(
            draft=draft,
            publish=publish,
        )
        answer: drafts_pb2.SaveTournamentDraftResponse = await self.ask("SaveTournamentDraft", request)
        return answer

    async def get_tournament_draft(
        self,
        *,
        id: int = 0,
    ) -> drafts_pb2.GetTournamentDraftResponse:
        """Return a draft, also one that was published."""
        request = drafts_pb2.GetTournamentDraftRequest(
            id=id,
        )
        answer: drafts_pb2.GetTournamentDraftResponse = await self.ask("GetTournamentDraft", request)
        return answer

    async def list_tournament_drafts(
        self,
        *,
        event: str = "",
    ) -> drafts_pb2.ListTournamentDraftsResponse:
        """Return the drafts of events that the caller organises."""
        request = drafts_pb2.ListTournamentDraftsRequest(
            event=event,
        )
        answer: drafts_pb2.ListTournamentDraftsResponse = await self.ask("ListTournamentDrafts", request)
        return answer

    async def drop_tournament_draft(
        self,
        *,
        id: int = 0,
    ) -> drafts_pb2.DropTournamentDraftResponse:
        """Delete a draft for good."""
        request = drafts_pb2.DropTournamentDraftRequest(
            id=id,
        )
        answer: drafts_pb2.DropTournamentDraftResponse = await self.ask("DropTournamentDraft", request)
        return answer

    async def start_tournament(
        self,
        *,
        id: int = 0,
        beacon_value: str = "",
        at: Timestamp | None = None,
        with_event: bool = False,
    ) -> tournaments_pb2.StartTournamentResponse:
        """Settle the nonces, draws the schedule, and puts the first matches into the queue."""
        request = tournaments_pb2.StartTournamentRequest(
            id=id,
            beacon_value=beacon_value,
            at=at,
            with_event=with_event,
        )
        answer: tournaments_pb2.StartTournamentResponse = await self.ask("StartTournament", request)
        return answer

    async def cancel_tournament(
        self,
        *,
        id: int = 0,
        reason: str = "",
    ) -> tournaments_pb2.CancelTournamentResponse:
        """End a tournament."""
        request = tournaments_pb2.CancelTournamentRequest(
            id=id,
            reason=reason,
        )
        answer: tournaments_pb2.CancelTournamentResponse = await self.ask("CancelTournament", request)
        return answer

    async def pause_tournament(
        self,
        *,
        id: int = 0,
        reason: str = "",
    ) -> tournaments_pb2.PauseTournamentResponse:
        """Let no more matches of a running tournament begin."""
        request = tournaments_pb2.PauseTournamentRequest(
            id=id,
            reason=reason,
        )
        answer: tournaments_pb2.PauseTournamentResponse = await self.ask("PauseTournament", request)
        return answer

    async def resume_tournament(
        self,
        *,
        id: int = 0,
        reason: str = "",
    ) -> tournaments_pb2.ResumeTournamentResponse:
        """Let a paused tournament go on."""
        request = tournaments_pb2.ResumeTournamentRequest(
            id=id,
            reason=reason,
        )
        answer: tournaments_pb2.ResumeTournamentResponse = await self.ask("ResumeTournament", request)
        return answer

    async def void_matches(
        self,
        *,
        id: int = 0,
        matches: Iterable[int] = (),
        round: int = 0,
        stage: int = 0,
        reason: str = "",
        replay: bool = False,
    ) -> tournaments_pb2.VoidMatchesResponse:
        """Take the results of matches, finished or not, out of standings and ratings."""
        request = tournaments_pb2.VoidMatchesRequest(
            id=id,
            matches=matches,
            round=round,
            stage=stage,
            reason=reason,
            replay=replay,
        )
        answer: tournaments_pb2.VoidMatchesResponse = await self.ask("VoidMatches", request)
        return answer

    async def announce(
        self,
        *,
        event: str = "",
        text: str = "",
    ) -> events_pb2.AnnounceResponse:
        """Tell everybody something on the page of an event."""
        request = events_pb2.AnnounceRequest(
            event=event,
            text=text,
        )
        answer: events_pb2.AnnounceResponse = await self.ask("Announce", request)
        return answer

    async def retract_announcement(
        self,
        *,
        id: int = 0,
    ) -> events_pb2.RetractAnnouncementResponse:
        """Take an announcement back."""
        request = events_pb2.RetractAnnouncementRequest(
            id=id,
        )
        answer: events_pb2.RetractAnnouncementResponse = await self.ask("RetractAnnouncement", request)
        return answer

    async def list_acts(
        self,
        *,
        tournament: int = 0,
        event: str = "",
        who: str = "",
        before: int = 0,
        limit: int = 0,
    ) -> acts_pb2.ListActsResponse:
        """Return the log."""
        request = acts_pb2.ListActsRequest(
            tournament=tournament,
            event=event,
            who=who,
            before=before,
            limit=limit,
        )
        answer: acts_pb2.ListActsResponse = await self.ask("ListActs", request)
        return answer

    async def all_acts(
        self,
        *,
        tournament: int = 0,
        event: str = "",
        who: str = "",
        before: int = 0,
        limit: int = 0,
    ) -> AsyncIterator[acts_pb2.Act]:
        """Yield the log, page by page: `limit` rows, or all if that is 0."""
        request = acts_pb2.ListActsRequest(
            tournament=tournament,
            event=event,
            who=who,
            before=before,
        )
        async for page in self.pages("ListActs", request, limit):
            for row in page.acts:
                yield row

    async def enter_tournament(
        self,
        *,
        id: int = 0,
        bot: str = "",
        instead_of: str = "",
    ) -> tournaments_pb2.EnterTournamentResponse:
        """Enter a bot."""
        request = tournaments_pb2.EnterTournamentRequest(
            id=id,
            bot=bot,
            instead_of=instead_of,
        )
        answer: tournaments_pb2.EnterTournamentResponse = await self.ask("EnterTournament", request)
        return answer

    async def withdraw_from_tournament(
        self,
        *,
        id: int = 0,
        bot: str = "",
    ) -> tournaments_pb2.WithdrawFromTournamentResponse:
        """Take a bot out."""
        request = tournaments_pb2.WithdrawFromTournamentRequest(
            id=id,
            bot=bot,
        )
        answer: tournaments_pb2.WithdrawFromTournamentResponse = await self.ask("WithdrawFromTournament", request)
        return answer

    async def get_tournament(
        self,
        *,
        id: int = 0,
    ) -> tournaments_pb2.GetTournamentResponse:
        """Return a tournament with its standings."""
        request = tournaments_pb2.GetTournamentRequest(
            id=id,
        )
        answer: tournaments_pb2.GetTournamentResponse = await self.ask("GetTournament", request)
        return answer

    async def list_tournaments(
        self,
        *,
        limit: int = 0,
        before: int = 0,
        event: str = "",
    ) -> tournaments_pb2.ListTournamentsResponse:
        """Return tournaments, newest first."""
        request = tournaments_pb2.ListTournamentsRequest(
            limit=limit,
            before=before,
            event=event,
        )
        answer: tournaments_pb2.ListTournamentsResponse = await self.ask("ListTournaments", request)
        return answer

    async def all_tournaments(
        self,
        *,
        limit: int = 0,
        before: int = 0,
        event: str = "",
    ) -> AsyncIterator[tournaments_pb2.Tournament]:
        """Yield tournaments, newest first, page by page: `limit` rows, or all if that is 0."""
        request = tournaments_pb2.ListTournamentsRequest(
            before=before,
            event=event,
        )
        async for page in self.pages("ListTournaments", request, limit):
            for row in page.tournaments:
                yield row

    def watch_tournament(
        self,
        *,
        id: int = 0,
    ) -> AsyncIterator[tournaments_pb2.WatchTournamentResponse]:
        """Yield a tournament now and after every change, until it is over."""
        request = tournaments_pb2.WatchTournamentRequest(
            id=id,
        )
        return self.stream("WatchTournament", request)

    async def create_challenge(
        self,
        *,
        ruleset: str = "",
        options: Mapping[str, str] | None = None,
        time_control: record_pb2.TimeControl | None = None,
        seats: Iterable[matches_pb2.ChallengeSeat] = (),
        daily: bool = False,
    ) -> matches_pb2.CreateChallengeResponse:
        """Queue a match that does not count."""
        request = matches_pb2.CreateChallengeRequest(
            ruleset=ruleset,
            options=options,
            time_control=time_control,
            seats=seats,
            daily=daily,
        )
        answer: matches_pb2.CreateChallengeResponse = await self.ask("CreateChallenge", request)
        return answer

    async def cancel_challenge(
        self,
        *,
        match: int = 0,
    ) -> matches_pb2.CancelChallengeResponse:
        """Give such a match up, whether it has begun or not."""
        request = matches_pb2.CancelChallengeRequest(
            match=match,
        )
        answer: matches_pb2.CancelChallengeResponse = await self.ask("CancelChallenge", request)
        return answer

    async def get_daily_board(
        self,
        *,
        ruleset: str = "",
        day: str = "",
    ) -> daily_boards_pb2.GetDailyBoardResponse:
        """Return the board of a day, without its cards."""
        request = daily_boards_pb2.GetDailyBoardRequest(
            ruleset=ruleset,
            day=day,
        )
        answer: daily_boards_pb2.GetDailyBoardResponse = await self.ask("GetDailyBoard", request)
        return answer

    async def open_gathering(
        self,
        *,
        ruleset: str = "",
        house: str = "",
        time_control: record_pb2.TimeControl | None = None,
    ) -> gatherings_pb2.OpenGatheringResponse:
        """Let a person wait for friends, to whom the key of the gathering is sent in a link."""
        request = gatherings_pb2.OpenGatheringRequest(
            ruleset=ruleset,
            house=house,
            time_control=time_control,
        )
        answer: gatherings_pb2.OpenGatheringResponse = await self.ask("OpenGathering", request)
        return answer

    async def get_gathering(
        self,
        *,
        key: str = "",
    ) -> gatherings_pb2.GetGatheringResponse:
        """Return a gathering to anyone who knows its key, also after it has begun."""
        request = gatherings_pb2.GetGatheringRequest(
            key=key,
        )
        answer: gatherings_pb2.GetGatheringResponse = await self.ask("GetGathering", request)
        return answer

    async def join_gathering(
        self,
        *,
        key: str = "",
    ) -> gatherings_pb2.JoinGatheringResponse:
        """Take a place."""
        request = gatherings_pb2.JoinGatheringRequest(
            key=key,
        )
        answer: gatherings_pb2.JoinGatheringResponse = await self.ask("JoinGathering", request)
        return answer

    async def leave_gathering(
        self,
        *,
        key: str = "",
    ) -> gatherings_pb2.LeaveGatheringResponse:
        """Give a place up."""
        request = gatherings_pb2.LeaveGatheringRequest(
            key=key,
        )
        answer: gatherings_pb2.LeaveGatheringResponse = await self.ask("LeaveGathering", request)
        return answer

    async def begin_gathering(
        self,
        *,
        key: str = "",
    ) -> gatherings_pb2.BeginGatheringResponse:
        """Queue the match."""
        request = gatherings_pb2.BeginGatheringRequest(
            key=key,
        )
        answer: gatherings_pb2.BeginGatheringResponse = await self.ask("BeginGathering", request)
        return answer

    async def list_matches(
        self,
        *,
        tournament: int = 0,
        bot: str = "",
        limit: int = 0,
        before: int = 0,
        state: matches_pb2.MatchState = matches_pb2.MATCH_STATE_UNSPECIFIED,
        against: str = "",
        game: str = "",
        version: str = "",
        place: int = 0,
        strikes: bool = False,
        newest: int = 0,
        seats: int = 0,
        ladder: str = "",
        challenger: str = "",
        event: str = "",
        since: Timestamp | None = None,
    ) -> matches_pb2.ListMatchesResponse:
        """Return matches, newest first."""
        request = matches_pb2.ListMatchesRequest(
            tournament=tournament,
            bot=bot,
            limit=limit,
            before=before,
            state=state,
            against=against,
            game=game,
            version=version,
            place=place,
            strikes=strikes,
            newest=newest,
            seats=seats,
            ladder=ladder,
            challenger=challenger,
            event=event,
            since=since,
        )
        answer: matches_pb2.ListMatchesResponse = await self.ask("ListMatches", request)
        return answer

    async def all_matches(
        self,
        *,
        tournament: int = 0,
        bot: str = "",
        limit: int = 0,
        before: int = 0,
        state: matches_pb2.MatchState = matches_pb2.MATCH_STATE_UNSPECIFIED,
        against: str = "",
        game: str = "",
        version: str = "",
        place: int = 0,
        strikes: bool = False,
        newest: int = 0,
        seats: int = 0,
        ladder: str = "",
        challenger: str = "",
        event: str = "",
        since: Timestamp | None = None,
    ) -> AsyncIterator[matches_pb2.Match]:
        """Yield matches, newest first, page by page: `limit` rows, or all if that is 0."""
        request = matches_pb2.ListMatchesRequest(
            tournament=tournament,
            bot=bot,
            before=before,
            state=state,
            against=against,
            game=game,
            version=version,
            place=place,
            strikes=strikes,
            newest=newest,
            seats=seats,
            ladder=ladder,
            challenger=challenger,
            event=event,
            since=since,
        )
        async for page in self.pages("ListMatches", request, limit):
            for row in page.matches:
                yield row

    async def list_void_attempts(
        self,
        *,
        tournament: int = 0,
        ladder: str = "",
        limit: int = 0,
        before: int = 0,
    ) -> matches_pb2.ListVoidAttemptsResponse:
        """Return attempts of matches that the server voided, newest first, with the key of each board once no
        match is played on it any more.
        """
        request = matches_pb2.ListVoidAttemptsRequest(
            tournament=tournament,
            ladder=ladder,
            limit=limit,
            before=before,
        )
        answer: matches_pb2.ListVoidAttemptsResponse = await self.ask("ListVoidAttempts", request)
        return answer

    async def all_void_attempts(
        self,
        *,
        tournament: int = 0,
        ladder: str = "",
        limit: int = 0,
        before: int = 0,
    ) -> AsyncIterator[matches_pb2.VoidAttempt]:
        """Yield attempts of matches that the server voided, newest first, with the key of each board once no match
        is played on it any more, page by page: `limit` rows, or all if that is 0.
        """
        request = matches_pb2.ListVoidAttemptsRequest(
            tournament=tournament,
            ladder=ladder,
            before=before,
        )
        async for page in self.pages("ListVoidAttempts", request, limit):
            for row in page.attempts:
                yield row

    async def get_record(
        self,
        *,
        match: int = 0,
    ) -> matches_pb2.GetRecordResponse:
        """Return the record of a finished match."""
        request = matches_pb2.GetRecordRequest(
            match=match,
        )
        answer: matches_pb2.GetRecordResponse = await self.ask("GetRecord", request)
        return answer

    async def get_analysis(
        self,
        *,
        match: int = 0,
    ) -> analysis_pb2.GetAnalysisResponse:
        """Return what the decisions of a match have cost, as far as its analysis is."""
        request = analysis_pb2.GetAnalysisRequest(
            match=match,
        )
        answer: analysis_pb2.GetAnalysisResponse = await self.ask("GetAnalysis", request)
        return answer

    async def request_analysis(
        self,
        *,
        match: int = 0,
    ) -> analysis_pb2.RequestAnalysisResponse:
        """Ha a match analysed before all those for which nobody has asked."""
        request = analysis_pb2.RequestAnalysisRequest(
            match=match,
        )
        answer: analysis_pb2.RequestAnalysisResponse = await self.ask("RequestAnalysis", request)
        return answer

    async def get_queue(
        self,
    ) -> nodes_pb2.GetQueueResponse:
        """Return what waits and what runs."""
        request = nodes_pb2.GetQueueRequest()
        answer: nodes_pb2.GetQueueResponse = await self.ask("GetQueue", request)
        return answer

    async def list_nodes(
        self,
    ) -> nodes_pb2.ListNodesResponse:
        """Return the nodes that play, by name, all in one answer."""
        request = nodes_pb2.ListNodesRequest()
        answer: nodes_pb2.ListNodesResponse = await self.ask("ListNodes", request)
        return answer
