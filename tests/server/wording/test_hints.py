"""What a person is told by a hint: a legal action and a reason, for each kind of decision in every game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from tests.engine.games import PAIRWISE

from farfalia_engine import COLLECT_CARD, Deals, Kind, Observation, SearchResult, State, ruleset
from farfalia_server.records.house_bot import HintSearch
from farfalia_server.web.seat_hints import HINTS_BY
from farfalia_server.wording.hints import hint_words, reason
from farfalia_server.wording.seat import answer_words


@pytest.mark.parametrize(("game", "options"), PAIRWISE)
def test_each_kind_of_decision_has_a_legal_hint_with_a_reason(
    game: str, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.records.house_bot.ITERATIONS", 16)
    random, rules = Random(5), ruleset(game, options)
    state = rules.new_match(Deals(random.randbytes(32)))
    seen: set[Kind] = set()
    while state.pending is not None:
        view = state.observation(random.choice(state.pending.seats))
        if view.kind and len(view.legal) > 1 and view.kind not in seen:
            seen.add(view.kind)
            found = HintSearch(HINTS_BY, 3, view).answer()
            assert found.best in view.legal
            assert HintSearch(HINTS_BY, 3, view).answer() == found, "the same seed finds the same"
            hint = hint_words(view, found)
            assert hint.answer == answer_words(view, found.best)
            assert hint.reason.endswith(".")
            assert all(other.behind >= 0 for other in hint.others)
        state.apply(random.choice(view.legal), view.seat)
    assert Kind.PLAY in seen


@pytest.mark.parametrize(("game", "options"), PAIRWISE)
def test_every_legal_action_has_a_reason(game: str, options: dict[str, str]) -> None:
    random, rules = Random(6), ruleset(game, options)
    state = rules.new_match(Deals(random.randbytes(32)))
    for _ in range(200):
        if state.pending is None:
            return
        view = state.observation(random.choice(state.pending.seats))
        for action in random.sample(view.legal, min(len(view.legal), 3)):
            assert reason(view, action).endswith(".")
            assert "=" not in answer_words(view, action), "words for people, not the text of an action"
        state.apply(random.choice(view.legal), view.seat)


def test_what_is_about_the_same_is_said_to_be() -> None:
    view = ruleset("four").new_match(Deals(bytes(32))).observation(1)
    one, other, third = view.legal[:3]
    found = SearchResult({one: 8, other: 8, third: 8}, {one: 1.0, other: 0.99, third: -1.5}, one, 24)
    hint = hint_words(view, found)
    assert hint.value == f"{answer_words(view, other)} comes to about the same."
    assert [choice.behind for choice in hint.others] == [pytest.approx(0.01), 2.5]
    hint = hint_words(view, SearchResult({one: 8, third: 8}, {one: 1.0, third: -1.5}, one, 16))
    assert hint.value == f"On average it brings 2.5 points more than {answer_words(view, third)}, the next best."
    assert hint_words(view, SearchResult({}, {}, one, 0)).value == ""


def _positions(game: str, seed: int) -> Sequence[tuple[State, Observation]]:
    """Positions of a match that is played at random, each with what the seat that is asked sees."""
    random, rules = Random(seed), ruleset(game)
    state = rules.new_match(Deals(random.randbytes(32)))
    found = []
    while state.pending is not None and state.deal < 4:
        view = state.observation(state.pending.seats[0])
        found.append((state.clone(), view))
        state.apply(random.choice(view.legal), view.seat)
    return found


CERTAIN = ("It wins the trick for certain", "You play last to this trick, and it wins", "No one behind you can beat it")


@pytest.mark.parametrize("game", ["two", "three", "four", "chinkway", "farrago"])
def test_a_card_that_is_said_to_win_for_certain_wins_whatever_the_others_play(game: str) -> None:
    said = 0
    for state, view in _positions(game, 11):
        for card in view.legal if view.kind is Kind.PLAY and view.trick else ():
            if not reason(view, card).startswith(CERTAIN):
                continue
            said += 1
            side = view.sides[view.acting]
            for seed in range(4):
                random, after = Random(seed), state.clone()
                tricks = len(after.winners)
                after.end_with_deal()
                after.apply(card, view.seat)
                while after.pending is not None and len(after.winners) == tricks:
                    after.apply(random.choice(after.legal_actions()))
                if len(after.winners) > tricks:
                    assert view.sides[after.winners[tricks]] == side
    assert said


def test_a_card_that_completes_the_proposal_is_said_to() -> None:
    said = 0
    for seed in range(12):
        for _, view in _positions("two", seed):
            if view.kind is Kind.COLLECT and len(view.missing(view.sides[view.winners[-1]])) == 1:
                said += 1
                assert reason(view, view.legal[0]).startswith("It completes the proposal")
                assert view.legal[0] >= COLLECT_CARD
    assert said
