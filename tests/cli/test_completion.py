"""Completion in a shell: what the Tab key adds to a command line."""

import pytest
from tests.cli.command import Command


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("farfalia tour", ["tournament"]),
        ("farfalia tournament cr", ["create"]),
        ("farfalia run --bot greedy --gr", ["--grace"]),
        ("farfalia run --lim", ["--limit-ms"]),  # the line lacks a bot, and a shell is told nothing about that
        ("farfalia tournament create cup --boards rot", ["rotations"]),
    ],
)
def test_the_tab_key_completes_commands_options_and_choices(farfalia: Command, line: str, words: list[str]) -> None:
    last = str(len(line.split(" ")) - 1)
    done = farfalia(COMP_WORDS=line, COMP_CWORD=last, _FARFALIA_COMPLETE="complete_bash")
    assert (done.stdout.split(), done.stderr) == (words, "")
