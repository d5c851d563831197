"""The tables of programs that were handed in: archives, their checks, and the hosts that run them."""

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text, UniqueConstraint

from farfalia_server.store.sql.column_types import Moment, Number
from farfalia_server.store.sql.metadata import metadata

# An archive, known by its contents: one that is handed in twice is kept once.
archive = Table(
    "archive",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # SHA-256
    Column("received", Integer, nullable=False),  # bytes that are there, from its beginning
    Column("complete", Boolean, nullable=False),  # all of it is there, and its hash is right
    Column("made", Moment, nullable=False),  # when it was uploaded last
    Column("object", Text),  # where it is outside of the database; none if it is in `archive_part`
)

# Objects outside of the database that no archive has any more, or none yet: they are deleted after a while.
archive_leftover = Table(
    "archive_leftover",
    metadata,
    Column("object", Text, primary_key=True),
    Column("since", Moment, nullable=False),
)

archive_part = Table(
    "archive_part",
    metadata,
    Column("hash", LargeBinary, ForeignKey("archive.hash"), primary_key=True),
    Column("start", Integer, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

program = Table(
    "program",
    metadata,
    Column("id", Number, primary_key=True),
    Column("bot_id", Number, ForeignKey("bot.id"), nullable=False),
    Column("number", Integer, nullable=False),  # among the bot's, from 1
    Column("hash", LargeBinary, nullable=False),
    Column("size", Integer, nullable=False),
    Column("submitted", Moment, nullable=False),
    Column("state", Text, nullable=False),
    Column("activates", Boolean, nullable=False),  # once it is ready
    Column("steps", JSON, nullable=False),
    Column("output", JSON, nullable=False),  # last lines of the program in the step that failed
    Column("kept", Boolean, nullable=False),  # its archive is there
    Column("lease", Number, nullable=False),  # of its check
    Column("host", Text),  # that checks it
    Column("until", Moment),  # when other hosts may check it
    UniqueConstraint("bot_id", "number"),
    Index("ix_program_state", "state", "id"),
    Index("ix_program_hash", "hash"),
    sqlite_autoincrement=True,
)

# Bots that play with a program, and which host plays for them.
hosted = Table(
    "hosted",
    metadata,
    Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True),
    Column("program_id", Number, ForeignKey("program.id"), nullable=False),
    Column("lease", Number, nullable=False),  # raised by each host that takes the bot
    Column("host", Text),  # none while no host plays for it
    Column("until", Moment),  # when other hosts may take it
    Column("token_hash", LargeBinary, unique=True),  # with which its host opens the stream
)

host = Table(
    "host",
    metadata,
    Column("name", Text, primary_key=True),
    Column("instance", LargeBinary, nullable=False),
    Column("report", LargeBinary, nullable=False),  # as it was sent: a `HostReport`
    Column("slots", Integer, nullable=False),
    Column("draining", Boolean, nullable=False),
    Column("seen", Moment, nullable=False),
)
