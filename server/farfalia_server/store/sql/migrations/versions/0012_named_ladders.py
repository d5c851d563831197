"""Ladders with names of their own, and the ladder on which each match counts."""

import sqlalchemy as sa
from alembic import op

from farfalia_server.store.sql.column_types import Moment

revision = "0012"
down_revision = "0011"

_unrated = sa.text("state = 'finished' AND rating_seq IS NULL AND ladder <> ''")
_finished = sa.text("state = 'finished'")


def upgrade() -> None:
    """Name what is there: a ladder was that of its game, and so were the matches that counted."""
    op.drop_index("ix_match_unrated", "match")
    for table in ("match", "tournament"):
        op.add_column(table, sa.Column("ladder", sa.Text, nullable=False, server_default=sa.text("''")))
        changed = sa.table(table, sa.column("ladder"), sa.column("ruleset"), sa.column("rated", sa.Boolean))
        op.execute(changed.update().where(changed.c.rated).values(ladder=changed.c.ruleset))
        op.drop_column(table, "rated")
    op.create_index("ix_match_unrated", "match", ["id"], sqlite_where=_unrated, postgresql_where=_unrated)
    op.create_index(
        "ix_match_ladder", "match", ["ladder", "finished", "id"], sqlite_where=_finished, postgresql_where=_finished
    )
    kept = (
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("time_control", sa.JSON, nullable=False),
        sa.Column("tables", sa.Integer, nullable=False),
        sa.Column("siblings", sa.Boolean, nullable=False),
        sa.Column("fill", sa.Boolean, nullable=False),
        sa.Column("opened", Moment, nullable=False),
    )
    before = sa.table("ladder", *(sa.column(column.name, column.type) for column in kept))
    ladders = op.get_bind().execute(sa.select(before)).mappings().all()
    op.drop_table("ladder")
    named = op.create_table(
        "ladder",
        sa.Column("name", sa.Text, nullable=False),
        *kept,
        sa.Column("closed", Moment),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_ladder")),
    )
    op.bulk_insert(named, [{"name": ladder["ruleset"], "closed": None, **ladder} for ladder in ladders])
