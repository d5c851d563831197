"""Records as an honest server writes them, troubles at the table included."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType

from farfalia_engine import (
    Beacon,
    Cause,
    Deals,
    DealSource,
    Incident,
    Observation,
    Outcome,
    Record,
    RecordedAction,
    RecordSeat,
    TimeControl,
    __version__,
    board_key,
    commitment,
    ruleset,
)

SECRET = bytes(range(32))
NAMES = ("Ada", "Bo", "Cleo", "Dee", "Élise")
#: What befalls a seat, by seat and by how many questions it was asked before.
Troubles = Mapping[tuple[int, int], Cause]
NO_TROUBLES: Troubles = MappingProxyType({})


def recorded(
    game: str = "chinkway",
    options: Mapping[str, str] | None = None,
    *,
    seed: int = 1,
    troubles: Troubles = NO_TROUBLES,
    house: Sequence[int] = (),
    decide: Callable[[Observation, int, int, int], int] | None = None,
    grace: int = 2,
    beacon: Beacon | None = None,
) -> Record:
    """A match at random, sealed, its secret public. A bot that is absent loses its seat at once.

    `house` are the seats that house bots have from the start; `decide` is how all of these play, from what a seat sees,
    its number, that of the action in the match and among its own; at random if it is None.
    """
    rules = ruleset(game, options)
    random = Random(seed)
    seats = tuple(
        RecordSeat(name, f"{name}-bot", "1", house=seat in house, nonce=b"" if seat in house else b"nonce of %d" % seat)
        for seat, name in enumerate(NAMES[: rules.seats])
    )
    public = [beacon.value.encode()] if beacon else []
    nonces = tuple(sorted([seat.nonce for seat in seats if seat.nonce] + public))
    key = board_key(SECRET, nonces, "board-1")
    state = rules.new_match(Deals(key))
    control = TimeControl(limit_ms=100, bank_ms=5000, grace=grace)
    banks, strikes, asked = ([each] * rules.seats for each in (control.bank_ms, 0, 0))
    taken: list[int] = []
    actions: list[RecordedAction] = []
    incidents: list[Incident] = []
    now = 0
    while state.pending:
        seat = random.choice(state.pending.seats)
        legal = state.legal_actions(seat)
        took = 0
        if len(legal) == 1:
            cause = Cause.FORCED
        elif seat in house or seat in taken:
            cause = Cause.HOUSE
        else:
            cause = troubles.get((seat, asked[seat]), Cause.BOT)
            asked[seat] += 1
            if cause is Cause.TIMEOUT:
                took = control.limit_ms + banks[seat]
            elif cause is not Cause.ABSENT:
                took = min(random.choice((0, 2, 30, 130)), control.limit_ms + banks[seat])
            banks[seat] -= min(banks[seat], max(0, took - control.limit_ms))
            if cause is not Cause.BOT:
                strikes[seat] += cause is not Cause.ABSENT
                gone = cause is Cause.ABSENT or strikes[seat] > control.grace
                incidents.append(Incident(seat, len(actions), cause, strikes[seat], gone, "something happened"))
                if gone:
                    taken.append(seat)
        now += took + 1
        chosen = random.choice(legal)
        if decide is not None and cause is Cause.HOUSE and seat in house:
            own = sum(one.seat == seat for one in actions)
            chosen = decide(state.observation(seat), seat, len(actions), own)
        actions.append(RecordedAction(seat, chosen, now, took, cause))
        state.apply(actions[-1].action, seat)
    assert state.outcome
    points = state.outcome.points
    record = Record(
        engine=__version__,
        match=17,
        tournament=3,
        ruleset=game,
        options=rules.options,
        seats=seats,
        source=DealSource(commitment(SECRET), nonces, "board-1", key, SECRET, beacon),
        time_control=control,
        actions=tuple(actions),
        incidents=tuple(incidents),
        outcome=Outcome(points, rules.places(points, taken), state.outcome.deals, tuple(taken)),
        started_ms=1_795_000_000_000,
        finished_ms=1_795_000_004_321,
    )
    return sealed(record)


def sealed(record: Record) -> Record:
    """The same record with its digest set."""
    return replace(record, digest=record.computed_digest())
