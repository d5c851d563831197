"""A terminal of a given width, and what is seen on it."""

from __future__ import annotations

import os
import pty
import re
import termios
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.cli import forked
from tests.cli.command import environment

#: Colours and bold.
STYLE = re.compile("\x1b\\[[0-9;]*m")


def shown(print_it: Callable[[], object], width: int) -> list[str]:
    """The lines that a function of this process prints to a terminal of this width, without colours."""
    return STYLE.sub("", written(print_it, width)).splitlines()


def written(print_it: Callable[[], object], width: int) -> str:
    """All that a function of this process sends to a terminal of this width."""
    master, slave = pty.openpty()
    with ThreadPoolExecutor() as reader:
        said = reader.submit(read_to_end, master)
        with pytest.MonkeyPatch.context() as patch, os.fdopen(slave, "w", encoding="utf-8") as screen:
            patch.setattr("sys.stdout", screen)
            patch.setenv("COLUMNS", str(width))
            patch.setenv("TERM", "xterm-256color")
            patch.delenv("NO_COLOR", raising=False)
            print_it()
        return said.result().replace("\r\n", "\n")


def fits(lines: list[str], width: int) -> None:
    """No line is wider than the terminal, and nothing was cut."""
    text = "\n".join(lines)
    assert [line for line in lines if len(line) > width] == []
    assert "…" not in text, text


def real(*arguments: str, width: int) -> list[str]:
    """The lines that the command prints on a terminal that says itself how wide it is, without colours."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (40, width))
    env = environment(TERM="xterm-256color")
    del env["COLUMNS"]
    with Path(os.devnull).open("wb") as nothing:
        process = forked.start(arguments, env, slave, nothing.fileno())
    os.close(slave)
    said = read_to_end(master)
    assert process.wait(60) == 0
    return STYLE.sub("", said).splitlines()


def read_to_end(master: int) -> str:
    """All that is written to a terminal until its last writer has closed it."""
    said = bytearray()
    try:
        while part := os.read(master, 65536):
            said.extend(part)
    except OSError:
        pass  # the last writer has closed it
    finally:
        os.close(master)
    return said.decode()
