"""What webhooks are told, and what became of it, in words."""

from __future__ import annotations

from farfalia.v1 import webhooks_pb2
from farfalia_server.wording.language import gettext

#: What an owner chooses, by the names that commands and forms have for it.
DELIVERY_KINDS = {
    "match.finished": webhooks_pb2.DELIVERY_KIND_MATCH_FINISHED,
    "incident": webhooks_pb2.DELIVERY_KIND_INCIDENT,
    "tournament.finished": webhooks_pb2.DELIVERY_KIND_TOURNAMENT_FINISHED,
    "program.refused": webhooks_pb2.DELIVERY_KIND_PROGRAM_REFUSED,
}
_KINDS = {
    webhooks_pb2.DELIVERY_KIND_MATCH_FINISHED: "a match is over",
    webhooks_pb2.DELIVERY_KIND_INCIDENT: "something went wrong in a match",
    webhooks_pb2.DELIVERY_KIND_TOURNAMENT_FINISHED: "a tournament is over",
    webhooks_pb2.DELIVERY_KIND_PROGRAM_REFUSED: "a program was refused",
    webhooks_pb2.DELIVERY_KIND_TEST: "a test",
}
DELIVERY_STATES = {
    webhooks_pb2.DELIVERY_STATE_WAITING: "waiting",
    webhooks_pb2.DELIVERY_STATE_DELIVERED: "delivered",
    webhooks_pb2.DELIVERY_STATE_GIVEN_UP: "given up",
}


def delivery_kind(kind: webhooks_pb2.DeliveryKind) -> str:
    """Return what a delivery is about."""
    return gettext(_KINDS.get(kind, "a test"))


def delivery_state(state: webhooks_pb2.DeliveryState) -> str:
    """Return what became of a delivery."""
    return gettext(DELIVERY_STATES.get(state, "waiting"))


WEBHOOK_FILTERS = {"delivery_kind": delivery_kind, "delivery_state": delivery_state}
