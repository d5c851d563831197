import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.recorded import SECRET, recorded, sealed

from farfalia_engine import (
    Beacon,
    Cause,
    Deals,
    DealSource,
    Incident,
    Outcome,
    Record,
    RecordedAction,
    RecordSeat,
    TimeControl,
    UnreplayableRecord,
    Verdict,
    board_key,
    commitment,
    places,
    replay,
    ruleset,
    verify,
)

# Two bots gave a nonce; for the others a house bot sits there.
HOUSE = (2, 3, 4)
RECORD = recorded(house=HOUSE)
assert RECORD.outcome
OUTCOME: Outcome = RECORD.outcome
SEATS, NONCES, KEY = RECORD.seats, RECORD.source.nonces, RECORD.source.board_key


def changed(record: Record = RECORD, **fields: Any) -> Record:
    return sealed(replace(record, **fields))


def with_action(index: int, **fields: Any) -> Record:
    actions = list(RECORD.actions)
    actions[index] = actions[index]._replace(**fields)
    return changed(actions=tuple(actions))


def first_violation(record: Record) -> str:
    verdict = verify(record)
    assert not verdict.holds
    return verdict.violations[0]


def test_a_record_as_it_was_played_holds_and_nothing_is_left_unchecked() -> None:
    assert verify(RECORD) == Verdict(
        (),
        (),
        (
            "every card follows from the secret that was committed to and 2 nonces, 2 of them of this table",
            f"11 deals, {len(RECORD.actions)} actions, points and places",
            "the digest",
        ),
    )


def test_a_bot_that_gave_no_nonce_has_no_proof_of_its_own() -> None:
    record = recorded()
    seats = (*record.seats[:3], *(replace(seat, nonce=b"") for seat in record.seats[3:]))
    verdict = verify(changed(record, seats=seats))
    assert verdict.holds
    assert verdict.unchecked == ("no nonce was given by Dee, Élise: they have no proof that the deals were not chosen",)


def test_a_board_of_a_day_has_no_nonces_and_says_what_to_compare() -> None:
    source = replace(recorded().source, daily="today")
    assert verify(changed(recorded(), source=source, tournament=3)).violations[:3] == (
        "the board is of the day 'today', expected one such as 2026-11-28",
        "the board of a day has 5 nonces, expected none: all who play it have its cards",
        "the board of a day was played in tournament 3, expected none",
    )
    assert changed(source=replace(RECORD.source, daily="2026-11-28")).digest != RECORD.digest


def test_a_nonce_or_a_beacon_that_was_left_out_is_found() -> None:
    seats = (replace(SEATS[0], nonce=b"nobody asked"), *SEATS[1:])
    source = replace(RECORD.source, beacon=Beacon("sun dial", "May 1", "noon of the first of May", 2, 1))
    assert verify(changed(seats=seats, source=source)).violations == (
        f"the nonce of Ada, {b'nobody asked'.hex()}, is not among the nonces",
        "the beacon 'noon of the first of May' is not among the nonces",
    )


def test_times_that_go_back_are_a_remark_and_no_fault() -> None:
    nonces = tuple(sorted((*NONCES, b"noon of May 1")))
    beacon = Beacon("sun dial", "May 1", "noon of May 1", RECORD.started_ms + 2, RECORD.started_ms + 1)
    source = replace(RECORD.source, nonces=nonces, beacon=beacon, board_key=board_key(SECRET, nonces, "board-1"))
    found = verify(changed(source=source, finished_ms=RECORD.started_ms - 1))
    assert not any("before" in violation for violation in found.violations)
    assert (
        "the times: the match ended 1 ms before it began, and the value of the beacon was given before the beacon was "
        "announced, and the match began before the value of the beacon was given; a clock was set back, or the times "
        "are made up"
    ) in found.unchecked


def test_a_beacon_is_one_of_the_nonces() -> None:
    nonces = tuple(sorted((*NONCES, b"noon of May 1")))
    key = board_key(SECRET, nonces, "board-1")
    beacon = Beacon("sun dial", "May 1", "noon of May 1", 0, 1)
    found = verify(changed(source=DealSource(commitment(SECRET), nonces, "board-1", key, SECRET, beacon)))
    assert not any("beacon" in violation or "key" in violation for violation in found.violations)


def test_replay_yields_the_state_before_the_first_action_and_after_each() -> None:
    state = ruleset("chinkway").new_match(Deals(KEY))
    states = replay(RECORD)
    assert next(states).observation(0) == state.observation(0)
    for action, found in zip(RECORD.actions, states, strict=True):
        state.apply(action.action, action.seat)
        assert [found.observation(seat) for seat in range(5)] == [state.observation(seat) for seat in range(5)]
    assert found.outcome == OUTCOME


def test_replay_names_the_action_that_is_illegal() -> None:
    wrong = (RECORD.actions[213].seat + 1) % 5
    name = ruleset("chinkway").text(RECORD.actions[213].action)
    expected = f"action 213 (seat {wrong}, {name}) is illegal: seat {RECORD.actions[213].seat} is to act"
    with pytest.raises(UnreplayableRecord) as caught:
        list(replay(with_action(213, seat=wrong)))
    assert str(caught.value) == expected
    assert first_violation(with_action(213, seat=wrong)) == expected


@pytest.mark.parametrize("action", [-1, 60, 1582, 10**40])
def test_a_number_that_is_no_action_is_named_as_it_is(action: int) -> None:
    assert first_violation(with_action(0, action=action)).startswith(f"action 0 (seat 0, {action}) is illegal: ")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"ruleset": "whist"}, "there is no game 'whist'"),
        ({"options": {"hands": "4"}}, "chinkway has no option 'hands'"),
        ({"source": replace(RECORD.source, board_key=b"short", secret=b"")}, "the board key has 5 bytes"),
    ],
)
def test_a_match_that_cannot_be_set_up_cannot_be_replayed(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(UnreplayableRecord, match=message):
        next(replay(changed(**fields)))
    verdict = verify(changed(**fields))
    assert verdict.violations[0].startswith(message)
    assert verdict.unchecked[-1] == "points and places: the play could not be repeated to its end"


def test_a_format_of_another_number_is_not_looked_into() -> None:
    assert verify(changed(format=3)) == Verdict(("format 3 is unknown, expected 1 or 2",), ("everything else",))


def test_an_engine_of_another_major_version_is_named() -> None:
    assert "engine 9.0.0 played it" in first_violation(changed(engine="9.0.0"))
    assert "engine (none) played it" in first_violation(changed(engine=""))
    assert verify(changed(engine="0.9.9")).holds


def test_a_secret_that_is_not_public_leaves_the_source_unchecked() -> None:
    verdict = verify(replace(RECORD, source=replace(RECORD.source, secret=b"")))
    assert verdict.holds
    assert verdict.unchecked == ("the secret is not public yet: commitment and board key were not checked against it",)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"commitment": bytes(32)}, "the commitment is 0000"),
        ({"nonces": NONCES[:1]}, "the board key is "),
        ({"board": "board-2"}, "the board key is "),
        ({"secret": bytes(32)}, "the commitment is "),
        ({"secret": b"short"}, "the secret has 5 bytes"),
        ({"nonces": (b"short",)}, "nonce 73686f7274 has 5 bytes"),
    ],
)
def test_deals_that_do_not_come_from_the_committed_secret_are_found(fields: dict[str, Any], message: str) -> None:
    assert first_violation(changed(source=replace(RECORD.source, **fields))).startswith(message)


def test_a_record_that_stops_early_is_found() -> None:
    short = changed(actions=RECORD.actions[:400])
    assert first_violation(short) == "the record stops after 400 actions, before the match is over"


def test_an_action_after_the_end_is_found() -> None:
    extra = changed(actions=(*RECORD.actions, RECORD.actions[-1]))
    assert f"action {len(RECORD.actions)} " in first_violation(extra)
    assert first_violation(extra).endswith("the match is over")


def test_a_choice_that_is_called_forced_is_found() -> None:
    assert first_violation(with_action(0, cause=Cause.FORCED)).endswith("is called forced, but 66 were legal")


def test_every_wrong_figure_of_the_outcome_is_named() -> None:
    wrong = replace(
        OUTCOME,
        points=(OUTCOME.points[0] + 1, *OUTCOME.points[1:]),
        places=OUTCOME.places[::-1],
        deals=(*OUTCOME.deals[:3], (0, 0, 0, 0, 15), *OUTCOME.deals[4:]),
    )
    first, second, third = verify(changed(outcome=wrong)).violations
    assert first.startswith("the points of deal 4 are [0, 0, 0, 0, 15], but the play gives ")
    assert second.startswith("the points are ")
    assert third.startswith("the places are ")


def test_missing_deals_seats_and_outcome_are_named() -> None:
    one_deal_less = replace(OUTCOME, deals=OUTCOME.deals[:10])
    assert first_violation(changed(outcome=one_deal_less)) == "10 deals have points, but 11 were played"
    assert first_violation(changed(seats=RECORD.seats[:4])) == "4 seats are named, but chinkway has 5"
    assert first_violation(changed(outcome=None)) == "the match is over, but the record has no outcome"


#: Seat 3 is gone after its fourth question, seat 1 has three strikes with its seventh: one more than it survives.
LOST = recorded(troubles={(3, 4): Cause.ABSENT, (1, 2): Cause.TIMEOUT, (1, 5): Cause.ILLEGAL, (1, 6): Cause.FAILURE})


def test_forfeited_seats_are_placed_behind_all_others() -> None:
    assert LOST.outcome
    assert LOST.outcome.forfeits in {(3, 1), (1, 3)}
    first, second = LOST.outcome.forfeits
    assert (LOST.outcome.places[first], LOST.outcome.places[second]) == (5, 4)
    assert verify(LOST).holds


def test_a_forfeit_without_its_place_is_found() -> None:
    assert LOST.outcome
    record = changed(LOST, outcome=replace(LOST.outcome, places=places(LOST.outcome.points)))
    assert first_violation(record).startswith("the places are ")


@pytest.mark.parametrize("forfeits", [(2, 2), (5,), (-1,)])
def test_forfeits_that_cannot_be_are_found(forfeits: tuple[int, ...]) -> None:
    verdict = verify(changed(outcome=replace(OUTCOME, forfeits=forfeits)))
    assert any("cannot be forfeited" in violation for violation in verdict.violations)


def test_forfeits_that_no_incident_explains_are_found() -> None:
    assert first_violation(changed(outcome=replace(OUTCOME, forfeits=(2,)))).startswith("seats [2] are forfeited")
    assert first_violation(changed(LOST, outcome=OUTCOME)).startswith("seats [] are forfeited")


def test_any_other_change_is_found_by_the_digest() -> None:
    for other in (replace(RECORD, match=18), replace(RECORD, started_ms=1), replace(RECORD, tournament=4)):
        assert first_violation(other).startswith("the digest is ")


def test_a_record_without_digest_is_not_checked_for_it() -> None:
    assert verify(replace(RECORD, digest=b"")) == Verdict(
        (), ("the record has no digest",), verify(RECORD).checked[:-1]
    )


def test_publishing_the_secret_does_not_change_the_digest() -> None:
    before = replace(RECORD, source=replace(RECORD.source, secret=b""))
    assert before.computed_digest() == RECORD.digest


@given(st.data())
def test_verify_never_raises_whatever_the_actions_are(data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(RECORD.actions) - 1))
    fields = {
        "seat": data.draw(st.integers(-2, 6) | st.integers()),
        "action": data.draw(st.sampled_from([action.action for action in RECORD.actions]) | st.integers()),
        "cause": data.draw(st.sampled_from(Cause)),
    }
    verdict = verify(with_action(index, **fields))
    unchanged = RECORD.actions[index].seat == fields["seat"] and RECORD.actions[index].action == fields["action"]
    assert verdict.holds <= unchanged


def test_the_canonical_form_is_spelled_as_the_page_on_records_says() -> None:
    small = Record(
        engine="0.1.0",
        match=1,
        ruleset="chinkway",
        options={"z": "1", "a": 'quote " and \\ and \n and é'},
        seats=(RecordSeat("Ada", "ada-bot", "1.2", house=True, nonce=b"\x01\x02"),),
        source=DealSource(b"\xc0", (b"\x01\x02",), "board-1", b"\xff", SECRET),
        time_control=TimeControl(100, 5000, 2),
        actions=(RecordedAction(0, 256, 1, 2, Cause.BOT),),
        incidents=(Incident(0, 1, Cause.TIMEOUT, 1, False, "late"),),
        outcome=Outcome((5,), (1,), ((5,),), (0,)),
        started_ms=3,
        finished_ms=4,
    )
    assert small.canonical().decode() == (
        '{"actions":[{"action":256,"at_ms":1,"cause":1,"seat":0,"took_ms":2}],"engine":"0.1.0","finished":4,"format":2,'
        '"incidents":[{"action_index":1,"cause":3,"seat":0,"strikes":1,"taken_over":false,"text":"late"}],"match":1,'
        '"options":{"a":"quote \\" and \\\\ and \\n and é","z":"1"},'
        '"outcome":{"deals":[{"points":[5]}],"forfeits":[0],"places":[1],"points":[5]},"ruleset":"chinkway",'
        '"seats":[{"bot":"ada-bot","house":true,"name":"Ada","nonce":"0102","version":"1.2"}],'
        '"source":{"beacon":null,"board":"board-1","board_key":"ff","commitment":"c0","nonces":["0102"]},"started":3,'
        '"time_control":{"bank_ms":5000,"grace":2,"limit_ms":100},"tournament":0}'
    )
    assert small.computed_digest() == sha256(small.canonical()).digest()
    assert json.loads(replace(small, outcome=None).canonical())["outcome"] is None
