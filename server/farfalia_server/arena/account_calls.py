"""The calls of accounts and invitations, and of bots' tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from farfalia.v1 import accounts_pb2, bots_pb2
from farfalia_server.arena.access import ORGANISERS, VIEWERS, Access, Caller, check_not_suspended
from farfalia_server.arena.account_messages import account_message, identity_message, invitation_message
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.arena.event_messages import membership_message
from farfalia_server.arena.presence import Presence
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.registering import LONGEST_OWNER, Registering
from farfalia_server.arena.request_checks import checked_name, checked_number, row_limit
from farfalia_server.arena.signing_in import SigningIn
from farfalia_server.contract.bounds import BOT_NAME
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument, NotFound
from farfalia_server.contract.registration import RegistrationRules
from farfalia_server.contract.said import Said, said
from farfalia_server.organising.validation import checked_text
from farfalia_server.play.play_service import bearer_token
from farfalia_server.records.messages import timestamp
from farfalia_server.store import ARENA, Account, MemberRole, Role, Store, TokenScope

if TYPE_CHECKING:  # these import libraries that a server without a provider, or without mail, does not need
    from farfalia_server.arena.identifying import Identifying
    from farfalia_server.arena.password_mail import PasswordMail

#: Limits of an invitation: accounts that it makes, seconds until it expires; and how many are listed.
MOST_USES, LONGEST_SECONDS, _LISTED = 10_000, 366 * 86_400, 1000


class AccountCalls:
    """A part of the arena's service: who has which token."""

    def __init__(
        self,
        store: Store,
        access: Access,
        rules: RegistrationRules,
        reader: Reader,
        presence: Presence,
        call_limits: CallLimits,
        identities: Identifying | None,
        mail: PasswordMail | None,
    ) -> None:
        self._store = store
        self._access = access
        #: Checks passwords, and has the wrong ones of each account and address.
        self.signing_in = SigningIn(store)
        self._identities = identities
        self._mail = mail
        self._registering = Registering(store, access, rules, self.signing_in)
        self._reader = reader
        self._presence = presence
        #: Call limits per address and per token.
        self.call_limits = call_limits

    @errors_as_status
    async def CreateAccount(  # noqa: N802 - the contract's name
        self, request: accounts_pb2.CreateAccountRequest, context: Context
    ) -> accounts_pb2.CreateAccountResponse:
        """Make an account."""
        if request.email:
            self._check_mail()
        identity = await self._identifying.identity(request.identity) if request.identity else None
        account, token = await self._registering.account(
            request, bearer_token(context), self.call_limits.address_of(context), identity
        )
        bot_token = await self._registering.first_bot(request.bot, account) if request.bot else ""
        return accounts_pb2.CreateAccountResponse(account=self._message(account), token=token, bot_token=bot_token)

    @errors_as_status
    async def SignIn(  # noqa: N802
        self, request: accounts_pb2.SignInRequest, context: Context
    ) -> accounts_pb2.SignInResponse:
        """Begin a session."""
        if request.identity:
            account = await self._identified(request.identity)
        else:
            address = self.call_limits.address_of(context)
            account = await self.signing_in.account(request.name, request.password, address)
        session, expires = await self._store.sessions.begin(account)
        return accounts_pb2.SignInResponse(account=self._message(account), session=session, expires=timestamp(expires))

    @errors_as_status
    async def SignOut(  # noqa: N802
        self, request: accounts_pb2.SignOutRequest, context: Context
    ) -> accounts_pb2.SignOutResponse:
        """End the session, or all of its account."""
        caller, account = await self._access.whole(bearer_token(context))
        if request.everywhere:
            await self._store.sessions.end_all(account)
        elif caller.session:
            await self._store.sessions.end(caller.session)
        return accounts_pb2.SignOutResponse()

    @errors_as_status
    async def SetPassword(  # noqa: N802
        self, request: accounts_pb2.SetPasswordRequest, context: Context
    ) -> accounts_pb2.SetPasswordResponse:
        """Give an account a password."""
        caller = await self._access.caller(bearer_token(context))
        account = await self._own_or_any(bearer_token(context), request.name, TokenScope.PASSWORD)
        own = caller.account is not None and caller.account.id == account.id
        if own and caller.session and account.password:
            await self.signing_in.account(account.name, request.old, self.call_limits.address_of(context))
        password = await self.signing_in.hash("password", request.password)
        who = "" if own else caller.name
        if caller.scope is TokenScope.PASSWORD and not await self._store.api_tokens.use_up(bearer_token(context)):
            Caller(has_token=True).refuse(said("a link that was not used before"))
        await self._store.accounts.set_password(account.name, password, who, except_session=caller.session)
        return accounts_pb2.SetPasswordResponse()

    @errors_as_status
    async def CreatePasswordLink(  # noqa: N802
        self, request: accounts_pb2.CreatePasswordLinkRequest, context: Context
    ) -> accounts_pb2.CreatePasswordLinkResponse:
        """Make a link by which somebody chooses a new password, and send it where that can be done."""
        caller, account = await self._managed(bearer_token(context), request.name)
        token, expires = await self._store.api_tokens.password_link(account, caller.name)
        made = accounts_pb2.CreatePasswordLinkResponse(token=token, expires=timestamp(expires))
        if self._mail is None:
            made.status = accounts_pb2.MAIL_STATUS_OFF
        else:
            made.status, made.text = await self._mail.send(account, token, expires)
        return made

    @errors_as_status
    async def GetAccount(  # noqa: N802
        self, request: accounts_pb2.GetAccountRequest, context: Context
    ) -> accounts_pb2.GetAccountResponse:
        """Return an account with its bots, to itself or who manages it."""
        token = bearer_token(context)
        account = await self._own_or_any(token, request.name, TokenScope.BOTS)
        caller = await self._access.caller(token)
        connected, off = await self._presence.connected(), await self._store.webhooks.disabled(account.id)
        return accounts_pb2.GetAccountResponse(
            account=self._message(account),
            bots=[
                accounts_pb2.OwnedBot(
                    name=bot.name,
                    has_token=bot.has_token,
                    connected=bot.name in connected,
                    webhook_off=bot.id in off,
                )
                for bot in await self._store.accounts.bots(account.id)
            ],
            memberships=map(membership_message, await self._store.members.of_account(account.id)),
            identities=map(identity_message, await self._store.identities.of(account.id)),
            email=account.email if caller.scope is TokenScope.ALL else "",
            connection_caps=[
                accounts_pb2.ConnectionCap(
                    event=cap.event,
                    most=cap.most,
                    team=cap.team,
                    connected=[bot for bot in cap.bots.values() if bot in connected],
                )
                for cap in await self._store.members.connection_caps(account.id)
            ],
        )

    @errors_as_status
    async def ListAccounts(  # noqa: N802
        self, request: accounts_pb2.ListAccountsRequest, context: Context
    ) -> accounts_pb2.ListAccountsResponse:
        """Return accounts."""
        await self._access.require(bearer_token(context), *VIEWERS)
        accounts = await self._store.accounts.page(row_limit(request.limit), checked_name(request.after))
        return accounts_pb2.ListAccountsResponse(accounts=map(self._message, accounts))

    @errors_as_status
    async def RotateAccountToken(  # noqa: N802
        self, request: accounts_pb2.RotateAccountTokenRequest, context: Context
    ) -> accounts_pb2.RotateAccountTokenResponse:
        """Give an account a new token."""
        account = await self._own_or_any(bearer_token(context), request.name)
        caller = await self._access.caller(bearer_token(context))
        who = "" if caller.account is not None and caller.account.id == account.id else caller.name
        token = await self._store.accounts.rotate_token(account.name, who)
        return accounts_pb2.RotateAccountTokenResponse(token=token)

    @errors_as_status
    async def RevokeAccount(  # noqa: N802
        self, request: accounts_pb2.RevokeAccountRequest, context: Context
    ) -> accounts_pb2.RevokeAccountResponse:
        """Revoke the tokens of an account and of its bots, and end what they opened."""
        caller, account = await self._managed(bearer_token(context), request.name)
        revoked = await self._store.accounts.revoke(account.name, caller.name)
        return accounts_pb2.RevokeAccountResponse(account=self._message(revoked))

    @errors_as_status
    async def CreateInvitation(  # noqa: N802
        self, request: accounts_pb2.CreateInvitationRequest, context: Context
    ) -> accounts_pb2.CreateInvitationResponse:
        """Make an invitation."""
        event = request.event or ARENA
        caller = await self._access.require_in_event(bearer_token(context), event, MemberRole.ORGANISER)
        if (await self._store.events.get(event)).closed is not None:
            raise FailedPrecondition(said("the event %(event)s is closed", event=event), "EVENT_CLOSED")
        note = checked_text("note", request.note, LONGEST_OWNER)
        for field, value, most in (("uses", request.uses, MOST_USES), ("seconds", request.seconds, LONGEST_SECONDS)):
            if value > most:
                raise InvalidArgument(
                    field,
                    said("%(field)s is %(value)s; expected at most %(most)s", field=field, value=value, most=most),
                )
        lasting = timedelta(seconds=request.seconds) if request.seconds else None
        invitation, code = await self._store.invitations.create(note, request.uses or 1, lasting, event, caller.name)
        return accounts_pb2.CreateInvitationResponse(invitation=invitation_message(invitation), code=code)

    @errors_as_status
    async def ListInvitations(  # noqa: N802
        self, request: accounts_pb2.ListInvitationsRequest, context: Context
    ) -> accounts_pb2.ListInvitationsResponse:
        """Return the invitations, without their codes."""
        if request.event:
            await self._access.require_in_event(bearer_token(context), request.event, MemberRole.ORGANISER)
            await self._store.events.get(checked_name(request.event))
        else:
            await self._access.require(bearer_token(context), *VIEWERS)
        invitations = await self._store.invitations.newest(_LISTED, request.event)
        return accounts_pb2.ListInvitationsResponse(invitations=map(invitation_message, invitations))

    @errors_as_status
    async def RevokeInvitation(  # noqa: N802
        self, request: accounts_pb2.RevokeInvitationRequest, context: Context
    ) -> accounts_pb2.RevokeInvitationResponse:
        """End an invitation."""
        number = checked_number(request.id, "invitation")
        event = await self._store.invitations.event(number)
        caller = await self._access.require_in_event(bearer_token(context), event, MemberRole.ORGANISER)
        invitation = await self._store.invitations.revoke(number, caller.name)
        return accounts_pb2.RevokeInvitationResponse(invitation=invitation_message(invitation))

    @errors_as_status
    async def RegisterBot(  # noqa: N802
        self, request: bots_pb2.RegisterBotRequest, context: Context
    ) -> bots_pb2.RegisterBotResponse:
        """Make a bot, a new version of one, or a guest."""
        address = self.call_limits.address_of(context)
        if request.person:
            name, token = await self._registering.guest(request, address)
            return bots_pb2.RegisterBotResponse(bot=await self._reader.bots.one(name), token=token)
        token = await self._registering.bot(request, bearer_token(context), address)
        return bots_pb2.RegisterBotResponse(bot=await self._reader.bots.one(request.name), token=token)

    @errors_as_status
    async def RotateToken(  # noqa: N802
        self, request: bots_pb2.RotateTokenRequest, context: Context
    ) -> bots_pb2.RotateTokenResponse:
        """Give a bot a new token and end the stream that the old one opened."""
        caller = await self._access.require_manager(bearer_token(context), request.name)
        bot = await self._reader.bots.one(request.name)
        free = caller.account is None or caller.manages(None) or await self._access.manages_bot(caller, bot.name)
        quota = 0 if free or caller.account is None else self._registering.quota(caller.account)
        token = await self._store.bots.rotate_token(bot.name, quota)
        await self._presence.dismiss(bot.name)
        return bots_pb2.RotateTokenResponse(token=token)

    @errors_as_status
    async def RevokeToken(  # noqa: N802
        self, request: bots_pb2.RevokeTokenRequest, context: Context
    ) -> bots_pb2.RevokeTokenResponse:
        """Revoke a bot's token and end the stream that it opened."""
        await self._access.require_manager(bearer_token(context), request.name)
        bot = await self._reader.bots.one(request.name)
        await self._store.bots.revoke_token(bot.name)
        await self._presence.dismiss(bot.name)
        return bots_pb2.RevokeTokenResponse()

    def _check_mail(self) -> None:
        """Raise FailedPrecondition where the server sends no mail: it keeps no address that it does not need."""
        if self._mail is None:
            raise FailedPrecondition(said("this server sends no mail, and takes no e-mail address"), "MAIL_OFF")

    @property
    def _identifying(self) -> Identifying:
        if self._identities is None:
            raise FailedPrecondition(said("this server has no provider of OpenID Connect"), "OIDC_OFF")
        return self._identities

    async def _identified(self, identity: str) -> Account:
        """Return the account that signs in with an identity; NotFound, Unauthenticated, PermissionDenied."""
        account = await self._store.identities.account(*await self._identifying.identity(identity))
        if account is None:
            raise NotFound(said("no account signs in with this identity; make one"), "ACCOUNT_UNKNOWN")
        check_not_suspended(account)
        return account

    async def _own_or_any(self, token: str, name: str, *scopes: TokenScope) -> Account:
        """Return the caller's own account, or one that the caller manages; the token is good for everything, or has one
        of these scopes.
        """
        caller = await self._access.caller(token)
        own = caller.account
        if name and (own is None or name != own.name) and BOT_NAME.fullmatch(name):
            found = await self._store.accounts.find(name)
            if found is not None and await self._access.manages(caller, found):
                return found
            if found is None and caller.role in ORGANISERS:
                raise NotFound(said("there is no account %(name)s", name=repr(name)), "ACCOUNT_UNKNOWN")
        if own is None or name not in ("", own.name) or caller.scope not in (TokenScope.ALL, *scopes):
            caller.refuse(_whose(caller, name))
        return await self._named(own.name)

    async def _managed(self, token: str, name: str) -> tuple[Caller, Account]:
        """Return the caller, and an account that is in the caller's care; NotFound, Unauthenticated, PermissionDenied,
        the last whether the account exists or not.
        """
        caller = await self._access.caller(token)
        account = await self._store.accounts.find(name) if BOT_NAME.fullmatch(name) else None
        if account is None and caller.role in ORGANISERS:
            raise NotFound(said("there is no account %(name)s", name=repr(name[:40])), "ACCOUNT_UNKNOWN")
        if account is None or not await self._access.manages(caller, account):
            caller.refuse(
                said("the token of somebody who manages the account %(name)s, or of the admin", name=name[:40])
            )
        return caller, account

    async def _named(self, name: str) -> Account:
        if not BOT_NAME.fullmatch(name):
            raise NotFound(said("there is no account %(name)s", name=repr(name[:40])), "ACCOUNT_UNKNOWN")
        return await self._store.accounts.by_name(name)

    def _message(self, account: Account) -> accounts_pb2.Account:
        return account_message(account, self._registering.quota(account))


def _whose(caller: Caller, name: str) -> Said:
    if caller.role is Role.ADMIN:
        return said("the name of an account, or an account's own token")
    if not name:
        return said("the token of an account")
    return said("the token of the account %(name)s, or the admin token", name=name)
