"""Accounts and invitations as the contract's messages."""

from __future__ import annotations

from farfalia.v1 import accounts_pb2
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Account, ApiToken, Identity, Invitation, Role, TokenScope

_ROLES = {
    Role.OWNER: accounts_pb2.ROLE_OWNER,
    Role.VIEWER: accounts_pb2.ROLE_VIEWER,
    Role.ORGANISER: accounts_pb2.ROLE_ORGANISER,
    Role.ADMIN: accounts_pb2.ROLE_ADMIN,
}

TOKEN_SCOPES = {
    accounts_pb2.TOKEN_SCOPE_ALL: TokenScope.ALL,
    accounts_pb2.TOKEN_SCOPE_BOTS: TokenScope.BOTS,
    accounts_pb2.TOKEN_SCOPE_BOT: TokenScope.BOT,
    accounts_pb2.TOKEN_SCOPE_EVENT: TokenScope.EVENT,
    accounts_pb2.TOKEN_SCOPE_HOST: TokenScope.HOST,
}


def account_message(account: Account, quota: int) -> accounts_pb2.Account:
    """Return an account."""
    return accounts_pb2.Account(
        name=account.name,
        role=_ROLES[account.role],
        created=timestamp(account.created),
        revoked=timestamp(account.revoked),
        bots=account.bots,
        quota=quota,
        has_password=bool(account.password),
        suspended=timestamp(account.suspended),
        removed=account.removed,
        event=account.event,
    )


def api_token_message(token: ApiToken) -> accounts_pb2.ApiToken:
    """Return what is known of a token, which is not the token itself."""
    return accounts_pb2.ApiToken(
        id=token.id,
        name=token.name,
        scope=next(shown for shown, scope in TOKEN_SCOPES.items() if scope is token.scope),
        bot=token.bot,
        event=token.event,
        created=timestamp(token.created),
        expires=timestamp(token.expires),
        used=timestamp(token.used),
    )


def identity_message(identity: Identity) -> accounts_pb2.Identity:
    """Return an identity, without what the provider calls somebody."""
    return accounts_pb2.Identity(id=identity.id, issuer=identity.issuer, created=timestamp(identity.created))


def invitation_message(invitation: Invitation) -> accounts_pb2.Invitation:
    """Return an invitation, without its code."""
    return accounts_pb2.Invitation(
        id=invitation.id,
        note=invitation.note,
        uses=invitation.uses,
        used=invitation.used,
        created=timestamp(invitation.created),
        expires=timestamp(invitation.expires),
        revoked=invitation.revoked,
        event=invitation.event,
    )
