"""Who may register accounts and bots, and what they may be called."""

from __future__ import annotations

import secrets
from typing import Any, Final

from farfalia.v1 import accounts_pb2, bots_pb2
from farfalia_server.arena.access import ORGANISERS, Access, Caller, expected_of
from farfalia_server.arena.signing_in import SigningIn
from farfalia_server.contract.bounds import BOT_NAME, LONGEST_VERSION
from farfalia_server.contract.errors import AlreadyExists, InvalidArgument, NotFound, PermissionDenied
from farfalia_server.contract.registration import Registration, RegistrationRules
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.net.client_address import is_counted
from farfalia_server.net.mail import is_mail_address
from farfalia_server.organising.event_rules import EventRules
from farfalia_server.organising.validation import checked_text
from farfalia_server.records.house_names import HOUSE_PREFIX, why_no_house_bot
from farfalia_server.store import GUEST_PREFIX, REMOVED_PREFIX, Account, Registrant, Role, Store, TokenScope

LONGEST_OWNER = 80
#: Most characters of what a person is called after `guest-`: what is added to a name that is taken has room.
LONGEST_GUEST: Final = 24
_ROLES = {
    accounts_pb2.ROLE_UNSPECIFIED: Role.OWNER,
    accounts_pb2.ROLE_OWNER: Role.OWNER,
    accounts_pb2.ROLE_VIEWER: Role.VIEWER,
    accounts_pb2.ROLE_ORGANISER: Role.ORGANISER,
    accounts_pb2.ROLE_ADMIN: Role.ADMIN,
}


class Registering:
    """Makes accounts and bots for callers who are allowed to."""

    def __init__(self, store: Store, access: Access, rules: RegistrationRules, signing_in: SigningIn) -> None:
        self._store = store
        self._access = access
        self._rules = rules
        self._signing_in = signing_in
        self._events = EventRules(store)

    def quota(self, account: Account) -> int:
        """Return how many bots with a token an account may have; 0 for no limit."""
        return 0 if account.role is Role.ADMIN else self._rules.quota

    async def account(
        self,
        request: accounts_pb2.CreateAccountRequest,
        token: str,
        address: str,
        identity: tuple[str, str] | None = None,
    ) -> tuple[Account, str]:
        """Make an account, which signs in with this identity, and return it with its token."""
        check_name("name", request.name)
        email = checked_email(request.email)
        if request.role not in _ROLES:
            raise InvalidArgument(
                "role",
                said(
                    "%(field)s is %(value)s; expected one of %(choices)s",
                    field="role",
                    value=request.role,
                    choices=", ".join(Role),
                ),
            )
        caller, role = await self._access.caller(token), _ROLES[request.role]
        if request.bot:
            await self._check_first_bot(request.bot, role)
        if caller.role is Role.ADMIN:
            password = await self._password(request)
            return await self._store.accounts.create(
                request.name, role, password=password, identity=identity, email=email
            )
        if role is not Role.OWNER or (caller.has_token and not caller.known) or caller.role is Role.VIEWER:
            caller.refuse(expected_of((Role.ADMIN,)))
        invitation = self._checked_invitation(request.invitation)
        wanted: dict[str, Any] = {
            "invitation": invitation,
            "source": f"address {address}",
            "most": self._rules.hourly,
            "stranger": "" if invitation else _stranger(address),
            "identity": identity,
            "email": email,
        }
        if request.password:  # its hash takes a core for a moment: who is refused must not cost that much
            await self._store.accounts.check(request.name, **wanted)
        return await self._store.accounts.create(request.name, role, **wanted, password=await self._password(request))

    async def first_bot(self, name: str, account: Account) -> str:
        """Make the first bot of a new account, and return its token."""
        registrant = Registrant(account.id, self.quota(account), stranger=account.source)
        return (await self._store.bots.register(name, "1", account.name, registrant))[1]

    async def _check_first_bot(self, name: str, role: Role) -> None:
        """Check a first bot before its account is made, so that nothing is half done."""
        check_name("bot", name, of_bot=True)
        if role is Role.VIEWER:
            raise InvalidArgument(
                "bot", said("bot is %(name)s; expected none for a viewer, who owns no bots", name=name)
            )
        if await self._store.bots.is_taken(name):
            raise AlreadyExists(said("there is already a bot %(name)r; choose another name", name=name))

    async def _password(self, request: accounts_pb2.CreateAccountRequest) -> str:
        """Return the hash of the password, if there is one."""
        return await self._signing_in.hash("password", request.password) if request.password else ""

    def _checked_invitation(self, code: str) -> str:
        """Return the code to redeem, empty if none is needed; PermissionDenied if one is needed and missing."""
        checked_text("invitation", code, LONGEST_OWNER)
        if self._rules.who is Registration.CLOSED:
            raise PermissionDenied(
                said("registration is closed, so this call needs the admin token"), "REGISTRATION_CLOSED"
            )
        if self._rules.who is Registration.OPEN:
            return ""
        if not code:
            raise PermissionDenied(
                said(
                    "this server registers accounts by invitation; give an invitation code, which you get from its "
                    "admin (farfalia account register NAME --invitation CODE)"
                ),
                "INVITATION_MISSING",
            )
        return code

    async def bot(self, request: bots_pb2.RegisterBotRequest, token: str, address: str) -> str:
        """Make a bot, or a new version of one, and return its token, which is empty for a version or a house bot."""
        caller = await self._access.caller(token)
        if await self._renews(request, caller):
            await self._renew(request)
            return ""
        if request.house and caller.role not in ORGANISERS:
            caller.refuse(expected_of(ORGANISERS))
        _check(request)
        registrant = await self._registrant(request, caller, address)
        own = caller.account
        owner = own.name if own is not None and registrant.account == own.id else request.owner
        version = request.version or "1"
        if request.house:
            await self._store.bots.register_house(request.name, request.house, version, owner)
            return ""
        return (await self._store.bots.register(request.name, version, owner, registrant))[1]

    async def guest(self, request: bots_pb2.RegisterBotRequest, address: str) -> tuple[str, str]:
        """Make the bot as which a person plays, and return its name and its token."""
        for field in ("version", "owner", "house"):
            if value := getattr(request, field):
                raise InvalidArgument(
                    field, said("%(field)s is %(value)s; expected none for a person", field=field, value=quoted(value))
                )
        wanted = request.name
        if wanted:
            check_name("name", wanted, of_bot=True)
            if len(wanted) > LONGEST_GUEST:
                text = said(
                    "name has %(length)s characters; expected at most %(most)s for a person",
                    length=len(wanted),
                    most=LONGEST_GUEST,
                )
                raise InvalidArgument("name", text)
        name = f"{GUEST_PREFIX}{wanted or secrets.token_hex(3)}"
        while await self._store.bots.is_taken(name):
            name = f"{GUEST_PREFIX}{wanted}{'-' if wanted else ''}{secrets.token_hex(3)}"
        source = f"guest {address}" if is_counted(address) else ""
        by = Registrant(source=source, most=self._rules.hourly, stranger=_stranger(address))
        return name, await self._store.bots.register_person(name, by)

    async def _registrant(self, request: bots_pb2.RegisterBotRequest, caller: Caller, address: str) -> Registrant:
        """Return for whom a bot is made; Unauthenticated or PermissionDenied if it is not allowed."""
        if caller.role is Role.VIEWER or (caller.has_token and not caller.known):
            caller.refuse(said("the token of an owner, of an organiser or of the admin"))
        own = caller.account
        if own is not None and caller.scope not in (TokenScope.ALL, TokenScope.BOTS):
            caller.refuse(said("the token of an account for its bots, or for everything"))
        if own is not None and (caller.role is not Role.ADMIN or request.owner in ("", own.name)):
            if request.owner not in ("", own.name):
                raise InvalidArgument(
                    "owner", said("owner is %(owner)r; expected none, or %(own)s", owner=request.owner, own=own.name)
                )
            return Registrant(own.id, self.quota(own), f"account {own.id}", self._rules.hourly, own.source)
        named = await self._store.accounts.find(request.owner) if BOT_NAME.fullmatch(request.owner) else None
        if caller.role is Role.ADMIN:
            return Registrant() if named is None else Registrant(named.id, stranger=named.source)
        if self._rules.who is not Registration.OPEN:
            raise PermissionDenied(
                said("registration is not open, so this call needs the token of an account or of the admin"),
                "REGISTRATION_CLOSED",
            )
        if named is not None:
            raise InvalidArgument(
                "owner",
                said(
                    "owner is %(owner)r, which is an account; expected another one, or its token", owner=request.owner
                ),
            )
        return Registrant(source=f"address {address}", most=self._rules.hourly, stranger=_stranger(address))

    async def _renews(self, request: bots_pb2.RegisterBotRequest, caller: Caller) -> bool:
        """Return whether the request is for a new version of an existing bot; a house bot has only one.

        Raises Unauthenticated or PermissionDenied if the bot is somebody else's.
        """
        if not request.version or request.house or not BOT_NAME.fullmatch(request.name):
            return False
        try:
            bot = await self._store.bots.by_name(request.name)
        except NotFound:
            return False
        if not bot.house and not caller.owns(bot):
            caller.refuse(
                said("the token of %(bot)s, of its owner or of the admin, for a new version of it", bot=bot.name)
            )
        return not bot.house

    async def _renew(self, request: bots_pb2.RegisterBotRequest) -> None:
        _check(request)
        bot = await self._store.bots.by_name(request.name)
        if request.owner and request.owner != bot.owner:
            raise InvalidArgument(
                "owner",
                said("owner is %(owner)r; expected none, since a new version keeps its owner", owner=request.owner),
            )
        await self._events.check_version(bot)
        await self._store.bots.renew(request.name, request.version)


def _stranger(address: str) -> str:
    """Return the address of a stranger, empty for somebody on this machine."""
    return address if is_counted(address) else ""


def checked_email(email: str) -> str:
    """Return an e-mail address without spaces around it, empty for none; InvalidArgument."""
    address = email.strip()
    if address and not is_mail_address(address):
        raise InvalidArgument(
            "email",
            said("email is %(email)s; expected NAME@HOST in at most 254 characters of ASCII", email=quoted(address)),
        )
    return address


def check_name(field: str, name: str, *, of_bot: bool = False) -> None:
    """Raise InvalidArgument if an account, or a bot, cannot have this name."""
    if not BOT_NAME.fullmatch(name):
        raise InvalidArgument(
            field,
            said(
                "%(field)s is %(name)r; expected 1 to 40 letters, digits, dots, hyphens or underscores, the first a "
                "letter or digit",
                field=field,
                name=name,
            ),
        )
    # For what was removed, for house bots, and for persons.
    for prefix in (REMOVED_PREFIX, *((HOUSE_PREFIX, GUEST_PREFIX) if of_bot else ())):
        if name.lower().startswith(prefix):
            text = said(
                "%(field)s is %(name)r; names that begin with %(prefix)s are reserved for the server",
                field=field,
                name=name,
                prefix=prefix,
            )
            raise InvalidArgument(field, text)


def _check(request: bots_pb2.RegisterBotRequest) -> None:
    check_name("name", request.name, of_bot=True)
    if request.house and (why_not := why_no_house_bot(request.house)):
        raise InvalidArgument("house", why_not)
    checked_text("version", request.version, LONGEST_VERSION)
    checked_text("owner", request.owner, LONGEST_OWNER)
