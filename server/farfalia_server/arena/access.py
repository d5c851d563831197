"""Who may do what, by token; which call takes which check is in `service` and in the modules of calls beside it.

docs/accounts.md has the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from farfalia_server.contract.bounds import BOT_NAME, EVENT_NAME
from farfalia_server.contract.errors import PermissionDenied, Unauthenticated
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
    TokenScope.BOTS: "its bots",
    TokenScope.BOT: "a bot",
    TokenScope.EVENT: "the event ",
    TokenScope.HOST: "a host",
    TokenScope.PASSWORD: "a new password",
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
    def _whose(self) -> str:
        if self.account is not None:
            part = "" if self.scope is TokenScope.ALL else f", good for {_GOOD_FOR[self.scope]}{self.event} alone"
            return f"that of the account {self.account.name}, {article(self.account.role)}{part}"
        return f"that of the bot {self.bot.name}" if self.bot is not None else "the admin's"

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

    def refuse(self, expected: str) -> NoReturn:
        """Raise Unauthenticated (TOKEN_MISSING, TOKEN_UNKNOWN) or PermissionDenied, naming whose token is expected."""
        if not self.has_token:
            raise Unauthenticated(f"this call needs {expected} (metadata authorization: Bearer TOKEN)", "TOKEN_MISSING")
        if not self.known:
            raise Unauthenticated(f"the token is not this server's, or was replaced; expected {expected}")
        raise PermissionDenied(f"the token is {self._whose}; expected {expected}")


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
            raise PermissionDenied(f"the bot {caller.bot.name} is suspended; ask an organiser", "BOT_SUSPENDED")
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
            caller.refuse("a session, or the token of an account for everything")
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
            caller.refuse("a token for hosts, which an admin makes, or the admin token")

    async def require_owner(self, token: str, name: str, *roles: Role) -> Caller:
        """Return whose token this is: the bot's of this name, its owner's, the admin's, or one with such a role.

        Unauthenticated or PermissionDenied for everyone else, whether the bot exists or not.
        """
        caller = await self.caller(token)
        if caller.role is Role.ADMIN or caller.role in roles:
            return caller
        if await self._owns(caller, name):
            return caller
        others = f" or {expected_of((*roles, Role.ADMIN))}".replace(" or the token", ",", 1)
        caller.refuse(f"the token of {clean(name, _NAME)}, of the account that owns it{others}")
        return caller

    async def require_in_event(self, token: str, event: str, *roles: MemberRole) -> Caller:
        """Return whose token this is: an organiser's, the admin's, or that of a member of the event with such a role.

        Unauthenticated or PermissionDenied for everyone else, whether the event exists or not.
        """
        caller = await self.caller(token)
        if not await self.may_in_event(caller, event, *roles):
            wanted = " or ".join(article(role) for role in roles)
            caller.refuse(f"the token of {wanted} of the event {clean(event, _NAME)}, of an organiser or of the admin")
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
            caller.refuse(f"the token of somebody who manages the owner of {clean(name, _NAME)}, or of the admin")
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
        raise PermissionDenied(f"the account {account.name} is suspended; ask an organiser", "ACCOUNT_SUSPENDED")


def _in_scope(holder: TokenHolder) -> Caller:
    """Return who makes a call with a token that is good for a part of what its account may do."""
    account = holder.account
    if holder.bot is not None:
        return Caller(bot=holder.bot, has_token=True)
    if holder.scope is TokenScope.ALL:
        return Caller(account.role, account, has_token=True)
    role = Role.VIEWER if account.role is Role.VIEWER else Role.OWNER
    return Caller(role, account, has_token=True, scope=holder.scope, event=holder.event)


def expected_of(roles: tuple[Role, ...]) -> str:
    """Return whose token a call takes."""
    if roles == (Role.ADMIN,):
        return "the admin token"
    names = [article(role) for role in roles if role is not Role.ADMIN]
    return f"the token of {', '.join(names)} or of the admin"


def article(role: Role | MemberRole) -> str:
    """Return a role with its article, for a sentence."""
    return f"{'an' if role.value[0] in 'aeiou' else 'a'} {role.value}"
