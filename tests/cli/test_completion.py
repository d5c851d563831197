"""Completion in a shell: what the Tab key adds to a command line."""

import os
import subprocess
import sys

import pytest


def completed(line: str, shell: str = "bash") -> list[str]:
    """The words that a shell is offered for the last word of a line."""
    where = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1), "_FARFALIA_COMPLETE": f"complete_{shell}"}
    command = [sys.executable, "-m", "farfalia_server"]
    done = subprocess.run(command, env={**os.environ, **where}, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.split()


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
def test_the_tab_key_completes_commands_options_and_choices(line: str, words: list[str]) -> None:
    assert completed(line) == words
