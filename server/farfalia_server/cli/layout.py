"""Which columns of a table a terminal has room for, and rows of which none has."""

from collections.abc import Collection, Iterator, Sequence

from rich.text import Text

#: Blanks between two columns.
GAP = 2


def width_of(columns: Sequence[Sequence[Text]]) -> int:
    """Return cells of the terminal that columns take side by side."""
    return sum(max((cell.cell_len for cell in column), default=0) for column in columns) + GAP * (len(columns) - 1)


def fitting(heads: Sequence[str], columns: Sequence[Sequence[Text]], gives_way: Sequence[str], room: int) -> list[str]:
    """Return the heads of the columns that stay: those in `gives_way` are left out one by one, in this order,
    until it fits.

    Empty if it does not fit without all of these.
    """
    for number in range(len(gives_way) + 1):
        gone = gives_way[:number]
        kept = [column for head, column in zip(heads, columns, strict=True) if head not in gone]
        if width_of(kept) <= room:
            return [head for head in heads if head not in gone]
    return []


def row_by_row(
    heads: Sequence[str], left: Collection[str], rows: Sequence[Sequence[Text]]
) -> Iterator[tuple[Text, Text]]:
    """Yield each row as a line that says what it is about, up to the first column in `left`,
    and one with its figures.
    """
    keys = 1 + next((at for at, head in enumerate(heads) if head in left), 0)
    for row in rows:
        figures = [
            Text.assemble(head, " " if head else "", cell)
            for head, cell in zip(heads[keys:], row[keys:], strict=True)
            if cell.plain
        ]
        yield Text("  ").join(row[:keys]), Text(", ").join(figures)
