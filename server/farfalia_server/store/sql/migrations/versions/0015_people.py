"""Moderation, tokens with a scope, identities at providers, matches that are asked for, starts by time."""

import sqlalchemy as sa
from alembic import op

from farfalia_server.store.sql.column_types import Moment, Number

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the columns and tables."""
    for name in ("suspended", "removed"):
        op.add_column("bot", sa.Column(name, Moment))
        op.add_column("account", sa.Column(name, Moment))
    op.add_column("bot", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("bot", sa.Column("challengers", sa.Text, nullable=False, server_default=sa.text("'anyone'")))
    op.add_column("account", sa.Column("event", sa.Text, nullable=False, server_default=sa.text("'arena'")))
    op.add_column("match", sa.Column("challenger", Number))
    op.add_column("tournament", sa.Column("starts", Moment))
    op.add_column("event", sa.Column("revision", sa.Integer, nullable=False, server_default=sa.text("1")))
    op.create_index("ix_match_challenger", "match", ["challenger", "id"])
    op.create_table(
        "answer",
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("request", sa.LargeBinary, nullable=False),
        sa.Column("made", Moment, nullable=False),
        sa.Column("answer", sa.LargeBinary),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_answer")),
    )
    op.create_index("ix_answer_made", "answer", ["made"])
    op.create_table(
        "announcement",
        sa.Column("id", Number, primary_key=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("made", Moment, nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.name"], name=op.f("fk_announcement_event")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_announcement_event", "announcement", ["event", "id"])
    op.create_table(
        "renaming",
        sa.Column("bot_id", Number, nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_renaming_bot_id")),
        sa.PrimaryKeyConstraint("bot_id", name=op.f("pk_renaming")),
    )
    op.create_table(
        "api_token",
        sa.Column("id", Number, primary_key=True),
        sa.Column("account_id", Number, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("bot_id", Number),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("created", Moment, nullable=False),
        sa.Column("expires", Moment),
        sa.Column("used", Moment),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_api_token_account_id")),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_api_token_bot_id")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_token_token_hash")),
        sa.UniqueConstraint("account_id", "name", name=op.f("uq_api_token_account_id_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "identity",
        sa.Column("id", Number, primary_key=True),
        sa.Column("account_id", Number, nullable=False),
        sa.Column("issuer", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("created", Moment, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_identity_account_id")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_identity_issuer_subject")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_identity_account_id", "identity", ["account_id"])
