"""Mistakes in the class of a bot are said before it plays."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from tests.clients.scripted import PATIENCE

from farfalia import Bot
from farfalia.bots import NAMES, create
from farfalia.errors import BadSetting
from farfalia.mistakes import check_bot
from farfalia.testing import check, play_match


def bot_with(**members: Any) -> Bot:
    bot: Bot = type("Miser", (Bot,), members)()
    return bot


def said(bot: object) -> str:
    with pytest.raises(BadSetting) as mistake:
        check_bot(bot)
    return str(mistake.value)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Play", "play"),
        ("PLAY", "play"),
        ("plays", "play"),
        ("colect", "collect"),
        ("collects", "collect"),
        ("disCard", "discard"),
        ("nameTrumps", "name_trumps"),
        ("on_finish", "on_finished"),
        ("onFinished", "on_finished"),
        ("on_results", "on_result"),
        ("Decide", "decide"),
    ],
)
def test_a_misspelt_method_is_named_with_the_one_that_was_meant(name: str, meant: str) -> None:
    bot = bot_with(**{name: lambda self, view: view.legal[0]})
    assert said(bot).startswith(f"Miser.{name} is never called; did you mean {meant}? ")


@pytest.mark.parametrize("name", ["value", "best_card", "played", "player", "reset", "evaluate", "on_move", "_play"])
def test_a_method_of_the_authors_own_is_no_mistake(name: str) -> None:
    check_bot(bot_with(**{name: lambda self, view: view.legal[0]}))


def test_names_close_to_a_method_that_the_author_has_written_are_no_mistake() -> None:
    check_bot(bot_with(play=lambda self, view: 0, plays=lambda self: []))


def test_who_decides_by_other_means_names_the_rest_at_will() -> None:
    check_bot(bot_with(decide=lambda self, view: self.plays(view), plays=lambda self, view: 0))


def test_data_of_a_bot_are_no_misspelt_methods() -> None:
    check_bot(bot_with(plays=[1, 2]))


def test_a_class_is_told_from_a_bot() -> None:
    class Miser(Bot):
        pass

    assert said(Miser) == "Miser is a class; expected a bot of it: Miser()."
    assert said("greedy") == "'greedy' is not a bot; expected an object of a class that is derived from farfalia.Bot."


def test_an_object_that_is_no_bot_is_named_by_its_class() -> None:
    class Miser:
        pass

    class Imp:
        pass

    expected = " is not a bot; expected an object of a class that is derived from farfalia.Bot."
    assert said(Miser()) == "A Miser" + expected
    assert said(Imp()) == "An Imp" + expected
    assert said(None) == "None" + expected


async def _later(self: Bot, view: object) -> int:
    return 0


async def _many(self: Bot, view: object) -> AsyncIterator[int]:
    yield 0


def _yielding(self: Bot, view: object) -> Iterator[int]:
    yield 0


@pytest.mark.parametrize("method", [_later, _many])
def test_an_async_method_is_said_to_be_one(method: object) -> None:
    expected = "Miser.play is async; the SDK calls plain functions: def play(self, view), which may be slow."
    assert said(bot_with(play=method)) == expected


def test_a_generator_is_said_to_be_one() -> None:
    assert said(bot_with(play=_yielding)).startswith("Miser.play has a yield in it")


@pytest.mark.parametrize(
    ("method", "written"),
    [
        (lambda view: 0, "def play(view)"),
        (lambda: 0, "def play()"),
        (lambda self, view, hand: 0, "def play(self, view, hand)"),
        (staticmethod(lambda self, view: 0), "def play(self, view)"),
    ],
)
def test_a_method_with_other_parameters_is_shown_with_the_right_ones(method: object, written: str) -> None:
    assert said(bot_with(play=method)) == f"Miser.play is written as {written}; expected def play(self, view)."


def test_parameters_that_may_be_left_out_are_the_authors_affair() -> None:
    check_bot(bot_with(play=lambda self, view, depth=3, *more, **other: 0, collect=staticmethod(lambda view: None)))


def test_something_that_is_no_method_is_shown() -> None:
    assert said(bot_with(play=5)) == "Miser.play is 5; expected a method: def play(self, view)."


def test_one_name_where_a_tuple_of_names_belongs_is_shown() -> None:
    assert said(bot_with(rulesets="four")) == "Miser.rulesets is 'four'; expected a tuple of names: ('four',)."


@pytest.mark.parametrize("name", NAMES)
def test_sample_bots_have_none(name: str) -> None:
    check_bot(create(name))


def test_trying_a_bot_out_says_the_same() -> None:
    bot = bot_with(Play=lambda self, view: 0)
    for attempt in (lambda: check(bot), lambda: play_match([bot] * 5)):
        with pytest.raises(BadSetting, match=r"Miser\.Play is never called; did you mean play\?"):
            attempt()


def test_a_program_ends_with_the_sentence() -> None:
    program = "import farfalia\nclass Miser(farfalia.Bot): pass\nfarfalia.run(Miser)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (2, "farfalia: Miser is a class; expected a bot of it: Miser().\n")
