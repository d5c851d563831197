"""The tables of what decisions have cost: which matches are analysed, prices by seat, and their sums."""

from sqlalchemy import Column, Double, ForeignKey, Index, Integer, LargeBinary, Table, Text

from farfalia_server.store.sql.column_types import Moment, Number
from farfalia_server.store.sql.metadata import metadata

# A match is here once somebody has asked for its analysis, or once that has begun.
analysis = Table(
    "analysis",
    metadata,
    Column("match_id", Number, ForeignKey("match.id"), primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
    Column("asker", Text),  # who asked for it; none if nobody did
    Column("asked", Moment),
    Column("tries", Integer, nullable=False),  # how often it has begun
    Column("cpu", Double, nullable=False),  # seconds that the last try took
    Column("ended", Moment),
    Index("ix_analysis_state", "state", "asked", "match_id"),
    Index("ix_analysis_asker", "asker", "asked"),
    Index("ix_analysis_ended", "ended"),
)

# The decisions of one seat in a match, with the values of all actions.
seat_price = Table(
    "seat_price",
    metadata,
    Column("match_id", Number, ForeignKey("match.id"), primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("bot_id", Number, ForeignKey("bot.id"), nullable=False),
    Column("version", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("dearest", Double, nullable=False),  # price of its dearest mistake; 0 without one
    Column("decisions", LargeBinary, nullable=False),  # see `prices.pack`
    Index("ix_seat_price_bot_id", "bot_id", "ruleset", "dearest"),
)

# What the decisions of each version of a bot add up to: derived from the rows above, since those are too many to add.
price_sum = Table(
    "price_sum",
    metadata,
    Column("ruleset", Text, primary_key=True),
    Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True, autoincrement=False),
    Column("version", Text, primary_key=True),
    Column("aspect", Text, primary_key=True),
    Column("decisions", Number, nullable=False),
    Column("mistakes", Number, nullable=False),
    Column("price", Double, nullable=False),
    Column("squares", Double, nullable=False),  # of the prices
)
