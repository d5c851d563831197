"""Bots as they are written on a command line."""

import sys
from pathlib import Path

import pytest

from farfalia_server.local.bot_specs import BotSpec, BotSpecError, parse


def test_house_bots_are_known_by_name() -> None:
    assert parse(["greedy", "greedy", "rival=random"]) == [
        BotSpec("greedy", house="greedy"),
        BotSpec("greedy-2", house="greedy"),
        BotSpec("rival", house="random"),
    ]


def test_everything_else_is_a_program() -> None:
    assert parse(["./mybot --fast 'a b'"]) == [BotSpec("mybot", command=("./mybot", "--fast", "a b"))]


def test_python_is_the_one_with_the_sdk_unless_another_was_activated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    assert parse(["python mine.py"])[0].command == (sys.executable, "mine.py")
    assert parse(["python3 mine.py"])[0].command == (sys.executable, "mine.py")
    monkeypatch.setenv("VIRTUAL_ENV", "somewhere")
    assert parse(["python mine.py"])[0].command == ("python", "mine.py")


def test_a_python_file_runs_with_the_python_that_has_the_sdk() -> None:
    assert parse(["bots/mine.py -v"]) == [BotSpec("mine", command=(sys.executable, "bots/mine.py", "-v"))]


def test_a_bot_is_called_after_its_program_and_not_after_the_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.js").touch()
    names = [
        entrant.name
        for entrant in parse(["node bot.js", "node bot.js --level 2", "python -m my.bots.deep", "cargo run"])
    ]
    assert names == ["bot", "bot-2", "deep", "cargo"]


def test_a_name_can_be_given() -> None:
    old, new = parse(["old=./bot v1", "new=./bot"])
    assert (old.name, old.command, new.name) == ("old", ("./bot", "v1"), "new")


@pytest.mark.parametrize(
    ("specs", "sentence"),
    [
        (["a=./x", "a=./y"], "Two bots are called a"),
        (["a=./x", "A=./y"], "Two bots are called A"),
        (["  "], "An empty text names no bot"),
        (["a="], "An empty text names no bot"),
        (["./x 'y"], "is not a command: no closing quotation"),
    ],
)
def test_what_names_no_entrant_gets_a_sentence(specs: list[str], sentence: str) -> None:
    with pytest.raises(BotSpecError, match=sentence):
        parse(specs)


def test_names_hold_only_what_a_server_accepts() -> None:
    assert [entrant.name for entrant in parse(["./größe bot", "./.hidden", "./" + "x" * 60])] == [
        "gr-e",
        "hidden",
        "x" * 36,
    ]
