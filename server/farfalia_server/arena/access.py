"""Who may do what, by token; which call takes which check is in `service` and in the modules of calls beside it.

docs/accounts.md has the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from farfalia_server.contract.bounds import BOT_NAME, EVENT_NAME
from farfalia_server.contract.errors import PermissionDenied, Unauthenticated
from farfalia_server.contract.said import Said, either, in_english, joined, said
from farfalia_server.contract.untrusted import clean
from farfalia_server.store import (
    API_PREFIX,
    ARENA,
    SESSION_PREFIX,
    Account,
    Bot,
    MemberRole,
    Role,
    Store,
    TokenHolder,
    TokenScope,
)

#: Roles that run tournaments and ladders, and roles that may read the same.
ORGANISERS = (Role.ORGANISER, Role.ADMIN)
VIEWERS = (Role.VIEWER, Role.ORGANISER, Role.ADMIN)
#: Roles of accounts that organisers manage.
_MANAGED = (Role.OWNER, Role.VIEWER)
#: Members of an event that run its tournaments.
RUNNERS = (MemberRole.HELPER, MemberRole.ORGANISER)
#: What refusals say of tokens that are good for a part.
_GOOD_FOR = {
    TokenScope.BOTS: said("its bots"),
    TokenScope.BOT: said("a bot"),
    TokenScope.HOST: said("a host"),
    TokenScope.PASSWORD: said("a new password"),
}
#: Roles in the arena and in events, as a sentence names them.
_A_ROLE = {
    "owner": said("an owner"),
    "viewer": said("a viewer"),
    "organiser": said("an organiser"),
    "admin": said("an admin"),
    "helper": said("a helper"),
    "member": said("a member"),
}
#: What tokens are good for that say nothing of bots and events.
_APART = (TokenScope.HOST, TokenScope.PASSWORD)
#: Most characters of a name that a refusal repeats.
_NAME = 80


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a call: the admin, an account, a bot, or somebody unknown."""

    #: The token's role; None for a bot's token and without one.
    role: Role | None = None
    account: Account | None = None
    bot: Bot | None = None
    #: Whether the call has a token.
    has_token: bool = False
    #: The session in which an account makes the call; empty if it shows its token.
    session: str = field(default="", repr=False)
    #: What the token is good for, of all that the account may do, and the only event where it is.
    scope: TokenScope = TokenScope.ALL
    event: str = ""

    @property
    def known(self) -> bool:
        """Whether the token is valid."""
        return self.role is not None or self.bot is not None

    @property
    def name(self) -> str:
        """What logs call it: the account, the bot, or admin."""
        return self.account.name if self.account is not None else self.bot.name if self.bot is not None else "admin"

    @property
    def person(self) -> Account | None:
        """The account, if something may be done in its name: not with a token for a host or a new password alone."""
        return None if self.scope in _APART else self.account

    @property
    def _whose(self) -> Said:
        if self.account is None:
            return said("the admin's") if self.bot is None else said("that of the bot %(bot)s", bot=self.bot.name)
        name, role = self.account.name, _A_ROLE[self.account.role]
        if self.scope is TokenScope.ALL:
            return said("that of the account %(account)s, %(role)s", account=name, role=role)
        return said(
            "that of the account %(account)s, %(role)s, good for %(part)s alone",
            account=name,
            role=role,
            part=_GOOD_FOR.get(self.scope) or said("the event %(event)s", event=self.event),
        )

    def owns(self, bot: Bot) -> bool:
        """Return whether it is the bot, the account that owns it, or the admin."""
        if self.role is Role.VIEWER or self.scope is TokenScope.EVENT or self.scope in _APART:
            return False
        mine = self.account is not None and bot.account_id == self.account.id
        return mine or self.role is Role.ADMIN or (self.bot is not None and self.bot.id == bot.id)

    def manages(self, account: Account | None) -> bool:
        """Return whether an account, or nobody's bots, are in the caller's care.

        The admin manages all, an organiser those of owners and viewers.
        """
        if self.role is Role.ORGANISER:
            return account is None or account.role in _MANAGED
        return self.role is Role.ADMIN

    def refuse(self, expected: Said) -> NoReturn:
        """Raise Unauthenticated (TOKEN_MISSING, TOKEN_UNKNOWN) or PermissionDenied, naming whose token is expected."""
        if not self.has_token:
            raise Unauthenticated(
                said("this call needs %(expected)s (metadata authorization: Bearer TOKEN)", expected=expected),
                "TOKEN_MISSING",
            )
        if not self.known:
            raise Unauthenticated(
                said("the token is not this server's, or was replaced; expected %(expected)s", expected=expected)
            )
        raise PermissionDenied(
            said("the token is %(whose)s; expected %(expected)s", whose=self._whose, expected=expected)
        )


class Access:
    """What a call may do, by its token; an empty token is nobody's."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def caller(self, token: str) -> Caller:
        """Return whose token this is; PermissionDenied (ACCOUNT_SUSPENDED, BOT_SUSPENDED) if that is suspended."""
        if not token:
            return Caller()
        if await self._store.meta.is_admin_token(token):
            return Caller(Role.ADMIN, has_token=True)
        caller = await self._found(token)
        if caller.account is not None:
            check_not_suspended(caller.account)
        if caller.bot is not None and caller.bot.barred:
            raise PermissionDenied(
                said("the bot %(bot)s is suspended; ask an organiser", bot=caller.bot.name), "BOT_SUSPENDED"
            )
        return caller

    async def _found(self, token: str) -> Caller:
        if token.startswith(API_PREFIX) and (holder := await self._store.api_tokens.holder(token)) is not None:
            check_not_suspended(holder.account)
            return _in_scope(holder)
        in_session = token.startswith(SESSION_PREFIX)
        account = await (self._store.sessions.account(token) if in_session else self._store.accounts.by_token(token))
        if account is not None:
            return Caller(account.role, account, has_token=True, session=token if in_session else "")
        bot = await self._store.bots.by_token(token)
        # What a host opens a bot's stream with is good for nothing else.
        return Caller(bot=None if bot is not None and bot.by_host else bot, has_token=True)

    async def whole(self, token: str) -> tuple[Caller, Account]:
        """Return whose token this is, and the account: one in whose name everything may be done."""
        caller = await self.caller(token)
        if caller.account is None or caller.scope is not TokenScope.ALL:
            caller.refuse(said("a session, or the token of an account for everything"))
        return caller, caller.account

    async def hashes(self) -> frozenset[bytes]:
        """Return the hashes of all valid tokens."""
        admin = await self._store.meta.admin_token_hash()
        return (
            await self._store.bots.token_hashes()
            | await self._store.accounts.token_hashes()
            | await self._store.sessions.token_hashes()
            | await self._store.api_tokens.token_hashes()
            | (frozenset() if admin is None else {admin})
        )

    async def owns(self, token: str, name: str) -> bool:
        """Return whether the token is that of the bot of this name, of its owner, or the admin's."""
        return await self._owns(await self.caller(token), name)

    async def require(self, token: str, *roles: Role) -> Caller:
        """Return whose token this is; Unauthenticated or PermissionDenied unless it has one of the roles."""
        caller = await self.caller(token)
        if caller.role not in roles:
            caller.refuse(expected_of(roles))
        return caller

    async def require_host(self, token: str) -> None:
        """Check that the token is the admin's, or was made for a host by an account that still is an admin."""
        caller = await self.caller(token)
        account = caller.account
        if caller.role is Role.ADMIN and caller.scope is TokenScope.ALL:
            return
        if await self._store.meta.is_host_token(token):
            return
        if caller.scope is not TokenScope.HOST or account is None or account.role is not Role.ADMIN:
            caller.refuse(in_english("a token for hosts, which an admin makes, or the admin token"))

    async def require_owner(self, token: str, name: str, *roles: Role) -> Caller:
        """Return whose token this is: the bot's of this name, its owner's, the admin's, or one with such a role.

        Unauthenticated or PermissionDenied for everyone else, whether the bot exists or not.
        """
        caller = await self.caller(token)
        if caller.role is Role.ADMIN or caller.role in roles:
            return caller
        if await self._owns(caller, name):
            return caller
        owned = clean(name, _NAME)
        if not roles:
            caller.refuse(said("the token of %(name)s, of the account that owns it or the admin token", name=owned))
        caller.refuse(
            said(
                "the token of %(name)s, of the account that owns it, of %(roles)s or of the admin",
                name=owned,
                roles=joined([_A_ROLE[role] for role in roles if role is not Role.ADMIN]),
            )
        )
        return caller

    async def require_in_event(self, token: str, event: str, *roles: MemberRole) -> Caller:
        """Return whose token this is: an organiser's, the admin's, or that of a member of the event with such a role.

        Unauthenticated or PermissionDenied for everyone else, whether the event exists or not.
        """
        caller = await self.caller(token)
        if not await self.may_in_event(caller, event, *roles):
            caller.refuse(
                said(
                    "the token of %(roles)s of the event %(event)s, of an organiser or of the admin",
                    roles=either([_A_ROLE[role] for role in roles]),
                    event=clean(event, _NAME),
                )
            )
        return caller

    async def may_in_event(self, caller: Caller, event: str, *roles: MemberRole) -> bool:
        """Return whether the caller is an organiser of the arena, the admin, or a member with one of these roles."""
        if caller.role in ORGANISERS:
            return True
        if caller.account is None or caller.account.role is Role.VIEWER or not EVENT_NAME.fullmatch(event):
            return False
        if caller.scope is TokenScope.EVENT and caller.event == event and caller.account.role in ORGANISERS:
            return True
        if caller.scope is TokenScope.BOTS or caller.scope in _APART or caller.event not in ("", event):
            return False
        return await self._store.members.role(event, caller.account.id) in roles

    async def manages(self, caller: Caller, account: Account | None) -> bool:
        """Return whether an account, or nobody's bots, are in the caller's care; an event's organisers have the
        accounts that its invitations made.
        """
        if caller.manages(account):
            return True
        if account is None or account.event == ARENA or account.role not in _MANAGED:
            return False
        return await self.may_in_event(caller, account.event, MemberRole.ORGANISER)

    async def require_runner(self, token: str, tournament: int) -> Caller:
        """Return whose token this is: of somebody who runs this tournament."""
        return await self.require_in_event(token, await self._store.tournaments.event(tournament), *RUNNERS)

    async def require_manager(self, token: str, name: str) -> Caller:
        """Return whose token this is: the bot's of this name, its owner's, or of somebody who manages its owner.

        Unauthenticated or PermissionDenied for everyone else, whether the bot exists or not.
        """
        caller = await self.caller(token)
        if await self.manages_bot(caller, name):
            return caller
        return await self.require_owner(token, name)

    async def require_manager_alone(self, token: str, name: str) -> Caller:
        """Return the same, but refuse the bot itself, and its owner unless that is an organiser."""
        caller = await self.caller(token)
        may = caller.role is Role.ADMIN or (caller.role is Role.ORGANISER and await self._owns(caller, name))
        if not may and not await self.manages_bot(caller, name):
            caller.refuse(
                said(
                    "the token of somebody who manages the owner of %(name)s, or of the admin", name=clean(name, _NAME)
                )
            )
        return caller

    async def manages_bot(self, caller: Caller, name: str) -> bool:
        """Return whether the owner of the bot of this name, or nobody's bot, is in the caller's care."""
        if caller.account is None or not BOT_NAME.fullmatch(name):
            return False
        bots = [bot for bot in await self._store.bots.named([name]) if not bot.house]
        return any([await self.manages(caller, await self._owner(bot)) for bot in bots])

    async def _owner(self, bot: Bot) -> Account | None:
        return None if bot.account_id is None else await self._store.accounts.by_id(bot.account_id)

    async def _owns(self, caller: Caller, name: str) -> bool:
        """Return whether the caller is the bot of this name, its owner, or the admin.

        A text that cannot be a name is not looked up, since not every database takes any text.
        """
        if not caller.known or not BOT_NAME.fullmatch(name):
            return False
        return any(caller.owns(bot) for bot in await self._store.bots.named([name]))


def check_not_suspended(account: Account) -> None:
    """Raise PermissionDenied (ACCOUNT_SUSPENDED) for an account that is."""
    if account.suspended is not None:
        text = said("the account %(account)s is suspended; ask an organiser", account=account.name)
        raise PermissionDenied(text, "ACCOUNT_SUSPENDED")


def _in_scope(holder: TokenHolder) -> Caller:
    """Return who makes a call with a token that is good for a part of what its account may do."""
    account = holder.account
    if holder.bot is not None:
        return Caller(bot=holder.bot, has_token=True)
    if holder.scope is TokenScope.ALL:
        return Caller(account.role, account, has_token=True)
    role = Role.VIEWER if account.role is Role.VIEWER else Role.OWNER
    return Caller(role, account, has_token=True, scope=holder.scope, event=holder.event)


def expected_of(roles: tuple[Role, ...]) -> Said:
    """Return whose token a call takes."""
    if roles == (Role.ADMIN,):
        return said("the admin token")
    names = [_A_ROLE[role] for role in roles if role is not Role.ADMIN]
    return said("the token of %(roles)s or of the admin", roles=joined(names))
