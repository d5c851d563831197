"""The first tables."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
moment = sa.DateTime(timezone=True)
unrated = sa.text("state = 'finished' AND rating_seq IS NULL")


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "account",
        sa.Column("id", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=True),
        sa.Column("created", moment, nullable=False),
        sa.Column("revoked", moment, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("name", name=op.f("uq_account_name")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_account_token_hash")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "invitation",
        sa.Column("id", number, nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("created", moment, nullable=False),
        sa.Column("expires", moment, nullable=True),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_invitation_code_hash")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "registration",
        sa.Column("id", number, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("created", moment, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_registration")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_registration_source", "registration", ["source", "created"])
    op.create_table(
        "bot",
        sa.Column("id", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("house", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=True),
        sa.Column("account_id", number, nullable=True),
        sa.Column("created", moment, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_bot_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot")),
        sa.UniqueConstraint("name", name=op.f("uq_bot_name")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_bot_token_hash")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_bot_account_id", "bot", ["account_id"])
    op.create_table(
        "bot_version",
        sa.Column("bot_id", number, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("created", moment, nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_bot_version_bot_id")),
        sa.PrimaryKeyConstraint("bot_id", "version", name=op.f("pk_bot_version")),
    )
    op.create_table(
        "fence",
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("role", name=op.f("pk_fence")),
    )
    meta = op.create_table(
        "meta",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_meta")),
    )
    # What is kept outside of this database, in Redis, names it by this.
    op.bulk_insert(meta, [{"key": "database", "value": secrets.token_hex(8)}])
    op.create_table(
        "ladder",
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("time_control", sa.JSON(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("siblings", sa.Boolean(), nullable=False),
        sa.Column("fill", sa.Boolean(), nullable=False),
        sa.Column("opened", moment, nullable=False),
        sa.PrimaryKeyConstraint("ruleset", name=op.f("pk_ladder")),
    )
    op.create_table(
        "tournament",
        sa.Column("id", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("nonces", sa.JSON(), nullable=False),
        sa.Column("beacon_source", sa.Text(), nullable=False),
        sa.Column("beacon_round", sa.Text(), nullable=False),
        sa.Column("beacon_value", sa.Text(), nullable=False),
        sa.Column("beacon_given", moment, nullable=True),
        sa.Column("time_control", sa.JSON(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("boards", sa.Text(), nullable=False),
        sa.Column("balances", sa.Text(), nullable=False),
        sa.Column("stages", sa.Text(), nullable=False),
        sa.Column("expected", sa.Integer(), nullable=False),
        sa.Column("cancel_reason", sa.Text(), nullable=False),
        sa.Column("created", moment, nullable=False),
        sa.Column("started", moment, nullable=True),
        sa.Column("ended", moment, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "bot_log",
        sa.Column("id", number, nullable=False),
        sa.Column("bot_id", number, nullable=False),
        sa.Column("time", moment, nullable=False),
        sa.Column("match_id", number, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_bot_log_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot_log")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_bot_log_bot_id", "bot_log", ["bot_id", "id"])
    op.create_table(
        "entrant",
        sa.Column("tournament_id", number, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("bot_id", number, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("filler", sa.Boolean(), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=True),
        sa.Column("came", sa.Integer(), nullable=False),
        sa.Column("gone", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_entrant_bot_id")),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_entrant_tournament_id")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_entrant")),
    )
    op.create_index("ix_entrant_bot_id", "entrant", ["bot_id"])
    op.create_table(
        "match",
        sa.Column("id", number, nullable=False),
        sa.Column("tournament_id", number, nullable=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("table", sa.Integer(), nullable=False),
        sa.Column("replay", sa.Integer(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("versions", sa.JSON(), nullable=True),
        sa.Column("time_control", sa.JSON(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=True),
        sa.Column("commitment", sa.LargeBinary(), nullable=True),
        sa.Column("nonces", sa.JSON(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("node", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("created", moment, nullable=False),
        sa.Column("started", moment, nullable=True),
        sa.Column("finished", moment, nullable=True),
        sa.Column("rating_seq", number, nullable=True),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_match_tournament_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.UniqueConstraint("tournament_id", "number", name=op.f("uq_match_tournament_id_number")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_match_rating_seq", "match", ["rating_seq"], unique=True)
    op.create_index("ix_match_state", "match", ["state", "id"])
    op.create_index("ix_match_queue", "match", ["tournament_id", "state", "id"])
    op.create_index("ix_match_board", "match", ["tournament_id", "board", "state"])
    op.create_index("ix_match_tournament_id", "match", ["tournament_id", "id"])
    op.create_index("ix_match_unrated", "match", ["id"], sqlite_where=unrated, postgresql_where=unrated)
    op.create_table(
        "baseline",
        sa.Column("tournament_id", number, nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.Column("points", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_baseline_tournament_id")),
        sa.PrimaryKeyConstraint("tournament_id", "board", name=op.f("pk_baseline")),
    )
    op.create_table(
        "void_attempt",
        sa.Column("id", number, nullable=False),
        sa.Column("match_id", number, nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("voided", moment, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_void_attempt_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_void_attempt")),
        sa.UniqueConstraint("match_id", "attempt", name=op.f("uq_void_attempt_match_id_attempt")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "rating",
        sa.Column("ladder", sa.Text(), nullable=False),
        sa.Column("bot_id", number, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("last_seq", number, nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_rating_bot_id")),
        sa.PrimaryKeyConstraint("ladder", "bot_id", "version", name=op.f("pk_rating")),
    )
    op.create_table(
        "fitted_rating",
        sa.Column("ladder", sa.Text(), nullable=False),
        sa.Column("bot_id", number, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("low", sa.Double(), nullable=False),
        sa.Column("high", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("made", moment, nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_fitted_rating_bot_id")),
        sa.PrimaryKeyConstraint("ladder", "bot_id", "version", name=op.f("pk_fitted_rating")),
    )
    op.create_table(
        "incident",
        sa.Column("id", number, nullable=False),
        sa.Column("bot_id", number, nullable=False),
        sa.Column("match_id", number, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action_index", sa.Integer(), nullable=False),
        sa.Column("cause", sa.Integer(), nullable=False),
        sa.Column("strikes", sa.Integer(), nullable=False),
        sa.Column("taken_over", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_incident_bot_id")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_incident_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_incident")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_incident_bot_id", "incident", ["bot_id", "id"])
    op.create_table(
        "match_bot",
        sa.Column("bot_id", number, nullable=False),
        sa.Column("match_id", number, nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_match_bot_bot_id")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_match_bot_match_id")),
        sa.PrimaryKeyConstraint("bot_id", "match_id", name=op.f("pk_match_bot")),
    )
    op.create_table(
        "rating_event",
        sa.Column("seq", number, nullable=False),
        sa.Column("ladder", sa.Text(), nullable=False),
        sa.Column("match_id", number, nullable=False),
        sa.Column("bot_id", number, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("mu_before", sa.Double(), nullable=False),
        sa.Column("sigma_before", sa.Double(), nullable=False),
        sa.Column("mu_after", sa.Double(), nullable=False),
        sa.Column("sigma_after", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_rating_event_bot_id")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_rating_event_match_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_rating_event")),
        sa.UniqueConstraint("match_id", "bot_id", "ladder", name=op.f("uq_rating_event_match_id_bot_id_ladder")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_rating_event_bot_id", "rating_event", ["bot_id", "seq"])
    op.create_table(
        "record",
        sa.Column("match_id", number, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_record_match_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_record")),
    )
