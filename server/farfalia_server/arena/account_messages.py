"""Accounts and invitations as the contract's messages."""

from __future__ import annotations

from farfalia.v1 import accounts_pb2
from farfalia_server.records.messages import timestamp
from farfalia_server.store import Account, Invitation, Role

_ROLES = {
    Role.OWNER: accounts_pb2.ROLE_OWNER,
    Role.VIEWER: accounts_pb2.ROLE_VIEWER,
    Role.ORGANISER: accounts_pb2.ROLE_ORGANISER,
    Role.ADMIN: accounts_pb2.ROLE_ADMIN,
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
    )


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
