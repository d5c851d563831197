"""What the causes and incidents of a record say of its seats.

How many strikes a seat survives is the setting `grace`, which `play.match_core` applies.
"""

from typing import Final

from farfalia.v1 import record_pb2

#: Causes of actions that followed a question to a bot; each such question has one action.
ASKED: Final = frozenset(
    {
        record_pb2.CAUSE_BOT,
        record_pb2.CAUSE_TIMEOUT,
        record_pb2.CAUSE_ILLEGAL,
        record_pb2.CAUSE_FAILURE,
        record_pb2.CAUSE_ABSENT,
    }
)
#: Causes of actions that a house bot chose in the place of the entrant.
REPLACED: Final = (ASKED - {record_pb2.CAUSE_BOT}) | {record_pb2.CAUSE_HOUSE}


def strikes_by_seat(record: record_pb2.Record) -> tuple[int, ...]:
    """Return how many strikes each seat had at the end."""
    strikes = [0] * len(record.seats)
    for incident in record.incidents:
        strikes[incident.seat] = max(strikes[incident.seat], incident.strikes)
    return tuple(strikes)


def banks_left(record: record_pb2.Record) -> list[int]:
    """Return for each action how many milliseconds its seat has left in its bank after it."""
    limit, banks = record.time_control.limit_ms, [record.time_control.bank_ms] * len(record.seats)
    left: list[int] = []
    for action in record.actions:
        if action.cause in ASKED:
            banks[action.seat] -= min(banks[action.seat], max(0, action.took_ms - limit))
        left.append(banks[action.seat])
    return left
