"""Links to a new password: tokens that are good for that alone, once."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

from sqlalchemy import Connection, delete

from farfalia_server.store.people.values import TokenScope
from farfalia_server.store.sql import schema


class PasswordLink(StrEnum):
    """Who has had a link made, as its token is called; an account has one of each kind at a time, so that strangers
    who ask for one do not end what an organiser has handed over. No other token has such a name, which is too long.
    """

    MADE = "link to a new password, made by an organiser"
    REQUESTED = "link to a new password, requested by e-mail"

    @property
    def lasts(self) -> timedelta:
        """How long it is good."""
        return timedelta(days=7 if self is PasswordLink.MADE else 1)


def end_password_links(connection: Connection, account: int, kind: PasswordLink | None = None) -> None:
    """End the links of an account, of one kind or of both."""
    table = schema.api_token
    of_account = (table.c.account_id == account) & (table.c.scope == TokenScope.PASSWORD)
    if kind is not None:
        of_account &= table.c.name == kind
    connection.execute(delete(table).where(of_account))
