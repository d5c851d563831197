"""Pocket, the example of a game that is small enough for tabular methods: installed as users install it, and solved."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import farfalia_engine as engine
from farfalia.bots import NAMES, create
from farfalia.learning.chance import Drawing
from farfalia.testing import check
from farfalia_engine import Deals, play_to_end, ruleset

FOLDER = Path(__file__).parents[2] / "clients/python/examples/pocket"


@pytest.fixture
def pocket() -> Iterator[ModuleType]:
    spec = spec_from_file_location("pocket_example", FOLDER / "pocket.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    engine.GAMES["pocket"] = module.Pocket
    yield module
    del engine.GAMES["pocket"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed it."""
    source, target = tmp_path_factory.mktemp("source") / "package", tmp_path_factory.mktemp("target")
    shutil.copytree(FOLDER, source, ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", target, source], check=True)
    return target


def run(installed: Path, *words: str) -> str:
    """What a Python prints that has it."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(
        [sys.executable, *words], env=environment, cwd=installed, check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.slow
def test_cfr_solves_it(installed: Path) -> None:
    told = run(installed, str(FOLDER / "solve.py"))
    left = [float(number) for number in re.findall(r"^\d+ iterations: (\S+) points$", told, re.MULTILINE)]
    assert len(left) == 5
    assert left == sorted(left, reverse=True)
    assert left[-1] < 0.001


@pytest.mark.slow
def test_a_server_plays_it_and_its_records_verify(installed: Path) -> None:
    farfalia = ("-m", "farfalia_server")
    told = run(
        installed,
        *farfalia,
        "run",
        *["--bot", "greedy", "--bot", "random", "--game", "pocket", "--rounds", "2", "--records", "kept"],
    )
    assert "4 of 4 matches, finished." in told
    assert run(installed, *farfalia, "verify", "kept").count("holds.") == 4


def test_it_is_what_its_rules_say(pocket: ModuleType) -> None:
    rules, random = ruleset("pocket"), Random(1)
    assert len(pocket.HANDS) == 20
    seen = set()
    for seed in range(60):
        state = rules.new_match(Deals(seed.to_bytes(32)))
        hands = [pocket.cards(hand) for hand in state.hands]
        seen.add(hands[0])
        assert sorted(hands[0] + hands[1]) == list(range(6))

        def decide(view: engine.Observation) -> int:
            again = view.sample(random)
            assert again.observation(view.seat) == view
            if view.trick:
                following = [card for card in view.hand if card // 3 == view.trick[0] // 3]
                assert view.legal == tuple(following or view.hand)
                for card in view.hand:
                    assert view.would_win(card) == (card // 3 == view.trick[0] // 3 and card > view.trick[0])
            return random.choice(view.legal)

        for _ in play_to_end(state, [decide] * 2):
            pass
        assert state.outcome
        plays = state.plays
        mixed = sum(plays[first] // 3 != plays[first + 1] // 3 for first in (0, 2, 4))
        assert sum(state.outcome.points) == 3 + mixed
    assert len(seen) > 15
    with pytest.raises(engine.IllegalAction):
        rules.new_match(Deals(bytes(32))).apply(5, 0)


@pytest.mark.parametrize("name", NAMES)
def test_sample_bots_play_it(pocket: ModuleType, name: str) -> None:
    bot = create(name, iterations=20 if name in ("flat-monte-carlo", "expert") else None)
    assert check(bot, matches=4, name="pocket").ok


def test_one_is_drawn_of_a_deck_of_which_the_first_counts() -> None:
    drawing = Drawing.of("deal/1/first", 20, 2)
    assert (drawing.count, len(drawing.outcomes()), drawing.after(7).done) == (1, 20, True)
    assert drawing.text(ruleset("two"), 7) == "first=7"
