"""The tables of people: accounts, sessions, events and their members, invitations, bots and their versions."""

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from farfalia_server.store.sql.column_types import Moment, Number
from farfalia_server.store.sql.metadata import OF_ARENA, metadata

# Who owns bots, organises, looks on: a person, or a group.
account = Table(
    "account",
    metadata,
    Column("id", Number, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=True, unique=True),  # none if it was revoked
    Column("created", Moment, nullable=False),
    Column("revoked", Moment),
    # The address of a stranger who made it without an invitation, or empty.
    Column("source", Text, nullable=False, server_default=text("''")),
    Column("password_hash", Text),  # by argon2id; none without a password
    Column("suspended", Moment),  # none unless it is now
    Column("removed", Moment),  # its name is a placeholder since then
    Column("event", Text, nullable=False, server_default=OF_ARENA),  # whose invitation made it
    Column("email", Text),  # for links to a new password; none unless its owner gave one
    sqlite_autoincrement=True,
)

# Who is signed in: a session is a token of an account, for a while.
session = Table(
    "session",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("account_id", Number, ForeignKey("account.id"), nullable=False),
    Column("created", Moment, nullable=False),
    Column("used", Moment, nullable=False),  # some minutes old at most
    Index("ix_session_account_id", "account_id"),
)

# Who somebody is at a provider of OpenID Connect that an account signs in with.
identity = Table(
    "identity",
    metadata,
    Column("id", Number, primary_key=True),
    Column("account_id", Number, ForeignKey("account.id"), nullable=False),
    Column("issuer", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("created", Moment, nullable=False),
    UniqueConstraint("issuer", "subject"),
    Index("ix_identity_account_id", "account_id"),
    sqlite_autoincrement=True,
)

# A course, a season, a cup, or the public arena.
event = Table(
    "event",
    metadata,
    Column("name", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("zone", Text, nullable=False),  # of its organiser, as in the IANA database
    Column("rated_on", Text, nullable=False),  # where its tournaments count unless they say it themselves
    Column("by_invitation", Boolean, nullable=False),
    Column("caps", JSON, nullable=False),
    Column("opens", Moment),
    Column("closes", Moment),  # takes no more members
    Column("freezes", Moment),  # pins the versions of entrants
    Column("starts", Moment),
    Column("ends", Moment),
    Column("created", Moment, nullable=False),
    Column("published", Moment),  # none while it is a draft
    Column("closed", Moment),
    Column("revision", Integer, nullable=False, server_default=text("1")),  # raised by every change
)

event_member = Table(
    "event_member",
    metadata,
    Column("event", Text, ForeignKey("event.name"), primary_key=True),
    Column("account_id", Number, ForeignKey("account.id"), primary_key=True),
    Column("role", Text, nullable=False),
    Column("team", Text, nullable=False),
    Column("joined", Moment, nullable=False),
    Index("ix_event_member_account_id", "account_id"),
)

# What the organisers of an event tell everybody.
announcement = Table(
    "announcement",
    metadata,
    Column("id", Number, primary_key=True),
    Column("event", Text, ForeignKey("event.name"), nullable=False),
    Column("text", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("made", Moment, nullable=False),
    Index("ix_announcement_event", "event", "id"),
    sqlite_autoincrement=True,
)

invitation = Table(
    "invitation",
    metadata,
    Column("id", Number, primary_key=True),
    Column("event", Text, nullable=False, server_default=OF_ARENA),
    Column("note", Text, nullable=False),
    Column("code_hash", LargeBinary, nullable=False, unique=True),
    Column("uses", Integer, nullable=False),  # accounts that it may make
    Column("used", Integer, nullable=False),  # accounts that it has made
    Column("created", Moment, nullable=False),
    Column("expires", Moment),  # none if it does not expire
    Column("revoked", Boolean, nullable=False),
    sqlite_autoincrement=True,
)

# What was registered of late, counted for all nodes; what is old is deleted.
registration = Table(
    "registration",
    metadata,
    Column("id", Number, primary_key=True),
    Column("source", Text, nullable=False),  # an address, or an account
    Column("created", Moment, nullable=False),
    Index("ix_registration_source", "source", "created"),
    sqlite_autoincrement=True,
)

bot = Table(
    "bot",
    metadata,
    Column("id", Number, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("version", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("house", Text, nullable=False),  # name of the house bot that plays for it, or empty
    # None for house bots, since nobody connects as one, and where it was revoked.
    Column("token_hash", LargeBinary, nullable=True, unique=True),
    Column("account_id", Number, ForeignKey("account.id")),  # whose it is; none for nobody's
    Column("created", Moment, nullable=False),
    # The address of a stranger who registered it, or empty.
    Column("source", Text, nullable=False, server_default=text("''")),
    Column("suspended", Moment),  # none unless it is now
    Column("removed", Moment),  # its name is a placeholder since then
    Column("hidden", Boolean, nullable=False, server_default=false()),  # left out of lists and ladders
    Column("challengers", Text, nullable=False, server_default=text("'anyone'")),  # who may ask it for a match
    Column("person", Boolean, nullable=False, server_default=false()),  # a person plays as it
    Column("seen", Moment),  # when that person came last; none of all others
    Index("ix_bot_account_id", "account_id"),
    Index("ix_bot_seen", "seen"),
    sqlite_autoincrement=True,
)

# Every version that a bot has had; `bot.version` is the newest.
bot_version = Table(
    "bot_version",
    metadata,
    Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True),
    Column("version", Text, primary_key=True),
    Column("created", Moment, nullable=False),
)

# Bots whose name has changed, and whose records have the old one yet.
renaming = Table("renaming", metadata, Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True))

# Tokens of accounts beside the first one, each good for a part of what the account may do.
api_token = Table(
    "api_token",
    metadata,
    Column("id", Number, primary_key=True),
    Column("account_id", Number, ForeignKey("account.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("bot_id", Number, ForeignKey("bot.id")),  # for which alone it is good; none unless the scope is a bot
    Column("event", Text, nullable=False),  # the same of an event; else empty
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("created", Moment, nullable=False),
    Column("expires", Moment),  # none if it does not expire
    Column("used", Moment),  # some minutes old at most; none before the first use
    UniqueConstraint("account_id", "name"),
    sqlite_autoincrement=True,
)
