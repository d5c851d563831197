"""Tournaments that pause, matches that replace void ones, and a log of what people and the server decide."""

from alembic import op
from sqlalchemy import JSON, Column, ForeignKey, Text

from farfalia_server.store.sql.column_types import Moment, Number

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the columns and the table."""
    op.add_column("tournament", Column("paused", Moment))
    for name in ("pause", "network_rule", "outage"):
        op.add_column("tournament", Column(name, JSON))
    op.add_column("match", Column("replaced_by", Number))
    op.create_table(
        "tournament_log",
        Column("id", Number, primary_key=True),
        Column("tournament_id", Number, ForeignKey("tournament.id"), nullable=False),
        Column("act", Text, nullable=False),
        Column("who", Text, nullable=False),
        Column("subject", Text, nullable=False),
        Column("reason", Text, nullable=False),
        Column("happened", Moment, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournament_log_tournament_id", "tournament_log", ["tournament_id", "id"])
