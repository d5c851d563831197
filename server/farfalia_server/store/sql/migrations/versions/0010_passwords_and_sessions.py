"""Passwords, and the sessions of those who have signed in with one."""

from alembic import op
from sqlalchemy import Column, ForeignKey, LargeBinary, Text

from farfalia_server.store.sql.column_types import Moment, Number

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make both; no account has a password yet."""
    op.add_column("account", Column("password_hash", Text))
    op.create_table(
        "session",
        Column("token_hash", LargeBinary, primary_key=True),
        Column("account_id", Number, ForeignKey("account.id"), nullable=False),
        Column("created", Moment, nullable=False),
        Column("used", Moment, nullable=False),
    )
    op.create_index("ix_session_account_id", "session", ["account_id"])
