"""Matches that are played from the first decision to the last."""

import pytest

from farfalia_engine import Deals, Decision, IllegalAction, Observation, play_to_end, ruleset


@pytest.mark.parametrize("name", ["chinkway", "two", "farrago"])
def test_each_seat_is_asked_where_it_has_a_choice_and_its_answers_are_played(name: str) -> None:
    asked: list[Decision] = []

    def decide(observation: Observation) -> int:
        asked.append(Decision(observation.seat, max(observation.legal), forced=False))
        return max(observation.legal)

    rules = ruleset(name)
    state, again = (rules.new_match(Deals(bytes(32))) for _ in range(2))
    played = play_to_end(state, [decide] * rules.seats)
    assert [decision for decision in played if not decision.forced] == asked
    assert any(decision.forced for decision in played)
    for seat, action, forced in played:
        assert forced == (len(again.legal_actions(seat)) == 1)
        again.apply(action, seat)
    assert state.outcome is not None
    assert again.outcome == state.outcome


def test_an_illegal_action_ends_the_play() -> None:
    state = ruleset("chinkway").new_match(Deals(bytes(32)))
    with pytest.raises(IllegalAction):
        play_to_end(state, [lambda observation: 1000] * 5)
