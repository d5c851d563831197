"""The questions of a match from its record: what each seat saw when it was asked, and its clock then."""

from dataclasses import replace

import pytest
from tests.cli.command import played
from tests.engine.games import PAIRWISE

from farfalia_engine import Cause, Deals, Incident, Kind, Record, TimeControl, replay, ruleset
from farfalia_server.records.codec import to_message
from farfalia_server.records.questions import AnsweredQuestion, answered_questions


def questions(record: Record) -> list[AnsweredQuestion]:
    return list(answered_questions(to_message(record)))


@pytest.mark.parametrize(("game", "options"), PAIRWISE)
def test_every_choice_is_there_once_and_a_seats_are_numbered_without_gaps(game: str, options: dict[str, str]) -> None:
    record = played(game=game, options=options)
    found = questions(record)
    chosen = [at for at, action in enumerate(record.actions) if action.cause is not Cause.FORCED]
    assert [one.index for one in found] == chosen
    for seat in range(len(record.seats)):
        numbers = [one.number for one in found if one.seat == seat]
        assert numbers == list(range(1, len(numbers) + 1))
    assert all(one.action in one.legal and len(one.legal) > 1 for one in found)
    assert all(one.view.seat == one.seat and one.view.legal == one.legal for one in found)


@pytest.mark.parametrize(
    ("game", "options", "kind"), [("chinkway", {"double_you": "on"}, Kind.DOUBLE), ("farrago", {}, Kind.SHOW)]
)
def test_what_a_seat_sees_does_not_change_while_others_choose(game: str, options: dict[str, str], kind: Kind) -> None:
    record = played(game=game, options=options)
    first: dict[int, object] = {}
    seen: list[bool] = []
    state = next(replay(record))
    for action in record.actions:
        pending = state.pending
        assert pending is not None
        if pending.kind is kind:
            for seat in pending.seats:
                first.setdefault(seat, (state.observation(seat), state.legal_actions(seat)))
            now = state.observation(action.seat), state.legal_actions(action.seat)
            seen.append(first.pop(action.seat) == now)
        state.apply(action.action, action.seat)
    assert len(seen) >= len(record.seats)
    assert all(seen)


def test_a_trick_is_that_of_the_card_or_of_the_collection() -> None:
    record = played(game="two")
    found = questions(record)
    state = ruleset("two").new_match(Deals(record.source.board_key))
    tricks = {}
    for index, action in enumerate(record.actions):
        tricks[index] = len(state.leaders) + (state.pending is not None and not state.mid_trick)
        state.apply(action.action, action.seat)
    assert {one.index: one.trick for one in found if one.trick} == {one.index: tricks[one.index] for one in found}
    declared = [one.trick for one in questions(played(game="three")) if one.kind is Kind.DECLARE]
    assert set(declared) == {0}


def test_the_clock_is_what_the_seat_had_left_before_it_answered() -> None:
    record = played(game="two")
    mine = [at for at, action in enumerate(record.actions) if action.seat == 0 and action.cause is Cause.BOT]
    slow, failed = mine[2], mine[4]
    actions = list(record.actions)
    actions[slow] = actions[slow]._replace(took_ms=1300)
    actions[failed] = actions[failed]._replace(cause=Cause.FAILURE)
    incident = Incident(0, failed, Cause.FAILURE, strikes=1, taken_over=False, text="it said so")
    changed = replace(record, actions=tuple(actions), incidents=(incident,), time_control=TimeControl(1000, 10_000, 3))
    clocks = [(one.bank_ms, one.strikes) for one in questions(changed) if one.seat == 0]
    assert clocks[:7] == [(10_000, 0)] * 3 + [(9700, 0)] * 2 + [(9700, 1)] * 2
    assert {(one.bank_ms, one.strikes) for one in questions(changed) if one.seat == 1} == {(10_000, 0)}
