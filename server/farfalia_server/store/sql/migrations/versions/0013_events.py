"""Events, of which the public arena is one, and their members."""

import sqlalchemy as sa
from alembic import op

from farfalia_server.net.wall_clock import now
from farfalia_server.store.sql.column_types import Moment, Number

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the tables, and the public arena, to which everything belongs that is there."""
    event = op.create_table(
        "event",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("rated_on", sa.Text, nullable=False),
        sa.Column("by_invitation", sa.Boolean, nullable=False),
        sa.Column("caps", sa.JSON, nullable=False),
        *(sa.Column(name, Moment) for name in ("opens", "closes", "freezes", "starts", "ends")),
        sa.Column("created", Moment, nullable=False),
        sa.Column("published", Moment),
        sa.Column("closed", Moment),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_event")),
    )
    arena = {"name": "arena", "title": "The public arena", "about": "", "zone": "UTC", "rated_on": "game"}
    moment = now()
    op.bulk_insert(event, [{**arena, "by_invitation": False, "caps": {}, "created": moment, "published": moment}])
    op.create_table(
        "event_member",
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("account_id", Number, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("team", sa.Text, nullable=False),
        sa.Column("joined", Moment, nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.name"], name=op.f("fk_event_member_event")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_event_member_account_id")),
        sa.PrimaryKeyConstraint("event", "account_id", name=op.f("pk_event_member")),
    )
    op.create_index("ix_event_member_account_id", "event_member", ["account_id"])
    for table in ("invitation", "tournament", "ladder"):
        op.add_column(table, sa.Column("event", sa.Text, nullable=False, server_default=sa.text("'arena'")))
    op.create_index("ix_tournament_event", "tournament", ["event", "id"])
