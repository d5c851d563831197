"""The log of tournaments becomes that of the arena and its events, too."""

import sqlalchemy as sa
from alembic import op

from farfalia_server.store.sql.column_types import Moment, Number

revision = "0014"
down_revision = "0013"

_TEXTS = ("act", "who", "subject", "reason")


def upgrade() -> None:
    """Move what is there into a table whose entries need no tournament."""
    op.create_table(
        "act",
        sa.Column("id", Number, primary_key=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("tournament_id", Number, sa.ForeignKey("tournament.id", name=op.f("fk_act_tournament_id"))),
        *(sa.Column(name, sa.Text, nullable=False) for name in _TEXTS),
        sa.Column("happened", Moment, nullable=False),
        sqlite_autoincrement=True,
    )
    names = ("tournament_id", *_TEXTS, "happened")
    log = sa.table("tournament_log", sa.column("id"), *(sa.column(name) for name in names))
    tournament = sa.table("tournament", sa.column("id"), sa.column("event"))
    act = sa.table("act", sa.column("event"), *(sa.column(name) for name in names))
    kept = sa.select(tournament.c.event, *(log.c[name] for name in names)).select_from(
        log.join(tournament, tournament.c.id == log.c.tournament_id)
    )
    op.execute(act.insert().from_select(["event", *names], kept.order_by(log.c.id)))
    op.drop_table("tournament_log")
    op.create_index("ix_act_tournament_id", "act", ["tournament_id", "id"])
    op.create_index("ix_act_event", "act", ["event", "id"])
