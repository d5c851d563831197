"""Matches and tournaments that count on no ladder."""

from alembic import op
from sqlalchemy import Boolean, Column, text, true

revision = "0011"
down_revision = "0010"

_unrated = text("state = 'finished' AND rating_seq IS NULL AND rated")


def upgrade() -> None:
    """Make the columns: what is there already counts. The index skips what never will."""
    for table in ("match", "tournament"):
        op.add_column(table, Column("rated", Boolean, nullable=False, server_default=true()))
    op.drop_index("ix_match_unrated", "match")
    op.create_index("ix_match_unrated", "match", ["id"], sqlite_where=_unrated, postgresql_where=_unrated)
