"""What a record says of causes, times, strikes and takeovers: honest ones pass, what contradicts itself does not."""

from dataclasses import replace
from typing import Any

import pytest
from tests.engine.games import ALL, label
from tests.engine.recorded import recorded, sealed

from farfalia_engine import Cause, Incident, Record, RecordedAction, TakenBack, TimeControl, missed, verify

TROUBLES = {
    (0, 2): Cause.TIMEOUT,
    (0, 3): Cause.ILLEGAL,
    (0, 5): Cause.FAILURE,  # one strike more than a grace of two: taken over
    (1, 4): Cause.TIMEOUT,
    (1, 9): Cause.ABSENT,
}
#: Seat 0 is taken over by its strikes, seat 1 because it is gone, and seat 2 is a house bot's from the start.
RECORD = recorded(troubles=TROUBLES, house=(2,))


@pytest.mark.parametrize("game", ALL, ids=label)
def test_what_an_honest_server_writes_holds_in_every_game(game: tuple[str, dict[str, str]]) -> None:
    house = (0,) if len(game[1]) == 1 else ()
    record = recorded(*game, troubles=TROUBLES, house=house)
    assert verify(record).violations == ()
    assert record.incidents


def refused(record: Record = RECORD, **fields: Any) -> str:
    """All that is wrong with the record once these fields are changed and it is sealed again."""
    return "\n".join(verify(sealed(replace(record, **fields))).violations)


def action(index: int, **fields: Any) -> tuple[RecordedAction, ...]:
    return (*RECORD.actions[:index], RECORD.actions[index]._replace(**fields), *RECORD.actions[index + 1 :])


def incident(number: int, **fields: Any) -> tuple[Incident, ...]:
    changed: Incident = replace(RECORD.incidents[number], **fields)
    return (*RECORD.incidents[:number], changed, *RECORD.incidents[number + 1 :])


def of(cause: Cause, seat: int, after: int = -1) -> int:
    """The first action of this cause and seat, after another one."""
    return next(i for i, a in enumerate(RECORD.actions) if i > after and (a.cause, a.seat) == (cause, seat))


def test_a_seat_was_missed_if_it_was_taken_over_without_an_answer_or_a_strike() -> None:
    taken = [number for number, one in enumerate(RECORD.incidents) if one.taken_over]
    assert missed(RECORD) == ()
    at = RECORD.incidents[taken[1]].action_index
    gone = replace(RECORD.incidents[taken[1]], strikes=0)
    unasked = tuple(
        one if index == at or one.seat != gone.seat else one._replace(cause=Cause.HOUSE)
        for index, one in enumerate(RECORD.actions)
    )
    assert missed(replace(RECORD, actions=unasked, incidents=(gone,))) == (gone.seat,)
    assert missed(replace(RECORD, actions=RECORD.actions, incidents=(gone,))) == ()
    assert missed(replace(RECORD, actions=unasked, incidents=(replace(gone, strikes=1),))) == ()
    assert missed(replace(RECORD, format=1, actions=unasked, incidents=(gone,))) == ()


def test_a_seat_that_still_had_its_grace_was_not_taken_over() -> None:
    number = next(n for n, each in enumerate(RECORD.incidents) if each.cause is Cause.TIMEOUT)
    assert "is a takeover with strikes 1, but the grace is 2" in refused(incidents=incident(number, taken_over=True))
    kept = replace(RECORD, time_control=replace(RECORD.time_control, grace=9))
    assert "is a takeover with strikes 3, but the grace is 9" in refused(kept)


def test_a_seat_without_grace_left_was_taken_over() -> None:
    strict = replace(RECORD.time_control, grace=0)
    assert "has strikes 1, which is more than the grace of 0, but is no takeover" in refused(time_control=strict)


def test_after_a_takeover_the_bot_has_no_say() -> None:
    index = of(Cause.HOUSE, 0)
    found = refused(actions=action(index, cause=Cause.BOT))
    assert f"action {index} (seat 0) has cause BOT, but a house bot holds the seat: expected HOUSE or FORCED" in found


def test_before_a_takeover_no_house_bot_has_a_say() -> None:
    index = of(Cause.BOT, 3)
    assert "has cause HOUSE, but no house bot holds the seat" in refused(
        actions=action(index, cause=Cause.HOUSE, took_ms=0)
    )


def test_a_seat_called_a_house_bots_did_not_answer_itself() -> None:
    seats = (*RECORD.seats[:3], replace(RECORD.seats[3], house=True, nonce=b""), *RECORD.seats[4:])
    found = refused(seats=seats)
    assert "(seat 3) has cause BOT, but a house bot holds the seat" in found


def test_strikes_count_up_one_by_one() -> None:
    assert "has strikes 2, expected 1" in refused(incidents=incident(0, strikes=2))
    assert "has strikes 0, expected 1" in refused(incidents=incident(0, strikes=0))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"seat": 7}, "there is no such seat, expected 0 to 4"),
        ({"seat": -1}, "there is no such seat, expected 0 to 4"),
        ({"action_index": 10**6}, "there is no such action, expected 0 to"),
        ({"action_index": 0}, "has cause"),
        ({"cause": Cause.SERVER}, "has cause SERVER, expected one of TIMEOUT, ILLEGAL, FAILURE, ABSENT"),
        ({"cause": Cause.BOT}, "has cause BOT, expected one of"),
        ({"cause": Cause.FAILURE}, "has cause FAILURE, but action"),
    ],
)
def test_an_incident_that_cannot_be_is_found(fields: dict[str, Any], expected: str) -> None:
    assert expected in refused(incidents=incident(0, **fields))


def test_every_failure_has_its_incident_and_only_one() -> None:
    assert "has cause TIMEOUT, but no incident there says so" in refused(incidents=RECORD.incidents[1:])
    assert "does not come after the incident before it" in refused(incidents=(RECORD.incidents[0], *RECORD.incidents))
    assert "has cause TIMEOUT, but no incident there says so" in refused(
        actions=action(of(Cause.BOT, 3), cause=Cause.TIMEOUT)
    )


def test_a_house_bot_has_no_incidents() -> None:
    index = of(Cause.HOUSE, 0)
    extra = Incident(0, index, Cause.FAILURE, 4, True, "again")
    later = sorted((*RECORD.incidents, extra), key=lambda each: each.action_index)
    found = refused(incidents=tuple(later), actions=action(index, cause=Cause.FAILURE))
    assert "a house bot held the seat, expected no incident" in found


def test_time_does_not_run_backwards() -> None:
    assert "action 30 (seat" in (found := refused(actions=action(30, at_ms=1)))
    assert f"is at 1 ms, expected at least {RECORD.actions[29].at_ms}" in found


def test_nobody_is_charged_more_than_limit_and_bank() -> None:
    index = of(Cause.BOT, 3)
    assert "was charged 6000 ms, expected 0 to 5100, limit and bank together" in refused(
        actions=action(index, took_ms=6000)
    )
    assert "was charged -1 ms, expected 0 to" in refused(actions=action(index, took_ms=-1))
    poor = TimeControl(RECORD.time_control.limit_ms, 0, RECORD.time_control.grace)
    assert "was charged 130 ms, expected 0 to 100" in refused(time_control=poor)


def test_time_that_ran_out_was_all_that_there_was() -> None:
    assert "expected 5010, because its time ran out" in refused(actions=action(of(Cause.TIMEOUT, 1), took_ms=200))


def test_a_charge_is_not_longer_than_the_decision_was_open() -> None:
    index = next(i for i, a in enumerate(RECORD.actions) if a.cause is Cause.BOT and a.took_ms == 0)
    assert "was charged 90 ms, but came up 1 ms before it was taken" in refused(actions=action(index, took_ms=90))


def test_who_is_not_asked_is_not_charged() -> None:
    forced = next(i for i, a in enumerate(RECORD.actions) if a.cause is Cause.FORCED)
    assert "was charged 1 ms, expected 0, because nobody was asked" in refused(actions=action(forced, took_ms=1))


def test_what_had_to_be_is_called_forced() -> None:
    forced = next(i for i, a in enumerate(RECORD.actions) if a.cause is Cause.FORCED and a.seat == 3)
    found = refused(actions=action(forced, cause=Cause.BOT))
    assert "has cause BOT, expected FORCED, because nothing else was legal" in found


@pytest.mark.parametrize("cause", [Cause.UNSPECIFIED, Cause.SERVER])
def test_an_action_without_a_cause_is_found(cause: Cause) -> None:
    assert f"has cause {cause.name}, expected one of BOT, FORCED" in refused(actions=action(0, cause=cause))


@pytest.mark.parametrize(("field", "value"), [("limit_ms", 0), ("bank_ms", -1), ("grace", -1)])
def test_a_time_control_that_cannot_be_is_found(field: str, value: int) -> None:
    assert f"the time control has {field} {value}" in refused(
        time_control=replace(RECORD.time_control, **{field: value})
    )


def test_a_default_among_the_options_is_found() -> None:
    record = recorded("four", {"hands": "8"})
    found = refused(record, options={"hands": "8", "burnin": "off"})
    assert "the options are {'hands': '8', 'burnin': 'off'}, expected {'hands': '8'}" in found


def test_nonces_stand_in_order_and_have_their_length_though_the_secret_is_not_public() -> None:
    source = replace(RECORD.source, secret=b"")
    assert "in ascending order" in refused(source=replace(source, nonces=source.nonces[::-1]))
    assert "in ascending order" in refused(source=replace(RECORD.source, nonces=source.nonces[::-1]))
    assert "nonce 73686f7274 has 5 bytes, expected 8 to 64" in refused(
        source=replace(source, nonces=(*source.nonces, b"short"))
    )


def test_a_commitment_has_its_length_although_the_secret_is_not_public() -> None:
    source = replace(RECORD.source, secret=b"", commitment=b"sha")
    assert "the commitment has 3 bytes, expected 32" in refused(source=source)


def test_one_name_is_one_bot_and_one_bot_is_the_same_at_every_seat() -> None:
    ada, bo, *others = RECORD.seats
    assert "Ada is bot Ada-bot 1 and bot Bo-bot 1" in refused(seats=(ada, replace(bo, name="Ada"), *others))
    assert "bot Ada-bot 1 has several seats, expected one nonce" in refused(
        seats=(ada, replace(bo, bot="Ada-bot"), *others)
    )
    assert "seat 0 has name '' and bot 'Ada-bot', expected both" in refused(seats=(replace(ada, name=""), bo, *others))
    assert "seat 2 (Cleo) has a nonce, expected none of a house bot" in refused(
        seats=(ada, bo, replace(others[0], nonce=ada.nonce), *others[1:])
    )


def test_a_heading_that_cannot_be_is_found() -> None:
    assert "engine 0.x played it, expected a version such as" in refused(engine="0.x")
    assert "the match has number 0, expected at least 1" in refused(match=0)
    assert "the record does not say when the match began" in refused(started_ms=0)
    assert "the digest has 3 bytes, expected 32" in "\n".join(verify(replace(RECORD, digest=b"sha")).violations)


def own_actions() -> list[int]:
    return [index for index, one in enumerate(RECORD.actions) if one.cause is Cause.BOT]


def forced_action() -> int:
    return next(index for index, one in enumerate(RECORD.actions) if one.cause is Cause.FORCED)


def test_hints_are_listed_in_order_with_decisions_of_somebody() -> None:
    own, forced = own_actions()[:2], forced_action()
    assert verify(sealed(replace(RECORD, hinted=tuple(own)))).violations == ()
    assert f"hinted has {own[0]} after {own[1]}, expected ascending places" in refused(hinted=(own[1], own[0]))
    assert f"hinted has {forced}, an action with cause FORCED: expected BOT" in refused(hinted=(forced,))
    assert "hinted has 99999: there is no such action" in refused(hinted=(99999,))


def test_only_a_person_among_house_bots_takes_decisions_back() -> None:
    one, other = (TakenBack(at, 1) for at in own_actions()[:2])
    assert f"taken_back has {one[0]} after {other[0]}, expected ascending places" in refused(taken_back=(other, one))
    assert "decisions were taken back, expected none but where one person plays" in refused(taken_back=(one,))
    assert "taken_back has 99999: there is no such action" in refused(taken_back=(TakenBack(99999, 1),))
    assert f"taken_back has {one[0]} with 0 decisions, expected at least 1" in refused(
        taken_back=(TakenBack(one[0], 0),)
    )
    assert "with cause FORCED: expected a person's" in refused(taken_back=(TakenBack(forced_action(), 1),))
