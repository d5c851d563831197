"""How house bots are called, and which of them a server can seat."""

from __future__ import annotations

import pytest

from farfalia import bots
from farfalia_server.records.house_names import filler_name, house_of, is_playable, why_no_house_bot


@pytest.mark.parametrize("house", bots.NAMES)
def test_the_name_of_a_copy_says_which_house_bot_it_is(house: str) -> None:
    assert house_of(filler_name(house, 12)) == house


@pytest.mark.parametrize("name", ["ant", "house-brave-1", "house-greedy", "house-greedy-0", "house-greedy-1-1"])
def test_no_other_name_is_that_of_a_house_bot(name: str) -> None:
    assert house_of(name) is None


def test_a_server_seats_all_and_says_which_it_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(map(why_no_house_bot, bots.NAMES))
    assert str(why_no_house_bot("brave")).startswith("there is no house bot 'brave'; expected one of random, greedy, ")
    monkeypatch.setattr(bots, "find_spec", lambda _: None)
    assert tuple(house for house in bots.NAMES if not is_playable(house)) == bots.NEEDING_NUMPY
    why = str(why_no_house_bot("expert"))
    assert why.startswith("the server's house bot expert needs NumPy: pip install 'numpy>=2'; expected one of random, ")
    assert "expert" not in why.partition("expected one of ")[2]
