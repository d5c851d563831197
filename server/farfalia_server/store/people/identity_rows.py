"""An identity as a row: who somebody is at a provider of OpenID Connect, and whose account that is."""

from __future__ import annotations

from sqlalchemy import Connection, select

from farfalia_server.contract.errors import AlreadyExists
from farfalia_server.contract.said import said
from farfalia_server.net.wall_clock import now
from farfalia_server.store.sql import schema
from farfalia_server.store.sql.dialects import insert_into


def add_identity(connection: Connection, account: int, issuer: str, subject: str) -> None:
    """Let an account sign in with an identity; AlreadyExists (IDENTITY_TAKEN) if another account does."""
    table = schema.identity
    values = {"account_id": account, "issuer": issuer, "subject": subject, "created": now()}
    connection.execute(insert_into(connection, table).values(values).on_conflict_do_nothing())
    its = select(table.c.account_id).where(table.c.issuer == issuer, table.c.subject == subject)
    if connection.execute(its).scalar_one() != account:
        raise AlreadyExists(said("another account signs in with this identity"), "IDENTITY_TAKEN")
