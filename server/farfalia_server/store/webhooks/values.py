"""Webhooks and deliveries as the store takes and returns them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

#: How long the server tries to deliver something, and how long it tries in vain before it turns a webhook off.
TRIED_FOR, FAILS_FOR = timedelta(days=1), timedelta(days=3)
#: Deliveries of a bot that are kept when they are over, and tests of it that wait at a time.
KEPT: Final = 100
MOST_TESTS: Final = 5


class DeliveryKind(StrEnum):
    """What a delivery is about, as its body says it."""

    MATCH_FINISHED = "match.finished"
    INCIDENT = "incident"
    TOURNAMENT_FINISHED = "tournament.finished"
    PROGRAM_REFUSED = "program.refused"
    TEST = "test"


class DeliveryState(StrEnum):
    """Where a delivery is."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    GIVEN_UP = "given-up"


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where a bot's owner is told what happened; `failing_since` and `disabled` are none while it works."""

    bot_id: int
    url: str
    kinds: Collection[DeliveryKind]
    since: datetime
    failing_since: datetime | None = None
    disabled: datetime | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """Something that a webhook is told; `answer` is what came of the last try."""

    id: int
    bot_id: int
    kind: DeliveryKind
    subject: int  #: number of the match, the tournament or the bot's program; 0 for a test
    happened: datetime
    state: DeliveryState
    tries: int
    answer: str
    due: datetime


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A delivery that its claimer alone sends; `delivery.tries` counts this try, too."""

    delivery: Delivery
    bot: str
    url: str
    secret: str = field(repr=False)
