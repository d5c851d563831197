"""What a command says to a command line that is wrong: which word, and what was expected instead."""

import io
import sys
from contextlib import redirect_stderr
from pathlib import Path

import pytest
from typer.core import TyperOption

from farfalia_server.cli import main
from farfalia_server.cli.commands import Commands


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory in which the command is called, with a few files that are no running bots."""
    (tmp_path / "printer.py").write_text("print(1)")
    (tmp_path / "out.loop").write_text("#!/bin/sh")
    (tmp_path / "bots").mkdir()
    (tmp_path / "hiding").mkdir()
    (tmp_path / "hiding" / "bot.py").write_text("import farfalia")
    (tmp_path / "hiding" / "random.py").write_text("import farfalia")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "farfalia.py").write_text("import farfalia")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FARFALIA_TOKEN", raising=False)
    return tmp_path


def told(monkeypatch: pytest.MonkeyPatch, line: str) -> str:
    """The last line of what the command says about this command line, which is wrong."""
    monkeypatch.setattr(sys, "argv", ["farfalia", *line.split()])
    with redirect_stderr(io.StringIO()) as said, pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return said.getvalue().splitlines()[-1].removeprefix("Error: ").removeprefix("Invalid value: ")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "run --bot gredy",
            "There is no bot gredy (did you mean greedy?); expected a program, or a sample bot: "
            "random, greedy, cautious, learned, flat-monte-carlo, expert.",
        ),
        (
            "compare greedy cautios",
            "There is no bot cautios (did you mean cautious?); expected a program, or a sample bot: "
            "random, greedy, cautious, learned, flat-monte-carlo, expert.",
        ),
        ("run --bot out.loop", "out.loop is a file in this directory, not a command; expected ./out.loop for it."),
        (
            "run --bot ./out.loop",
            "./out.loop is not executable; `chmod +x ./out.loop` makes it so, or name what runs it, as in "
            "'python ./out.loop'.",
        ),
        ("run --bot .", ". is a directory; expected a program in it."),
        ("run --bot bots", "bots is a directory; expected a program in it."),
        ("run --bot ./bots/", "./bots/ is a directory; expected a program in it."),
        ("run --bot printr.py", "There is no file printr.py in {here} (did you mean printer.py?)."),
        ("run --bot miser.py", "There is no file miser.py in {here}."),
        ("run --bot ./nowhere", "There is no file nowhere in {here}."),
        ("run --bot away/bot.py", "There is no file bot.py in {here}/away."),
        ("run --bot hiding/bot.py", "random.py in {here}/hiding hides Python's own module random; rename it."),
        ("compare own/farfalia.py greedy", "farfalia.py in {here}/own hides the SDK's module farfalia; rename it."),
        (
            "run",
            "--bot is missing; name one bot at least: --bot FILE, or a sample: random, greedy, cautious, "
            "learned, flat-monte-carlo, expert.",
        ),
        ("run printer.py", "printer.py stands alone; bots are named by --bot: farfalia run --bot printer.py"),
        (
            "bot run greedy",
            "The bot has no token. Pass --token TOKEN or set FARFALIA_TOKEN, or register it with "
            "--register --token-file FILE.",
        ),
        (
            "run --rounds 2 printer.py greedy",
            "printer.py greedy stands alone; bots are named by --bot: farfalia run --bot printer.py --bot greedy",
        ),
    ],
)
def test_a_bot_that_cannot_be_started_is_told_with_what_to_write(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, sentence: str
) -> None:
    assert told(monkeypatch, line) == sentence.format(here=folder)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("run --bot greedy --rounds many", "Invalid value for '--rounds': 'many'; expected a whole number."),
        ("run --bot greedy --rounds -1", "Invalid value for '--rounds': '-1'; expected 0 or more."),
        ("run --bot greedy --wait soon", "Invalid value for '--wait': 'soon'; expected a number."),
        ("compare a b --confidence 2", "Invalid value for '--confidence': '2'; expected 0.9999 or less."),
        ("serve --grpc-port abc", "Invalid value for '--grpc-port': 'abc'; expected a whole number."),
        (
            "tournament create Cup ant --stages swiss:go-on=3",
            "Invalid value for --stages: stage 1: 'go-on' is not a setting: expected rounds, advance, matches, "
            "qualifiers, until-first, until-percent, boards, carry, design, opposed",
        ),
        ("tournament show Friday", "Invalid value for 'NUMBER': 'Friday'; expected a whole number."),
        ("run --bot greedy --rouns 3", "There is no option --rouns (did you mean --rounds?)."),
        ("tournament show 1 --jsn", "There is no option --jsn (did you mean --json?)."),
        ("tournament show 1 --xyzzy", "There is no option --xyzzy."),
        ("tournament shwo 1", "No such command 'shwo'. Did you mean 'show'?"),
        ("compar", "No such command 'compar'. Did you mean 'compare'?"),
        ("run --bot greedy --option fast=yes", "fast"),
        ("run --bot greedy --option burnin=on --option double_you=on", "expected one of the two at most"),
        ("run --bot a=greedy --bot a=random", "Two bots are called a"),
        ("run --bot greedy --limit-ms 0", "--limit-ms"),
        ("run --bot greedy --boards same", "--boards"),
        ("run --bot greedy --game four --players 5", "four is played by 4, not by 5."),
        ("tournament create Friday ada --game four --players 5", "four is played by 4, not by 5."),
        ("compare greedy", "'B'"),
        ("compare greedy random --game two --with cautious", "--with names 1 bots; expected at most 0"),
        ("compare a=greedy a=random", "Two bots are called a"),
        ("compare greedy random --most 1", "--most"),
        ("compare greedy random --margin -1", "--margin"),
        ("compare greedy random --expect 0", "--expect"),
        ("tournament plan --entrants 0", "--entrants"),
        ("tournament plan --entrants 9 --rounds 2 --stages swiss:rounds=2", "expected one of them"),
        ("tournament plan --entrants 9 --stages swiss", "stage 1, swiss: no rounds"),
        ("tournament plan --entrants 500 --rounds 9999", "stage 1, round-robin: at least 999900 matches"),
        ("torment 127.0.0.1:1 --only garbige", "There is no torment garbige (did you mean garbage?)"),
        ("serve --grpc-port 70000", "--grpc-port"),
        ("serve --registration perhaps", "--registration"),
        (
            "run --bot greedy --game fuor",
            "there is no game 'fuor' (did you mean four?), expected one of: basic, chinkway, farrago, five-hand, four, "
            "three, three-short, two",
        ),
        (
            "run --bot greedy --game four --option taget=3",
            "four has no option 'taget' (did you mean target?), expected one of: burnin, double_you, hands, target",
        ),
    ],
)
def test_wrong_words_and_values_are_told_in_our_own_words(
    monkeypatch: pytest.MonkeyPatch, line: str, sentence: str
) -> None:
    assert sentence in told(monkeypatch, line)


def test_help_is_shown_beside_a_word_that_stands_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["farfalia", "run", "printer.py", "--help"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert "Run a tournament between local bots on a private server." in capsys.readouterr().out


@pytest.mark.parametrize("group", ["", "bot", "tournament", "ladder", "ratings", "records", "bench"])
def test_a_terminal_of_80_columns_shows_what_each_command_does_whole(
    group: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", ["farfalia", *group.split(), "--help"])
    with pytest.raises(SystemExit):
        main()
    listed = capsys.readouterr().out.partition("Commands:")[2]
    assert listed
    assert [line for line in listed.splitlines() if line.endswith("...")] == []


def test_every_option_of_every_command_says_what_it_is_for() -> None:
    silent, waiting = [], [("farfalia", command) for command in Commands().values()]
    while waiting:
        path, command = waiting.pop()
        name = f"{path} {command.name}"
        waiting += [(name, one) for one in getattr(command, "commands", {}).values()]
        silent += [f"{name} {one.opts[0]}" for one in command.params if isinstance(one, TyperOption) and not one.help]
    assert silent == []
