"""What commands print: tables and sentences for people, protobuf's own JSON for programs.

A server, a record file and a bot's program may be anyone's, so all text is cleaned and cut here before a terminal
sees it: no control character, no line break, no mark that turns the direction of text.
"""

import json
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from farfalia_server.untrusted import clean, escaped

#: Columns of text that is no terminal's: wide enough that nothing is cut.
WIDE = 1000
#: Characters of a line and of a cell of a table; what is longer is cut.
LINE, CELL = 4000, 200


def console(stderr: bool = False) -> Console:
    """A console that writes plain text unless it is a terminal, whatever the environment says."""
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


def note(*lines: str) -> None:
    """Print sentences about the work, not its result, so that pipes stay clean."""
    err = console(stderr=True)
    for line in lines:
        err.print(_safe(line, LINE), soft_wrap=True)


def as_json(data: Message | Sequence[Message] | dict[str, Any]) -> str:
    """The JSON text of messages, in protobuf's own mapping, with every field there."""
    return json.dumps(_plain(data), indent=2, ensure_ascii=False)


def print_json(data: Message | Sequence[Message] | dict[str, Any]) -> None:
    """Print JSON to standard output."""
    print_json_text(as_json(data) + "\n")


def print_json_text(text: str) -> None:
    """Print text that is JSON already to standard output; a terminal is not shown what it would obey."""
    sys.stdout.write(escaped(text) if sys.stdout.isatty() else text)


def _safe(text: str | Text, most: int) -> Text:
    """Text that a terminal may be shown, with its styles."""
    if isinstance(text, str):
        return Text(clean(text, most))
    cleaned = clean(text.plain, most)
    if cleaned != text.plain:
        text = text.copy()
        text.plain = cleaned
    return text


def _plain(data: Any) -> Any:
    if isinstance(data, Message):
        return MessageToDict(data, always_print_fields_with_no_presence=True)
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data


def table(columns: Iterable[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print a table; a column whose title begins with `<` is set flush left, all others right."""
    out = console()
    made = Table(
        box=box.SIMPLE_HEAD if out.is_terminal else None,
        title=clean(title, CELL) or None,
        title_justify="left",
        title_style="bold",
        header_style="bold",
        pad_edge=False,
        show_edge=False,
    )
    for column in columns:
        head = _safe(column.removeprefix("<"), CELL)
        made.add_column(head, justify="left" if column.startswith("<") else "right", no_wrap=True)
    for row in rows:
        made.add_row(*(_safe(cell if isinstance(cell, Text) else str(cell), CELL) for cell in row))
    with out.capture() as capture:
        out.print(made)
    lines = capture.get().splitlines()
    sys.stdout.write("".join(f"{line if out.is_terminal else line.rstrip()}\n" for line in lines))


class Bar(AbstractContextManager["Bar"]):
    """Progress of long work, on standard error: a bar on a terminal, a line now and then elsewhere."""

    #: Seconds between two lines where there is no terminal.
    INTERVAL = 5.0

    def __init__(self, what: str) -> None:
        self._what = what
        self._done = self._total = -1
        self._printed = 0.0
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
            self._task = self._bar.add_task(what, total=None, note="")

    def __enter__(self) -> Self:
        """Show it."""
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last state standing."""
        if self._bar:
            self._bar.stop()

    def update(self, done: int, total: int, note: str = "") -> None:
        """Show where the work stands; `note` says what it waits for."""
        note = clean(note, CELL)
        if self._bar:
            self._bar.update(self._task, completed=done, total=total, note=note)
            return
        now = time.monotonic()
        moved = (done, total) != (self._done, self._total)
        if moved and (done == total or self._done < 0 or now - self._printed >= self.INTERVAL):
            self._printed = now
            self._done, self._total = done, total
            self._console.print(f"{self._what}: {done} of {total}{note and f' ({note})'}")
