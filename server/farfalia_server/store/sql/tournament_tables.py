"""The tables of tournaments: their plans, drafts and entrants, and the log of what was done to them and to others."""

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    false,
    text,
)

from farfalia_server.store.sql.column_types import Moment, Number
from farfalia_server.store.sql.metadata import OF_ARENA, metadata

tournament = Table(
    "tournament",
    metadata,
    Column("id", Number, primary_key=True),
    Column("name", Text, nullable=False),
    Column("event", Text, nullable=False, server_default=OF_ARENA),
    Column("ruleset", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("state", Text, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("commitment", LargeBinary, nullable=False),
    Column("value_function", LargeBinary),  # SHA-256, empty if the game has none; NULL if older: this server's
    Column("nonces", JSON, nullable=False),  # hexadecimal, ascending; settled by the start
    Column("beacon_source", Text, nullable=False),  # of the organiser's public value; empty for none
    Column("beacon_round", Text, nullable=False),
    Column("beacon_value", Text, nullable=False),  # empty before the start
    Column("beacon_given", Moment),
    Column("time_control", JSON, nullable=False),
    Column("seed", Text, nullable=False),  # of what is drawn in stages; empty before the start
    Column("boards", Text, nullable=False),  # which matches have equal cards
    Column("balances", Text, nullable=False),  # how even each stage is, or all of it where there are none
    Column("stages", Text, nullable=False),  # as a request has them; empty if all rounds are drawn from the start
    Column("expected", Integer, nullable=False),  # matches of all rounds, drawn or not
    Column("cancel_reason", Text, nullable=False),  # empty for none
    Column("created", Moment, nullable=False),
    Column("started", Moment),
    Column("ended", Moment),
    Column("paused", Moment),  # none unless it is paused now
    Column("pause", JSON(none_as_null=True)),  # cause, reason, who; none unless it is paused now
    Column("ladder", Text, nullable=False, server_default=text("''")),  # on which its matches count; empty for none
    Column("network_rule", JSON(none_as_null=True)),  # when it pauses itself; none for the defaults
    Column("starts", Moment),  # when it starts by itself; none for by hand
    Column("starts_with_event", Boolean, nullable=False, server_default=false()),
    Column("persons", Boolean, nullable=False, server_default=false()),  # may enter, and are rated
    Column("lasting_processes", Boolean, nullable=False, server_default=false()),  # of programs that were handed in
    Column("alone", Boolean, nullable=False, server_default=false()),  # probabilities from its own matches alone
    Column("outage", JSON(none_as_null=True)),  # numbers of bots that were gone, and until when; none before the first
    Index("ix_tournament_event", "event", "id"),
    sqlite_autoincrement=True,
)

# Tournaments that are being prepared, as they were asked for.
tournament_draft = Table(
    "tournament_draft",
    metadata,
    Column("id", Number, primary_key=True),
    Column("event", Text, ForeignKey("event.name"), nullable=False),
    Column("plan", JSON, nullable=False),
    Column("entrants_expected", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("who", Text, nullable=False),
    Column("changed", Moment, nullable=False),
    Column("tournament_id", Number, ForeignKey("tournament.id")),  # none before it is published
    Index("ix_tournament_draft_event", "event", "id"),
    sqlite_autoincrement=True,
)

# What people, and the server by itself, did and decided.
act = Table(
    "act",
    metadata,
    Column("id", Number, primary_key=True),
    Column("event", Text, nullable=False),
    Column("tournament_id", Number, ForeignKey("tournament.id")),
    Column("act", Text, nullable=False),
    Column("who", Text, nullable=False),  # an account, a bot or admin; empty for the server by itself
    Column("subject", Text, nullable=False),  # an entrant, a match, an account; empty for the whole of it
    Column("reason", Text, nullable=False),
    Column("happened", Moment, nullable=False),
    Index("ix_act_tournament_id", "tournament_id", "id"),
    Index("ix_act_event", "event", "id"),
    sqlite_autoincrement=True,
)

entrant = Table(
    "entrant",
    metadata,
    Column("tournament_id", Number, ForeignKey("tournament.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 0, as in the schedule
    Column("bot_id", Number, ForeignKey("bot.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("filler", Boolean, nullable=False),  # a house bot that only fills the table: never rated
    Column("person", Boolean, nullable=False, server_default=false()),  # a person plays as it
    Column("nonce", LargeBinary),  # what it has added to the secret
    Column("came", Integer, nullable=False),  # how many rounds had been drawn when it came
    Column("gone", Integer),  # and when it left
    Column("former", JSON(none_as_null=True)),  # bots that held the entry before, with their nonces; none if none did
    Index("ix_entrant_bot_id", "bot_id"),
)

# What a ladder knew of entrants before the tournament's own matches counted on it.
ladder_knowledge = Table(
    "ladder_knowledge",
    metadata,
    Column("tournament_id", Number, ForeignKey("tournament.id"), primary_key=True),
    Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True),
    Column("version", Text, nullable=False),
    Column("ladder", Text, nullable=False),
    Column("mean", Double, nullable=False),  # this and the next in points per match
    Column("sigma", Double, nullable=False),
    Column("matches", Integer, nullable=False),
)
