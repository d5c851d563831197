"""What happened becomes a delivery in the transaction in which it happened: neither can be there without the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, bindparam, insert, select

from farfalia_server.net.wall_clock import now
from farfalia_server.store.sql import schema
from farfalia_server.store.webhooks.values import DeliveryKind, DeliveryState

_webhook = schema.webhook
#: Which bots are told of what. Every match needs it; building it takes longer than the database does.
_TOLD = select(_webhook.c.bot_id, _webhook.c.kinds).where(
    _webhook.c.bot_id.in_(bindparam("bots", expanding=True)), _webhook.c.disabled.is_(None)
)


def tell(connection: Connection, happened: Mapping[int, Collection[DeliveryKind]], subject: int) -> None:
    """Add a delivery for each bot that has a webhook, and each kind that it is told of, about one subject."""
    moment = now()
    rows = [
        {
            "bot_id": row.bot_id,
            "kind": kind,
            "subject": subject,
            "happened": moment,
            "state": DeliveryState.WAITING,
            "tries": 0,
            "answer": "",
            "due": moment,
        }
        for row in connection.execute(_TOLD, {"bots": list(happened)})
        for kind in happened[row.bot_id]
        if kind in row.kinds
    ]
    if rows:
        connection.execute(insert(schema.delivery), rows)
