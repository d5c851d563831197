"""Trying a bot without a server."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from farfalia import Bot
from farfalia.bots import create
from farfalia.errors import BadAnswer, BadSetting
from farfalia.testing import check, play_match
from farfalia.view import View
from farfalia_engine import BadOption, Observation


class OutOfTurn(Bot):
    def play(self, view: Observation) -> int:
        return (view.legal[0] + 1) % 52


def test_a_match_in_this_process_has_an_outcome_and_all_its_actions() -> None:
    played = play_match([create("greedy") for _ in range(5)], seed=1)
    assert len(played.outcome.points) == 5
    assert sum(action < 52 for _, action in played.actions) == 11 * 50


def test_the_same_seed_deals_the_same_cards() -> None:
    def actions(seed: int) -> tuple[tuple[int, int], ...]:
        return play_match([create("greedy") for _ in range(5)], seed).actions

    assert actions(1) == actions(1)
    assert actions(1) != actions(2)


def test_an_illegal_answer_ends_a_match_in_this_process() -> None:
    with pytest.raises(BadAnswer, match="play returned"):
        play_match([OutOfTurn()] * 5)


def test_a_table_needs_a_bot_for_each_seat() -> None:
    with pytest.raises(BadSetting, match="chinkway is played by 5 bots, not by 4"):
        play_match([Bot()] * 4)


def test_a_good_bot_is_told_so_with_its_points_and_its_time() -> None:
    report = check(create("cautious"), matches=3)
    assert report.ok
    assert len(report.points) == 3
    assert "3 matches, " in str(report)
    assert "every answer was legal" in str(report)


def test_a_bot_is_checked_in_any_game_with_its_options() -> None:
    seen = set()

    class Looking(Bot):
        def play(self, view: Observation) -> int:
            seen.add((view.ruleset, len(view.seats), view.options.get("order")))
            return view.legal[0]

    report = check(Looking(), matches=3, name="farrago", options={"players": "3", "order": "random"})
    assert report.ok
    assert len(report.points) == 3
    assert seen == {("farrago", 3, "random")}
    with pytest.raises(BadOption, match="two has no option 'hands'"):
        check(Looking(), name="two", options={"hands": "8"})


def test_wrong_answers_are_counted_and_the_first_ones_shown() -> None:
    report = check(OutOfTurn(), matches=2)
    assert not report.ok
    assert f"wrong answers: {len(report.faults)}" in str(report)
    assert f"and {len(report.faults) - 3} more" in str(report)
    assert "legal were" in report.faults[0]


def test_an_exception_is_reported_with_its_place() -> None:
    class Broken(Bot):
        def declare(self, view: Observation) -> int:
            raise RuntimeError("no idea")

    report = check(Broken(), matches=1)
    assert "in declare" in report.faults[0]
    assert report.faults[0].endswith("RuntimeError: no idea")
    assert len(report.points) == 1


def test_all_matches_are_played_at_once() -> None:
    sizes = []

    class Batching(Bot):
        def decide_batch(self, views: Sequence[Observation]) -> list[int]:
            sizes.append(len({view.match for view in views if isinstance(view, View)}))
            return [view.legal[0] for view in views]

    assert check(Batching(), matches=6).ok
    assert sizes[0] == 6
