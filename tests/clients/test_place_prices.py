"""What decisions cost in places: exact where the last deal's end is certain, by the ruleset, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from farfalia.analysis import pricing
from farfalia.analysis.places import places_after
from farfalia.analysis.pricing import Position, is_priced, price_decisions
from farfalia.bots import create
from farfalia.bots.cautious import CautiousBot
from farfalia.learning.world_values import points_in
from farfalia_engine import (
    COLLECT_NONE,
    Cause,
    Deals,
    DealSource,
    Incident,
    Kind,
    Outcome,
    Record,
    RecordedAction,
    State,
    TimeControl,
    play_to_end,
    ruleset,
)


def choices(name: str, before: Sequence[int] = (), bot: str = "random", seed: int = 0) -> Iterator[tuple[State, int]]:
    """States of the last deal of a match, and the seat that has a choice there; `before` are the totals before it."""
    rules, random = ruleset(name), Random(f"{name} {seed}")
    state, deciders = rules.new_match(Deals(random.randbytes(32))), [create(bot, seat) for seat in range(rules.seats)]
    while state.pending:
        seat = state.pending.seats[0]
        if state.deal == rules.last_deal and is_priced(state, seat):
            yield with_totals(state, before) if before else state, seat
        state.apply(deciders[seat].decide(state.observation(seat)), seat)


def with_totals(state: State, totals: Sequence[int]) -> State:
    """The same moment, with these totals before the deal: all made in the first one."""
    other, seats = state.clone(), state.rules.seats
    other.scores = tuple(totals) + (0,) * (len(state.scores) - seats)
    other.totals = tuple(totals)
    return other


def place_after(state: State, seat: int, action: int) -> int:
    """The seat's place if it does this, and cautious plays on in the engine."""
    after = state.clone()
    after.apply(action, seat)
    play_to_end(after, [create("cautious").decide] * state.rules.seats)
    assert after.outcome is not None
    return after.outcome.places[seat]


@pytest.mark.parametrize("name", ["basic", "chinkway", "four", "three", "two", "farrago"])
def test_as_the_cards_lay_places_are_those_of_the_engine(name: str) -> None:
    seen = set()
    for number, (state, seat) in enumerate(choices(name)):
        if number % 7:
            continue
        # Totals so close that this deal decides.
        close = with_totals(state, range(state.rules.seats))
        view = close.observation(seat)
        found = places_after(view, points_in(view, [close], view.legal, CautiousBot()))[:, 0]
        for action, place in list(zip(view.legal, found, strict=True))[:6]:
            assert place == place_after(close, seat, action)
            seen.add(place)
    assert len(seen) > 1


def test_where_the_match_is_decided_points_are_lost_but_no_place() -> None:
    lost = 0.0
    for number, (state, seat) in enumerate(choices("two", (0, 1000))):
        if number % 5 == 0:
            position = Position(state, seat, worlds=8)
            for action in state.legal_actions(seat):
                priced = position.price(action)
                lost += priced.price
                assert priced.places is not None
                assert (priced.places.best, priced.places.price, priced.places.error) == (action, 0, 0)
                assert {(value.place, value.first) for value in priced.values} == {(2 - seat, seat)}
    assert lost > 10


def last_collection() -> tuple[State, int]:
    """A state after the last trick of a match, where what its winner collects changes its points."""
    for seed in range(20):
        for state, seat in choices("two", (0, 0), "cautious", seed):
            if state.pending and state.pending.kind is Kind.COLLECT:
                ends = [outcome_after(state, seat, action) for action in state.legal_actions(seat)]
                if all(end is not None for end in ends) and len({end.points[seat] for end in ends if end}) > 1:
                    return state, seat
    raise AssertionError("there is no such state")


def outcome_after(state: State, seat: int, action: int) -> Outcome | None:
    """How the match ends if the seat does this; None if that is not the end."""
    after = state.clone()
    after.apply(action, seat)
    return after.outcome


def test_a_card_that_decides_costs_a_place_and_who_is_level_shares_it() -> None:
    state, seat = last_collection()
    legal, other = state.legal_actions(seat), 1 - seat
    ends = {action: outcome.points for action in legal if (outcome := outcome_after(state, seat, action))}
    least, most = ends[COLLECT_NONE][seat], max(points[seat] for points in ends.values())
    rival = ends[COLLECT_NONE][other]
    assert least < most
    # What the other one ends with, beside what the seat would end with: the place that is left lying, the best one.
    for total, left, best in ((least - 1, 1, 1), (least, 1, 1), (least + 1, 2, 1), (most, 2, 1), (most + 1, 2, 2)):
        before = [0, 0]
        before[other] = total - rival
        level = with_totals(state, before)
        priced = Position(level, seat, worlds=8).price(COLLECT_NONE)
        assert priced.price == most - least
        assert priced.places is not None
        assert (priced.places.price, priced.places.error) == (left - best, 0)
        after = {action: outcome_after(level, seat, action) for action in legal}
        assert {one.action: one.place for one in priced.values} == {
            action: outcome.places[seat] for action, outcome in after.items() if outcome
        }
        assert all(one.first == (one.place == 1) for one in priced.values)


def test_only_a_deal_that_is_certain_to_be_the_last_has_places() -> None:
    random, rules = Random(3), ruleset("two")
    for deal in range(1, rules.last_deal + 1):
        state = rules.new_match(Deals(random.randbytes(32)), deal)
        assert state.pending is not None
        seat = state.pending.seats[0]
        priced = Position(state, seat, worlds=8).price(state.legal_actions(seat)[0])
        certain = deal == rules.last_deal
        assert (priced.places is not None) == certain
        assert all((value.place is not None) == (value.first is not None) == certain for value in priced.values)
    # With a target the match may end with this deal, but the seat cannot know.
    state = ruleset("four", {"target": "1"}).new_match(Deals(bytes(32)))
    assert state.pending is not None
    seat = state.pending.seats[0]
    assert Position(state, seat, worlds=8).price(state.legal_actions(seat)[0]).places is None


def test_a_price_in_places_is_between_nothing_and_the_difference_of_places() -> None:
    found = 0.0
    for number, (state, seat) in enumerate(choices("chinkway")):
        if number % 9 == 0:
            priced = Position(state, seat, number=number, worlds=32).price(state.legal_actions(seat)[0])
            places = {value.action: value.place for value in priced.values if value.place is not None}
            assert priced.places is not None
            assert all(1 <= place <= 5 for place in places.values())
            assert places[priced.places.best] == min(places.values())
            assert 0 <= priced.places.price <= places[priced.action] - places[priced.places.best] + 1e-9
            found += priced.places.price
    assert found > 0


def test_who_has_lost_the_seat_until_then_is_last_whatever_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("two")
    first = rules.new_match(Deals(bytes(32)))
    played = play_to_end(first, [create("greedy", seat).decide for seat in range(2)])
    ends = Incident(1, 12, Cause.TIMEOUT, strikes=1, taken_over=False, text="late")
    record = Record(
        engine="1.0.0",
        match=1,
        ruleset="two",
        seats=(),
        source=DealSource(bytes(32), (), "board-1", board_key=bytes(32)),
        time_control=TimeControl(limit_ms=1_000, bank_ms=0, grace=0),
        actions=tuple(RecordedAction(one.seat, one.action, 0, 0, Cause.BOT) for one in played),
        incidents=(ends,),
        outcome=None,
        started_ms=1,
        finished_ms=2,
    )

    def late(state: State, seat: int) -> bool:
        return state.deal == rules.last_deal and len(state.plays) > 30 and is_priced(state, seat)

    # The end of the last deal is enough.
    monkeypatch.setattr(pricing, "is_priced", late)
    plain = {one.number: one for one in price_decisions(record, seats=[0], worlds=8)}
    gone = max(plain) - 4
    struck = replace(record, incidents=(ends, replace(ends, action_index=gone, taken_over=True)))
    for one in price_decisions(struck, seats=[0], worlds=8):
        if one.number < gone:
            assert one == plain[one.number]
        else:
            assert one.places is not None
            assert {(value.place, value.first) for value in one.values} == {(1, 1)}
            assert one.places.price == 0
            assert one.price == plain[one.number].price
