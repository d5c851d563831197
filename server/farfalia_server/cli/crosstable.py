"""Who is stronger than whom, on a terminal: a table of its own, in parts where it is too wide."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from farfalia.v1 import tournaments_pb2
from farfalia_server.cli.layout import GAP
from farfalia_server.cli.output import console, prose, say, table
from farfalia_server.wording.beyond_strength import BeyondRow, beyond_rows, beyond_words
from farfalia_server.wording.crosstable import Cell, Lean, caption, crosstable

#: With more entrants than this it is long, and printed only if asked for.
PAIRED = 12

STYLES = {
    Lean.SURELY_STRONGER: "bold green",
    Lean.STRONGER: "green",
    Lean.UNDECIDED: "",
    Lean.WEAKER: "magenta",
    Lean.SURELY_WEAKER: "bold magenta",
}


def print_crosstable(tournament: tournaments_pb2.Tournament, *, asked: bool, command: str) -> None:
    """Print it, or, if it is long and nobody has asked for it, the command that does."""
    rows = crosstable(tournament)
    if not rows:
        return
    say("")
    if not asked and len(rows) > PAIRED:
        say("Who is stronger than whom, pair by pair:", f"  {command}")
        return
    names = [row.entrant for row in tournament.standings]
    room = console().width - cell_len(str(len(rows))) - max(map(cell_len, names)) - GAP
    shown = [[_cell(cell, counts=True) for cell in row] for row in rows]
    parts = _parts(shown, room)
    counted = len(parts) == 1
    if not counted:
        shown = [[_cell(cell, counts=False) for cell in row] for row in rows]
        parts = _parts(shown, room)
    prose(caption(tournament, counts=counted))
    for part in parts:
        say("")
        body = [
            [at, name, *(row[column] for column in part)]
            for at, (name, row) in enumerate(zip(names, shown, strict=True), start=1)
        ]
        table(["", "<entrant", *(str(column + 1) for column in part)], body)
    _print_neighbours(names, rows)
    _print_beyond(beyond_rows(tournament), all_of_them=asked)


def _print_neighbours(names: Sequence[str], rows: Sequence[Sequence[Cell | None]]) -> None:
    """Print how far each is ahead of the next one, with the probability beside it."""
    neighbours = [(names[at], names[at + 1], rows[at][at + 1]) for at in range(len(names) - 1)]
    body = [[name, other, cell.percent, cell.by] for name, other, cell in neighbours if cell and cell.counts]
    if body:
        say("")
        table(["<stronger", "<than the next", "in %", "by points per match"], body)


def _print_beyond(rows: Sequence[BeyondRow], *, all_of_them: bool) -> None:
    """Say which pairs stand out beyond their strengths, and print all that are known if they are asked for."""
    if rows:
        say("")
        prose(beyond_words(rows))
    if rows and all_of_them:
        say("")
        body = [[row.entrant, row.other, row.words, row.meetings, "yes" if row.stands_out else ""] for row in rows]
        table(["<entrant", "<against", "beyond strength", "met", "<stands out"], body)


def _parts(rows: list[list[Text]], room: int) -> list[range]:
    """Return columns that stand side by side."""
    first, taken, parts = 0, 0, []
    for column in range(len(rows)):
        width = GAP + max(len(str(column + 1)), *(row[column].cell_len for row in rows))
        if column > first and taken + width > room:
            parts.append(range(first, column))
            first, taken = column, 0
        taken += width
    return [*parts, range(first, len(rows))]


def _cell(cell: Cell | None, *, counts: bool) -> Text:
    if cell is None:
        return Text("–")
    percent = Text(cell.percent, STYLES[cell.lean])
    return Text.assemble(percent, f" {cell.counts}") if counts and cell.counts else percent
