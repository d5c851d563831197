from __future__ import annotations

import random
from dataclasses import replace
from hashlib import sha256

import pytest

from farfalia_engine import Deals, UnreplayableRecord, play_to_end, ruleset
from farfalia_engine.record import Cause, DealSource, Record, RecordedAction, RecordSeat, TimeControl
from farfalia_server.records.deal_views import deals_of

KEY = sha256(b"a board").digest()


def a_record(seed: int = 1) -> Record:
    """A match between five who choose at random."""
    rng = random.Random(seed)
    state = ruleset("chinkway").new_match(Deals(KEY))
    actions = [
        RecordedAction(seat, action, at, 0, Cause.BOT)
        for at, (seat, action, _) in enumerate(
            play_to_end(state, [lambda observation: rng.choice(observation.legal)] * 5)
        )
    ]
    return Record(
        engine="0",
        match=1,
        ruleset="chinkway",
        seats=tuple(RecordSeat(name) for name in "abcde"),
        source=DealSource(bytes(32), (), "board-1", KEY),
        time_control=TimeControl(1000, 0, 3),
        actions=tuple(actions),
        outcome=state.outcome,
        started_ms=0,
        finished_ms=1,
    )


def test_every_deal_has_its_points_and_ten_tricks() -> None:
    record = a_record()
    deals = deals_of(record)
    assert record.outcome is not None
    assert [deal.number for deal in deals] == list(range(1, 12))
    assert tuple(deal.scores for deal in deals) == record.outcome.deals
    assert {len(deal.tricks) for deal in deals} == {10}


def test_the_dealer_has_twelve_cards_and_the_others_ten() -> None:
    for deal in deals_of(a_record()):
        assert [len(hand) for hand in deal.hands] == [12, 10, 10, 10, 10]
        assert set(deal.discarded) < set(deal.hands[0])


def test_each_card_that_is_played_was_dealt_there() -> None:
    for deal in deals_of(a_record()):
        for position, hand in enumerate(deal.hands):
            played = {trick.by_position[position].card for trick in deal.tricks}
            assert played == set(hand) - (set(deal.discarded) if position == 0 else set())


def test_the_winner_of_a_trick_leads_the_next() -> None:
    for deal in deals_of(a_record()):
        assert deal.tricks[0].leader == 1
        assert [trick.winner for trick in deal.tricks[:-1]] == [trick.leader for trick in deal.tricks[1:]]


def test_points_follow_from_what_the_side_has_collected() -> None:
    for deal in deals_of(a_record()):
        for position, seat in enumerate(deal.seats):
            cards = len(deal.collected(deal.sides[position]))
            assert deal.scores[seat] == cards * (cards + 1) // 2


def test_a_play_points_at_its_action() -> None:
    record = a_record()
    for deal in deals_of(record):
        for trick in deal.tricks:
            for play in trick.plays:
                action = record.actions[play.index]
                assert ruleset("chinkway").text(action.action) == play.card.text
                assert action.seat == deal.seats[play.position]


def test_a_record_that_breaks_off_shows_what_there_is() -> None:
    deals = deals_of(replace(a_record(), actions=a_record().actions[:70], outcome=None))
    assert len(deals) == 2
    assert len(deals[0].scores) == 5
    assert deals[1].scores == ()
    assert deals[1].tricks[-1].winner is None or len(deals[1].tricks[-1].plays) == 5


def test_a_record_without_actions_has_no_deals() -> None:
    assert deals_of(replace(a_record(), actions=(), outcome=None)) == []


def test_an_illegal_action_is_named() -> None:
    record = a_record()
    with pytest.raises(UnreplayableRecord, match="action 0"):
        deals_of(replace(record, actions=record.actions[1:]))


def test_a_card_is_said_in_words() -> None:
    cards = {card.text: card for card in ruleset("chinkway").game.wording.faces}
    assert cards["F10"].words == "10 of fishes, a butterfly"
    assert cards["O7"].words == "7 of seashells"
    assert cards["O7"].family == "O"
