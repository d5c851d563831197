"""What decisions cost: exact where the end is certain, the same every time, and honest about what it cannot know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.engine.games import label, pairwise
from tests.toy_game.high_card import HighCard

import farfalia_engine as engine
from farfalia.analysis.comparison import compare_deal
from farfalia.analysis.prices import NotPriced, PricedDecision
from farfalia.analysis.pricing import Position, is_priced, price_decision, price_decisions
from farfalia.analysis.totals import Total, total
from farfalia.bots import create
from farfalia_engine import (
    COLLECT_NONE,
    POINTS,
    Cause,
    Deals,
    DealSource,
    FarfaliaObservation,
    Kind,
    Record,
    RecordedAction,
    State,
    TimeControl,
    play_to_end,
    replay,
    ruleset,
    solve,
)

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "analysis.md"


def record_of(name: str, options: Mapping[str, str] | None = None, bot: str = "greedy") -> Record:
    """The record of a match between these bots."""
    rules = ruleset(name, options)
    deciders = [create(bot, seat).decide for seat in range(rules.seats)]
    played = play_to_end(rules.new_match(Deals(bytes(32))), deciders)
    return Record(
        engine="1.0.0",
        match=1,
        ruleset=name,
        options=options or {},
        seats=(),
        source=DealSource(bytes(32), (), "board-1", board_key=bytes(32)),
        time_control=TimeControl(limit_ms=1_000, bank_ms=0, grace=0),
        actions=tuple(RecordedAction(one.seat, one.action, 0, 0, Cause.BOT) for one in played),
        outcome=None,
        started_ms=1,
        finished_ms=2,
    )


def first(record: Record, actions: int) -> Record:
    """The record with its first actions alone."""
    return replace(record, actions=record.actions[:actions])


def some(record: Record, actions: int, seats: Sequence[int] | None = None, seed: int = 0) -> list[PricedDecision]:
    """What the first actions of a record cost."""
    return list(price_decisions(first(record, actions), seats=seats, worlds=8, seed=seed))


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_every_choice_of_a_record_has_a_price(game: tuple[str, dict[str, str]]) -> None:
    name, options = game
    record = record_of(name, options, "random")
    if options.get("burnin") == "on":
        with pytest.raises(NotPriced, match=r"with wild cards \(burnin=on\)"):
            some(record, 1)
        return
    found = some(record, 25)
    assert len(found) > 10
    for one in found:
        done = record.actions[one.number]
        assert (one.seat, one.action) == (done.seat, done.action)
        values = {value.action: value for value in one.values}
        assert list(values) == sorted(values)
        assert len(values) > 1
        assert values[one.best].error == 0
        assert values[one.best].value == max(value.value for value in one.values)
        assert 0 <= one.price <= values[one.best].value - values[one.action].value + 1e-9
        assert one.kind is not Kind.DOUBLE


def test_whose_decisions_are_asked_for_changes_no_number() -> None:
    record = record_of("three-short")
    found = some(record, 30)
    assert found == some(record, 30)
    assert [one for one in found if one.seat == 1] == some(record, 30, seats=[1])
    assert found != some(record, 30, seed=1)


def choices(name: str, deals: int, bot: str = "cautious") -> Iterator[tuple[State, int]]:
    """States of deals that a bot plays, and the seat that has a choice there."""
    rules, random, decider = ruleset(name), Random(name), create(bot, 1)
    for deal in range(1, deals + 1):
        state = rules.new_match(Deals(random.randbytes(32)), min(deal, rules.last_deal))
        state.end_with_deal()
        while state.pending:
            seat = state.pending.seats[0]
            if is_priced(state, seat):
                yield state, seat
            state.apply(decider.decide(state.observation(seat)), seat)


def test_what_is_left_lying_after_the_last_trick_costs_its_points() -> None:
    """The deal is over then, so what a collection is worth with one card more or less is all there is to it."""
    found = 0
    for state, seat in choices("chinkway", 12):
        view = state.observation(seat)
        if view.kind is Kind.COLLECT and len(view.winners) == len(view.plays) // 5 == 10:
            assert isinstance(view, FarfaliaObservation)
            collected = 5 - len(view.missing(view.side))
            # Others who collect with the seat in this deal count among the four others all the same.
            with_it = sum(view.sides[view.seats.index(other)] == view.side for other in range(5)) - 1
            worth = (POINTS[collected + 1] - POINTS[collected]) * (1 - with_it / 4)
            left = price_decision(state, seat, COLLECT_NONE, worlds=8)
            assert (left.price, left.error, left.open_price) == (worth, 0, worth)
            assert left.mistake == (worth > 0)
            for action in view.legal[:-1]:
                assert price_decision(state, seat, action, worlds=8).price == 0
            found += 1
    assert found > 2


def test_where_all_is_known_the_best_action_is_that_of_the_solver() -> None:
    random, found = Random(1), 0
    for state, seat in choices("two", 8):
        view = state.observation(seat)
        if len(state.plays) < 52 - 8 or any(view.sample(random).hands != state.hands for _ in range(20)):
            continue
        position, solution = Position(state, seat, worlds=8), solve(state)
        assert position.best in solution.best
        for action in view.legal:
            priced = position.price(action)
            assert priced.error == 0
            assert priced.price == pytest.approx(priced.open_price)
        found += 1
    assert found > 5


@pytest.mark.parametrize("name", ["basic", "chinkway", "four", "farrago"])
def test_as_the_cards_lay_a_price_is_what_the_bots_themselves_come_to(name: str) -> None:
    found = 0
    for number, (state, seat) in enumerate(choices(name, 3, "random")):
        if number % 13:
            continue
        own = next((team for team in state.rules.teams or () if seat in team), (seat,))
        legal = state.legal_actions(seat)[:6]
        ahead = {action: played_on(state, seat, action, own) for action in legal}
        position = Position(state, seat, worlds=8)
        open_prices = {action: position.price(action).open_price or 0.0 for action in legal}
        for action in legal:
            assert open_prices[action] - open_prices[legal[0]] == pytest.approx(ahead[legal[0]] - ahead[action])
        found += 1
    assert found > 5


def played_on(state: State, seat: int, action: int, own: Sequence[int]) -> float:
    """How many points more than the others these seats make if cautious plays on in the engine."""
    after, seats = state.clone(), state.rules.seats
    after.end_with_deal()
    after.apply(action, seat)
    play_to_end(after, [create("cautious").decide] * seats)
    points = after.scores[-seats:]
    mine = sum(points[one] for one in own)
    return mine / len(own) - (sum(points) - mine) / (seats - len(own))


def test_with_more_worlds_errors_shrink() -> None:
    few, many = [], []
    for number, (state, seat) in enumerate(choices("four", 1, "random")):
        if number % 4 == 0:
            action = state.legal_actions(seat)[0]
            few.append(price_decision(state, seat, action, worlds=32).error)
            many.append(price_decision(state, seat, action, worlds=512).error)
    assert len(few) > 8
    assert 2.5 < np.mean(few) / np.mean(many) < 6


@pytest.mark.parametrize("name", ["two", "chinkway", "farrago"])
def test_choices_are_compared_with_what_cautious_would_do(name: str) -> None:
    record, other = record_of(name, bot="random"), create("cautious")
    found = {one.number: one for one in compare_deal(record, 1, 2, worlds=8)}
    positions = {
        number: state.observation(1)
        for number, (done, state) in enumerate(zip(record.actions, replay(record), strict=False))
        if done.seat == 1 and state.deal == 2 and is_priced(state, 1)
    }
    assert found.keys() == positions.keys()
    assert sum(one.priced is not None for one in found.values()) > 2
    for number, view in positions.items():
        one, would = found[number], other.decide(view)
        assert (one.priced is None) == (would == record.actions[number].action)
        if one.priced is not None:
            values = {value.action: value.value for value in one.priced.values}
            assert one.behind == values[would] - values[record.actions[number].action]


def test_cautious_is_nowhere_behind_itself() -> None:
    record = record_of("three", bot="cautious")
    found = [one for deal in (1, 2) for one in compare_deal(record, 0, deal)]
    assert len(found) > 10
    assert {(one.behind, one.priced) for one in found} == {(0.0, None)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chinkway", "farrago"])
def test_the_choice_of_a_longer_analysis_is_hardly_ever_called_a_mistake(name: str) -> None:
    called = [
        price_decision(state, seat, Position(state, seat, worlds=256, seed=1).best, worlds=64).mistake
        for state, seat in choices(name, 3)
    ]
    assert len(called) > 80
    assert np.mean(called) <= 0.05


def test_a_game_from_another_package_is_not_priced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine.GAMES, HighCard.name, HighCard)
    with pytest.raises(NotPriced, match="the game comes from another package"):
        some(record_of(HighCard.name, bot="random"), 1)


def test_what_makes_no_sense_is_refused() -> None:
    record = record_of("two")
    with pytest.raises(ValueError, match="seat 2 is none, expected 0 to 1"):
        some(record, 1, seats=[2])
    with pytest.raises(ValueError, match="worlds is 7, expected 8 or more"):
        list(price_decisions(record, worlds=7))
    state, seat = next(choices("two", 1))
    with pytest.raises(ValueError, match="seat 1 has no decision to make" if seat == 0 else "seat 0 has no decision"):
        Position(state, 1 - seat)
    with pytest.raises(ValueError, match="action 999 is not legal"):
        price_decision(state, seat, 999, worlds=8)


def test_the_program_of_the_document_prints_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    record = record_of("two", bot="random")
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(program, DOCUMENT, "exec"), {"record": first(record, 40)})
    mistakes = [one for one in price_decisions(first(record, 40), seats=[0]) if one.mistake]
    assert len(mistakes) > 0
    assert len(capsys.readouterr().out.splitlines()) == len(mistakes)


def test_decisions_cost_together_what_they_cost() -> None:
    found = some(record_of("two", bot="random"), 40)
    whole = total(found)
    assert whole.decisions == len(found)
    assert whole.price == pytest.approx(whole.mean * len(found))
    assert whole.mistakes == sum(one.mistake for one in found)
    assert total([]) == Total(0, 0, 0, 0)
    assert total([]).mean == 0
