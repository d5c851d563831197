"""Mail, replaced entrants, drafts, programs, hosts, prices, webhooks, gatherings, boards of a day, deals by trumps,
and whom cards favoured.
"""

import sqlalchemy as sa
from alembic import op

from farfalia_server.store.sql.column_types import Moment, Number

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the columns and tables."""
    op.add_column("account", sa.Column("email", sa.Text))
    op.add_column("bot", sa.Column("person", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("bot", sa.Column("seen", Moment))
    op.create_index("ix_bot_seen", "bot", ["seen"])
    op.add_column("ladder", sa.Column("rungs", sa.JSON(none_as_null=True)))
    op.add_column("ladder", sa.Column("as_played", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("rating", sa.Column("uncounted", sa.Integer, nullable=False, server_default="0"))
    op.add_column("entrant", sa.Column("person", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("entrant", sa.Column("former", sa.JSON(none_as_null=True)))
    op.add_column("tournament", sa.Column("starts_with_event", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tournament", sa.Column("persons", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tournament", sa.Column("lasting_processes", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tournament", sa.Column("alone", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "ladder_knowledge",
        sa.Column("tournament_id", Number, nullable=False),
        sa.Column("bot_id", Number, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("ladder", sa.Text, nullable=False),
        sa.Column("mean", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_ladder_knowledge_tournament_id")),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_ladder_knowledge_bot_id")),
        sa.PrimaryKeyConstraint("tournament_id", "bot_id", name=op.f("pk_ladder_knowledge")),
    )
    op.add_column("seat_result", sa.Column("trumps", sa.JSON(none_as_null=True)))
    op.add_column("record", sa.Column("favours", sa.JSON(none_as_null=True)))
    op.add_column("match", sa.Column("daily", sa.Text))
    daily = sa.text("daily IS NOT NULL")
    op.create_index("ix_match_daily", "match", ["daily", "ruleset", "id"], sqlite_where=daily, postgresql_where=daily)
    uncounted = sa.text("(state = 'void' OR ladder = '') AND rating_seq IS NOT NULL")
    op.create_index("ix_match_uncounted", "match", ["id"], sqlite_where=uncounted, postgresql_where=uncounted)
    rated, of_match = sa.text("rating_seq IS NOT NULL"), ("ix_match_rating_seq", "match", ["rating_seq"])
    op.drop_index("ix_match_rating_seq", "match")
    op.create_index(*of_match, unique=True, sqlite_where=rated, postgresql_where=rated)
    unrated = sa.text("state = 'finished' AND rating_seq IS NULL AND ladder <> ''")
    op.drop_index("ix_match_unrated", "match")
    ended = ["rating_seq", "state", "finished", "id"]
    op.create_index("ix_match_unrated", "match", ended, sqlite_where=unrated, postgresql_where=unrated)
    op.create_table(
        "daily_baseline",
        sa.Column("daily", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("house", sa.Text, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("daily", "ruleset", "house", name=op.f("pk_daily_baseline")),
    )
    op.create_table(
        "tournament_draft",
        sa.Column("id", Number, primary_key=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("plan", sa.JSON, nullable=False),
        sa.Column("entrants_expected", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("changed", Moment, nullable=False),
        sa.Column("tournament_id", Number),
        sa.ForeignKeyConstraint(["event"], ["event.name"], name=op.f("fk_tournament_draft_event")),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=op.f("fk_tournament_draft_tournament_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournament_draft_event", "tournament_draft", ["event", "id"])
    op.create_table(
        "archive",
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("received", sa.Integer, nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.Column("made", Moment, nullable=False),
        sa.Column("object", sa.Text),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_archive")),
    )
    op.create_table(
        "archive_leftover",
        sa.Column("object", sa.Text, nullable=False),
        sa.Column("since", Moment, nullable=False),
        sa.PrimaryKeyConstraint("object", name=op.f("pk_archive_leftover")),
    )
    op.create_table(
        "archive_part",
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["hash"], ["archive.hash"], name=op.f("fk_archive_part_hash")),
        sa.PrimaryKeyConstraint("hash", "start", name=op.f("pk_archive_part")),
    )
    op.create_table(
        "program",
        sa.Column("id", Number, primary_key=True),
        sa.Column("bot_id", Number, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("submitted", Moment, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("activates", sa.Boolean, nullable=False),
        sa.Column("steps", sa.JSON, nullable=False),
        sa.Column("output", sa.JSON, nullable=False),
        sa.Column("kept", sa.Boolean, nullable=False),
        sa.Column("lease", Number, nullable=False),
        sa.Column("host", sa.Text),
        sa.Column("until", Moment),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_program_bot_id")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_program_bot_id_number")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_program_state", "program", ["state", "id"])
    op.create_index("ix_program_hash", "program", ["hash"])
    op.create_table(
        "hosted",
        sa.Column("bot_id", Number, nullable=False),
        sa.Column("program_id", Number, nullable=False),
        sa.Column("lease", Number, nullable=False),
        sa.Column("host", sa.Text),
        sa.Column("until", Moment),
        sa.Column("token_hash", sa.LargeBinary),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_hosted_bot_id")),
        sa.ForeignKeyConstraint(["program_id"], ["program.id"], name=op.f("fk_hosted_program_id")),
        sa.PrimaryKeyConstraint("bot_id", name=op.f("pk_hosted")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_hosted_token_hash")),
    )
    op.create_table(
        "host",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("instance", sa.LargeBinary, nullable=False),
        sa.Column("report", sa.LargeBinary, nullable=False),
        sa.Column("slots", sa.Integer, nullable=False),
        sa.Column("draining", sa.Boolean, nullable=False),
        sa.Column("seen", Moment, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_host")),
    )
    op.create_table(
        "analysis",
        sa.Column("match_id", Number, autoincrement=False, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("asker", sa.Text),
        sa.Column("asked", Moment),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("cpu", sa.Double, nullable=False),
        sa.Column("ended", Moment),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_analysis_match_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_analysis")),
    )
    op.create_index("ix_analysis_state", "analysis", ["state", "asked", "match_id"])
    op.create_index("ix_analysis_asker", "analysis", ["asker", "asked"])
    op.create_index("ix_analysis_ended", "analysis", ["ended"])
    op.create_table(
        "seat_price",
        sa.Column("match_id", Number, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("bot_id", Number, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("dearest", sa.Double, nullable=False),
        sa.Column("decisions", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_seat_price_match_id")),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_seat_price_bot_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seat_price")),
    )
    op.create_index("ix_seat_price_bot_id", "seat_price", ["bot_id", "ruleset", "dearest"])
    op.create_table(
        "price_sum",
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("bot_id", Number, autoincrement=False, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("aspect", sa.Text, nullable=False),
        sa.Column("decisions", Number, nullable=False),
        sa.Column("mistakes", Number, nullable=False),
        sa.Column("price", sa.Double, nullable=False),
        sa.Column("squares", sa.Double, nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_price_sum_bot_id")),
        sa.PrimaryKeyConstraint("ruleset", "bot_id", "version", "aspect", name=op.f("pk_price_sum")),
    )
    op.create_table(
        "webhook",
        sa.Column("bot_id", Number, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("kinds", sa.JSON, nullable=False),
        sa.Column("since", Moment, nullable=False),
        sa.Column("failing_since", Moment),
        sa.Column("disabled", Moment),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_webhook_bot_id")),
        sa.PrimaryKeyConstraint("bot_id", name=op.f("pk_webhook")),
    )
    op.create_table(
        "delivery",
        sa.Column("id", Number, primary_key=True),
        sa.Column("bot_id", Number, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", Number, nullable=False),
        sa.Column("happened", Moment, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("due", Moment, nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_delivery_bot_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_delivery_state", "delivery", ["state", "due"])
    op.create_index("ix_delivery_bot_id", "delivery", ["bot_id", "id"])
    op.create_table(
        "gathering",
        sa.Column("id", Number, primary_key=True),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("host_id", Number, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("house", sa.Text, nullable=False),
        sa.Column("time_control", sa.JSON, nullable=False),
        sa.Column("made", Moment, nullable=False),
        sa.Column("expires", Moment, nullable=False),
        sa.Column("closed", Moment),
        sa.Column("match_id", Number),
        sa.ForeignKeyConstraint(["host_id"], ["bot.id"], name=op.f("fk_gathering_host_id")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_gathering_match_id")),
        sa.UniqueConstraint("key", name=op.f("uq_gathering_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_gathering_host_id", "gathering", ["host_id", "made"])
    op.create_index("ix_gathering_made", "gathering", ["made"])
    op.create_table(
        "gathering_person",
        sa.Column("bot_id", Number, autoincrement=False, nullable=False),
        sa.Column("gathering_id", Number, nullable=False),
        sa.Column("joined", Moment, nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_gathering_person_bot_id")),
        sa.ForeignKeyConstraint(["gathering_id"], ["gathering.id"], name=op.f("fk_gathering_person_gathering_id")),
        sa.PrimaryKeyConstraint("bot_id", name=op.f("pk_gathering_person")),
    )
    op.create_index("ix_gathering_person_gathering_id", "gathering_person", ["gathering_id", "joined"])
