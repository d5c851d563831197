"""What commands print: tables and sentences for people, protobuf's own JSON for programs.

A server, a record file and a bot's program may be anyone's, so all text is cleaned and cut here before a terminal
sees it: no control character, no line break, no mark that turns the direction of text.
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cache
from types import TracebackType
from typing import Any, Self

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from farfalia_server.cli.layout import GAP, fitting, row_by_row
from farfalia_server.contract.untrusted import clean, escaped

#: Columns of text that is no terminal's: wide enough that nothing is cut.
WIDE = 1000
#: Characters of a line and of a cell of a table; what is longer is cut.
LINE, CELL = 4000, 240
#: Signs of ours, and what they are where there is only the keyboard's.
_PLAIN = {
    "−": "-",
    "–": "-",
    "…": "...",
    "±": "+-",
    "°": "*",
    "→": ">",
    "←": "<",
    "×": "x",
    "─": "-",
    "│": "|",
    "├": "|",
    "└": "`",
    "“": '"',
    "”": '"',
}


def console(stderr: bool = False) -> Console:
    """Return a console that writes plain text unless it is a terminal, whatever the environment says."""
    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(
        stderr=stderr,
        force_terminal=terminal,
        color_system="auto" if terminal else None,
        width=None if terminal else WIDE,
        soft_wrap=not terminal,
        markup=False,
        highlight=False,
        emoji=False,
    )


def say(*lines: str | Text) -> None:
    """Print sentences, each on a line of its own."""
    out = console()
    for line in lines:
        out.print(_safe(line, LINE), soft_wrap=True)


def block(text: str) -> None:
    """Print text of our own that has line feeds."""
    say(*text.split("\n"))


def prose(*lines: str, indent: str = "  ") -> None:
    """Print sentences, which a terminal breaks between words; what follows a break begins with `indent`.

    So only a sentence of our own begins at the margin, whatever a server, a record or a program says.
    """
    out = console()
    for line in lines:
        _wrapped(out, _safe(line, LINE), indent)


def note(*lines: str) -> None:
    """Print sentences about the work, not its result, so that pipes stay clean."""
    err = console(stderr=True)
    for line in lines:
        err.print(_safe(line, LINE), soft_wrap=True)


def as_json(data: Message | Sequence[Message] | dict[str, Any]) -> str:
    """Return the JSON text of messages, in protobuf's own mapping, with every field there."""
    return json.dumps(_plain(data), indent=2, ensure_ascii=False)


def print_json(data: Message | Sequence[Message] | dict[str, Any]) -> None:
    """Print JSON to standard output."""
    print_json_text(as_json(data) + "\n")


def print_json_text(text: str) -> None:
    """Print text that is JSON already to standard output; a terminal is not shown what it would obey."""
    sys.stdout.write(escaped(text) if sys.stdout.isatty() else text)


def _safe(text: str | Text, most: int) -> Text:
    """Return text that a terminal may be shown, with its styles; a minus is the keyboard's, as in all its numbers."""
    signs = _signs(getattr(sys.stdout, "encoding", None) or "utf-8")
    if isinstance(text, str):
        return Text(clean(text, most).translate(signs))
    cleaned = clean(text.plain, most).translate(signs)
    if cleaned != text.plain:
        text = text.copy()
        text.plain = cleaned
    return text


@cache
def _signs(encoding: str) -> dict[int, str]:
    """Return what is written in the place of our signs: the minus, and those that the encoding lacks."""
    return {ord(sign): plain for sign, plain in _PLAIN.items() if sign == "−" or _lacks(encoding, sign)}


def _lacks(encoding: str, sign: str) -> bool:
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return True
    return False


def _plain(data: Any) -> Any:
    if isinstance(data, Message):
        return MessageToDict(data, always_print_fields_with_no_presence=True)
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    title: str = "",
    gives_way: Sequence[str] = (),
    *,
    tell: bool = True,
) -> list[str]:
    """Print a table and return the titles of its columns; if one begins with `<`, its column is set flush left.

    On a terminal that is too narrow the columns in `gives_way` are left out, in this order, until the others fit; if
    they do not, each row gets a line for its name and, below it, lines for its figures. No cell is ever shortened.
    A line says what was left out, unless `tell` is false.
    """
    out = console()
    heads = [clean(column.removeprefix("<"), CELL) for column in columns]
    left = {head for head, column in zip(heads, columns, strict=True) if column.startswith("<")}
    cells = [[_safe(cell if isinstance(cell, Text) else str(cell), CELL) for cell in row] for row in rows]
    by_column = [[Text(head), *(row[at] for row in cells)] for at, head in enumerate(heads)]
    shown = fitting(heads, by_column, gives_way, out.width)
    if not shown:
        if title:
            say(Text(title, "bold"))
        for name, figures in row_by_row([_safe(head, CELL).plain for head in heads], left, cells):
            _wrapped(out, name, "  ")
            _wrapped(out, figures, "  ", "  ")
        return heads
    made = Table(
        box=box.SIMPLE_HEAD if out.is_terminal else None,
        title=_safe(title, CELL) if title else None,
        title_justify="left",
        title_style="bold",
        header_style="bold",
        padding=(0, 1) if out.is_terminal else (0, GAP, 0, 0),
        collapse_padding=True,
        pad_edge=False,
        show_edge=False,
    )
    for head in shown:
        made.add_column(_safe(head, CELL), justify="left" if head in left else "right", no_wrap=True)
    for row in cells:
        made.add_row(*(cell for head, cell in zip(heads, row, strict=True) if head in shown))
    with out.capture() as capture:
        out.print(made)
    lines = capture.get().splitlines()
    sys.stdout.write("".join(f"{line if out.is_terminal else line.rstrip()}\n" for line in lines))
    gone = [head for head in gives_way if head in heads and head not in shown]
    if gone and tell:
        prose(f"Left out at this width: {', '.join(gone)}.")
    return shown


def _wrapped(out: Console, text: Text, later: str, first: str = "") -> None:
    """Print a line that a terminal breaks between words; these blanks begin the first line and the others."""
    if not out.is_terminal:
        out.print(Text.assemble(first, text), soft_wrap=True)
        return
    line, *others = text.wrap(out, max(1, out.width - len(first)), overflow="fold")
    if others:
        rest = text.plain[len(line) :].lstrip(" ")
        others = list(text[-len(rest) :].wrap(out, max(1, out.width - len(later)), overflow="fold"))
    for number, part in enumerate([line, *others]):
        part.rstrip()
        out.print(Text.assemble(later if number else first, part), soft_wrap=True)


class Bar(AbstractContextManager["Bar"]):
    """Progress of long work, on standard error: a bar on a terminal, a line now and then elsewhere."""

    #: Seconds between two lines where there is no terminal.
    INTERVAL = 5.0

    def __init__(self, what: str, total: int | None = None) -> None:
        self._what = what
        #: What was printed last, when, and the timer for what comes too soon after it.
        self._shown = (-1, -1)
        self._printed = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._console = console(stderr=True)
        self._bar: Progress | None = None
        if self._console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[note]}"),
                console=self._console,
            )
            self._task = self._bar.add_task(what, total=total, note="")

    def __enter__(self) -> Self:
        """Show it."""
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last state standing."""
        self._cancel_timer()
        if self._bar:
            self._bar.stop()

    def tell(self, line: str) -> None:
        """Print a sentence above the bar."""
        self._console.print(_safe(line, LINE), soft_wrap=True)

    def update(self, done: int, total: int, note: str = "") -> None:
        """Show where the work stands; `note` says what it waits for."""
        note = clean(note, CELL)
        if self._bar:
            self._bar.update(self._task, completed=done, total=total, note=note)
            return
        self._cancel_timer()
        if (done, total) == self._shown:
            return
        wait = self._printed + self.INTERVAL - time.monotonic()
        if done == total or self._shown[0] < 0 or wait <= 0:
            self._print(done, total, note)
        else:
            with suppress(RuntimeError):  # without an event loop the next update prints it
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(wait, self._print, done, total, note)

    def _print(self, done: int, total: int, note: str) -> None:
        self._printed = time.monotonic()
        self._shown = (done, total)
        self._console.print(f"{self._what}: {done} of {total}{note and f' ({note})'}")

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
