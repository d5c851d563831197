"""Playing a record again."""

from collections.abc import Iterator

from farfalia_engine.deals import Deals
from farfalia_engine.errors import BadKey, IllegalAction, RulesetError, UnreplayableRecord
from farfalia_engine.interfaces import State
from farfalia_engine.record import Record
from farfalia_engine.rulesets import ruleset


def replay(record: Record) -> Iterator[State]:
    """Yield the state before the first action, then the state after each: one state that moves on, clone it to keep it.

    UnreplayableRecord if the match cannot be set up, or names the first action that is illegal, counted from 0.

    >>> source = DealSource(bytes(32), (), "board-1", board_key=bytes(32))
    >>> control = TimeControl(limit_ms=1_000, bank_ms=0, grace=0)
    >>> record = Record(
    ...     engine="1.0.0",
    ...     match=1,
    ...     ruleset="four",
    ...     seats=(),
    ...     source=source,
    ...     time_control=control,
    ...     actions=(),
    ...     outcome=None,
    ...     started_ms=1,
    ...     finished_ms=2,
    ... )
    >>> [state.deal for state in replay(record)]
    [1]
    """
    try:
        state = ruleset(record.ruleset, record.options).new_match(Deals(record.source.board_key))
    except (RulesetError, BadKey) as error:
        raise UnreplayableRecord(str(error)) from None
    yield state
    for index, action in enumerate(record.actions):
        try:
            state.apply(action.action, action.seat)
        except IllegalAction as error:
            raise UnreplayableRecord(
                f"action {index} (seat {action.seat}, {error.name}) is illegal: {error.reason}"
            ) from None
        yield state
