"""The bots that come with the package: legal, reproducible, and short."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from farfalia import bots
from farfalia.bots import HOUSE, create
from farfalia.errors import BadSetting
from farfalia.testing import play_match


@pytest.mark.parametrize("name", HOUSE)
def test_a_sample_bot_plays_the_same_match_twice(name: str) -> None:
    def play() -> tuple[tuple[int, int], ...]:
        return play_match([create(name, seat) for seat in range(5)], seed=4).actions

    assert play() == play()


def test_chance_moves_depend_on_the_seed() -> None:
    first, second = (play_match([create("random", seed)] * 5, seed=4).actions for seed in (1, 2))
    assert first != second


def test_an_unknown_name_is_answered_with_those_that_exist() -> None:
    with pytest.raises(
        BadSetting, match="no sample bot 'brave'; expected one of random, greedy, cautious, learned, flat-monte-carlo"
    ):
        create("brave")
    with pytest.raises(BadSetting, match=r"expected one of .*; did you mean greedy\?$"):
        create("Gredy")


@pytest.mark.parametrize("name", HOUSE)
def test_a_sample_bot_is_short_enough_to_read(name: str) -> None:
    assert len((Path(bots.__file__).parent / f"{name}.py").read_text().splitlines()) <= 80


def test_a_sample_bot_without_a_token_says_so_in_one_sentence() -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("FARFALIA_")}
    command = [sys.executable, "-m", "farfalia.bots", "greedy"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr == (
        "farfalia: There is no token: pass token=… or set FARFALIA_TOKEN to the token of your bot "
        "(farfalia bot register NAME prints one).\n"
    )
