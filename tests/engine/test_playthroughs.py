import json
from pathlib import Path
from typing import Any

import pytest
from tests.engine import perft
from tests.engine.playthrough import FOLDER, MATCHES, playthrough

from farfalia_engine import FAMILIES, Deals, ruleset

PLAYTHROUGH: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "playthroughs/chinkway.json").read_text("utf-8"),
)


def test_a_match_that_was_written_down_is_played_as_it_always_was() -> None:
    rules = ruleset(PLAYTHROUGH["ruleset"])
    state = rules.new_match(Deals(bytes.fromhex(PLAYTHROUGH["board_key"])))
    for number, deal in enumerate(PLAYTHROUGH["deals"]):
        view = state.observation(0)
        assert [view.deal, list(view.seats), list(view.sides)] == [deal["deal"], deal["seats"], deal["sides"]]
        for text in deal["actions"].split():
            view = state.observation(0)
            state.apply(rules.parse(text))
        assert " ".join(FAMILIES[family] for family in view.subjects) == deal["proposal"]
        assert list(state.scores[5 * number :]) == deal["points"]
    assert state.outcome
    assert list(state.outcome.points) == PLAYTHROUGH["points"]
    assert list(state.outcome.places) == PLAYTHROUGH["places"]


@pytest.mark.parametrize("file", MATCHES)
def test_every_game_is_played_as_it_is_written_down(file: str) -> None:
    assert playthrough(*MATCHES[file]) == (FOLDER / f"{file}.txt").read_text("utf-8")


def test_every_playthrough_is_one_that_can_be_written_again() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(MATCHES)


ENTRIES: list[dict[str, Any]] = json.loads(perft.FILE.read_text("utf-8"))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['ruleset']} {len(entry['after'].split())}")
def test_there_are_as_many_ways_to_go_on_as_were_counted(entry: dict[str, Any]) -> None:
    state = perft.at(entry)
    assert [perft.perft(state, depth + 1) for depth in range(len(entry["counts"]))] == entry["counts"]
