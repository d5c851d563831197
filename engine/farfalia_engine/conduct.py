"""What a record says of how its match was conducted: causes, times, strikes and takeovers, against each other."""

from collections.abc import Iterator, Sequence
from typing import Final

from farfalia_engine.interfaces import Ruleset
from farfalia_engine.record import Cause, Incident, Record, RecordedAction

#: Causes of actions that followed a question to which the bot had no legal answer in time; each has its incident.
STRUCK: Final = frozenset((Cause.TIMEOUT, Cause.ILLEGAL, Cause.FAILURE, Cause.ABSENT))
#: Causes of actions that nobody was asked for.
_UNASKED: Final = frozenset((Cause.FORCED, Cause.HOUSE))
#: Milliseconds by which a charge and the times of actions may differ: each is cut to whole ones, and a timer may ring
#: one early.
_ROUNDING: Final = 5


def missed(record: Record) -> tuple[int, ...]:
    """Return the seats that were lost before their bots were asked anything, in the order in which they were lost.

    Such a bot has seen none of its cards, and has shown nothing. Its seat went to a house bot for its absence alone:
    by then it had given no answer, and had no strike, which it gets for every question that it may have received. Of a
    record of format 1, which does not surely say so, none.

    >>> from farfalia_engine.record import DealSource, TimeControl
    >>> record = Record(
    ...     engine="1.0.0",
    ...     match=1,
    ...     ruleset="four",
    ...     seats=(),
    ...     source=DealSource(bytes(32), (), "board-1", board_key=bytes(32)),
    ...     time_control=TimeControl(limit_ms=1_000, bank_ms=0, grace=0),
    ...     actions=(RecordedAction(2, 12, at_ms=0, took_ms=0, cause=Cause.ABSENT),),
    ...     incidents=(Incident(2, 0, Cause.ABSENT, strikes=0, taken_over=True, text="the bot was not connected"),),
    ...     outcome=None,
    ...     started_ms=1,
    ...     finished_ms=2,
    ... )
    >>> missed(record)
    (2,)
    """
    if record.format == 1:
        return ()
    lost = [incident.seat for incident in record.incidents if incident.taken_over and not incident.strikes]
    answered = {action.seat for action in record.actions if action.cause == Cause.BOT} if lost else ()
    return tuple(seat for seat in lost if seat not in answered)


def violations(record: Record) -> Iterator[str]:
    """Yield what is impossible in any play."""
    control = record.time_control
    for name, found, least in (
        ("limit_ms", control.limit_ms, 1),
        ("bank_ms", control.bank_ms, 0),
        ("grace", control.grace, 0),
    ):
        if found < least:
            yield f"the time control has {name} {found}, expected at least {least}"
    yield from _incidents(record)
    yield from _actions(record)
    yield from _hints(record)
    yield from _taken_back(record)


def _taken_back(record: Record) -> Iterator[str]:
    """Yield what is listed as decided anew and cannot be."""
    if not record.taken_back:
        return
    alone = [seat for seat, who in enumerate(record.seats) if not who.house]
    if len(alone) != 1 or not record.seats[alone[0]].person or record.tournament:
        yield "decisions were taken back, expected none but where one person plays with house bots, in no tournament"
    before = -1
    for index, decisions in record.taken_back:
        here = f"taken_back has {index}"
        if not 0 <= index < len(record.actions):
            yield f"{here}: there is no such action, expected 0 to {len(record.actions) - 1}"
            continue
        if index <= before:
            yield f"{here} after {before}, expected ascending places"
        before = index
        if decisions < 1:
            yield f"{here} with {decisions} decisions, expected at least 1"
        action = record.actions[index]
        if action.seat not in alone or action.cause in (Cause.HOUSE, Cause.FORCED):
            yield f"{here}, an action of seat {action.seat} with cause {action.cause.name}: expected a person's"


def _hints(record: Record) -> Iterator[str]:
    """Yield what is listed as decided after a hint and cannot be."""
    before = -1
    for index in record.hinted:
        if not 0 <= index < len(record.actions):
            yield f"hinted has {index}: there is no such action, expected 0 to {len(record.actions) - 1}"
            continue
        if index <= before:
            yield f"hinted has {index} after {before}, expected ascending places"
        before = index
        cause = record.actions[index].cause
        if cause is not Cause.BOT:
            yield f"hinted has {index}, an action with cause {cause.name}: expected BOT"


def _incidents(record: Record) -> Iterator[str]:
    """Yield each incident against the action that came of it, and against those of its seat before it."""
    strikes = [0] * len(record.seats)
    taken: set[int] = set()
    before = -1
    for number, incident in enumerate(record.incidents):
        here = f"incident {number} (seat {incident.seat}, action {incident.action_index})"
        if not 0 <= incident.seat < len(record.seats):
            yield f"{here}: there is no such seat, expected 0 to {len(record.seats) - 1}"
            continue
        if not 0 <= incident.action_index < len(record.actions):
            yield f"{here}: there is no such action, expected 0 to {len(record.actions) - 1}"
            continue
        if incident.action_index <= before:
            yield f"{here} does not come after the incident before it, at action {before}"
        before = incident.action_index
        yield from _incident(here, record, incident, strikes[incident.seat], taken)
        strikes[incident.seat] = incident.strikes
        if incident.taken_over:
            taken.add(incident.seat)


def _incident(here: str, record: Record, incident: Incident, before: int, taken: set[int]) -> Iterator[str]:
    action = record.actions[incident.action_index]
    if incident.cause not in STRUCK:
        yield f"{here} has cause {incident.cause.name}, expected one of {_names(STRUCK)}"
    elif (action.seat, action.cause) != (incident.seat, incident.cause):
        yield (
            f"{here} has cause {incident.cause.name}, "
            f"but action {incident.action_index} is seat {action.seat}'s, with cause {action.cause.name}"
        )
    if record.seats[incident.seat].house or incident.seat in taken:
        yield f"{here}: a house bot held the seat, expected no incident"
    # A bot that nobody waits for any more is not asked, and gets no strike for that.
    unasked = incident.cause is Cause.ABSENT and incident.taken_over and action.took_ms == 0
    if incident.strikes != before + 1 and not (unasked and incident.strikes == before):
        yield f"{here} has strikes {incident.strikes}, expected {before + 1}"
    grace = record.time_control.grace
    if incident.strikes > grace and not incident.taken_over:
        yield f"{here} has strikes {incident.strikes}, which is more than the grace of {grace}, but is no takeover"
    if incident.taken_over and incident.strikes <= grace and incident.cause is not Cause.ABSENT:
        yield f"{here} is a takeover with strikes {incident.strikes}, but the grace is {grace}"


def _actions(record: Record) -> Iterator[str]:
    """Yield each action's cause, time and charge, against who held the seat and what was left in its bank."""
    control = record.time_control
    at = {incident.action_index: incident for incident in record.incidents}
    house = {seat for seat, who in enumerate(record.seats) if who.house}
    banks = [control.bank_ms] * len(record.seats)
    last = 0
    for index, action in enumerate(record.actions):
        here = f"action {index} (seat {action.seat})"
        if action.at_ms < last:
            yield f"{here} is at {action.at_ms} ms, expected at least {last}, as the one before it"
        last = max(last, action.at_ms)
        if not 0 <= action.seat < len(record.seats):
            continue  # the play says so
        if action.cause in (Cause.UNSPECIFIED, Cause.SERVER):
            yield f"{here} has cause {action.cause.name}, expected one of {_names(set(Cause) - _NO_CAUSE)}"
        held = action.seat in house
        if held != (action.cause is Cause.HOUSE) and action.cause is not Cause.FORCED:
            by = "a house bot holds the seat: expected HOUSE or FORCED" if held else "no house bot holds the seat"
            yield f"{here} has cause {action.cause.name}, but {by}"
        incident = at.get(index)
        if action.cause in STRUCK and (incident is None or incident.seat != action.seat):
            yield f"{here} has cause {action.cause.name}, but no incident there says so"
        yield from _charge(here, action, control.limit_ms + banks[action.seat], incident)
        banks[action.seat] -= min(banks[action.seat], max(0, action.took_ms - control.limit_ms))
        if incident is not None and incident.taken_over:
            house.add(incident.seat)


def _charge(here: str, action: RecordedAction, most: int, incident: Incident | None) -> Iterator[str]:
    """Return the milliseconds that a seat is charged, bounded by what it has left."""
    ran_out = action.cause is Cause.TIMEOUT or (
        action.cause is Cause.ABSENT and incident is not None and not incident.taken_over
    )
    if action.cause in _UNASKED:
        if action.took_ms:
            yield f"{here} was charged {action.took_ms} ms, expected 0, because nobody was asked"
    elif ran_out and action.took_ms != most:
        yield f"{here} was charged {action.took_ms} ms, expected {most}, because its time ran out"
    elif not 0 <= action.took_ms <= most:
        yield f"{here} was charged {action.took_ms} ms, expected 0 to {most}, limit and bank together"


class Questions:
    """What only the play shows: which actions were forced, and since when each was to be taken."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._since: dict[int, int] = {}
        self._last = 0

    def violations(
        self, index: int, action: RecordedAction, pending: Sequence[int], legal: Sequence[int]
    ) -> Iterator[str]:
        """Yield what is wrong with the next action, of which those were legal, when these seats had to decide."""
        for seat in pending:
            self._since.setdefault(seat, self._last)
        since = self._since.pop(action.seat, self._last)
        self._last = action.at_ms
        if action.action not in legal:
            return  # the play says so
        here = f"action {index} (seat {action.seat}, {self._rules.text(action.action)})"
        if action.cause is Cause.FORCED and len(legal) > 1:
            yield f"{here} is called forced, but {len(legal)} were legal"
        if action.cause is not Cause.FORCED and len(legal) == 1:
            yield f"{here} has cause {action.cause.name}, expected FORCED, because nothing else was legal"
        if action.took_ms > action.at_ms - since + _ROUNDING:
            yield f"{here} was charged {action.took_ms} ms, but came up {action.at_ms - since} ms before it was taken"


_NO_CAUSE: Final = frozenset((Cause.UNSPECIFIED, Cause.SERVER))


def _names(causes: frozenset[Cause] | set[Cause]) -> str:
    return ", ".join(cause.name for cause in sorted(causes))
