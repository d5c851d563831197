"""The tables of people who wait for each other."""

from sqlalchemy import JSON, Column, ForeignKey, Index, Table, Text

from farfalia_server.store.sql.column_types import Moment, Number
from farfalia_server.store.sql.metadata import metadata

# Friends who gather by a link for one match.
gathering = Table(
    "gathering",
    metadata,
    Column("id", Number, primary_key=True),
    Column("key", Text, nullable=False, unique=True),  # what the link has
    Column("host_id", Number, ForeignKey("bot.id"), nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("house", Text, nullable=False),  # what plays at seats that stay empty
    Column("time_control", JSON, nullable=False),
    Column("made", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Column("closed", Moment),  # when the host left; none while it is there
    Column("match_id", Number, ForeignKey("match.id")),  # none before it has begun
    Index("ix_gathering_host_id", "host_id", "made"),
    Index("ix_gathering_made", "made"),
    sqlite_autoincrement=True,
)

# Who is at one: each person at one at most.
gathering_person = Table(
    "gathering_person",
    metadata,
    Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True, autoincrement=False),
    Column("gathering_id", Number, ForeignKey("gathering.id"), nullable=False),
    Column("joined", Moment, nullable=False),
    Index("ix_gathering_person_gathering_id", "gathering_id", "joined"),
)
