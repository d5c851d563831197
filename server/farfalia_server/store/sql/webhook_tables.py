"""The tables of webhooks and of what they are told."""

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, Table, Text

from farfalia_server.store.sql.column_types import Moment, Number
from farfalia_server.store.sql.metadata import metadata

webhook = Table(
    "webhook",
    metadata,
    Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True),
    Column("url", Text, nullable=False),
    Column("secret", Text, nullable=False),  # as it is: the server signs with it
    Column("kinds", JSON, nullable=False),
    Column("since", Moment, nullable=False),
    Column("failing_since", Moment),  # of the first try in vain after the last success
    Column("disabled", Moment),
)

# Without a key of the webhook: one that is taken away must not keep a match from ending.
delivery = Table(
    "delivery",
    metadata,
    Column("id", Number, primary_key=True),
    Column("bot_id", Number, ForeignKey("bot.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Number, nullable=False),
    Column("happened", Moment, nullable=False),
    Column("state", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("answer", Text, nullable=False),  # what came of the last try
    Column("due", Moment, nullable=False),  # of the next try; while one is made, when others may claim it
    Index("ix_delivery_state", "state", "due"),
    Index("ix_delivery_bot_id", "bot_id", "id"),
    sqlite_autoincrement=True,
)
