"""Renews the figures of the documents: `python -m tests.figures`, or `make figures`.

Runs the benchmarks with fixed seeds and writes what they say into the marked blocks of docs/*.md. The same code gives
the same figures, however many processes compute them, so a difference in a block is one of the code; only CPU times are
those of the machine. What is measured game by game is written game by game.

Only `--only peers` measures a machine, and other libraries on it: no two runs of it agree.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.figures.benches import BENCHES, RUNGS, Asked
from tests.figures.markdown import with_rows_of
from tests.figures.marks import MarksError, blocks, rewritten

from farfalia_engine import GAMES

_DOCS = Path(__file__).resolve().parents[2] / "docs"
#: The pages that have blocks.
DOCUMENTS = [
    _DOCS / name for name in ("analysis.md", "bots.md", "fairness.md", "ladders.md", "speed.md", "strengths.md")
]


def main(arguments: list[str] | None = None) -> int:
    given = _asked(arguments)
    try:
        asked = given.only or [name for name, bench in BENCHES.items() if not bench.by_name]
        chosen = {name: BENCHES[name] for name in asked}
        # Not after an hour.
        names = sorted(name for bench in chosen.values() for name in bench.names)
        pages = {name: _page(name, given.document) for name in names}
        for name, bench in chosen.items():
            print(f"figures: {name} …", file=sys.stderr, flush=True)
            found = bench.measure(Asked(given.quick, given.processes, given.game or (), given.deals))
            for new in [found] if isinstance(found, Mapping) else found:
                for block, text in new.items():
                    page = _text(pages[block])  # it may have been edited meanwhile
                    if new is not found:
                        text = with_rows_of(text, blocks(page)[block])
                    pages[block].write_text(rewritten(page, {block: text}), encoding="utf-8")
    except MarksError as error:
        print(f"figures: {', '.join(map(str, given.document))}: {error}", file=sys.stderr)
        return 1
    return 0


def _page(block: str, documents: list[Path]) -> Path:
    for document in documents:
        if block in blocks(_text(document)):
            return document
    raise MarksError(f"there is no block {block!r}")


def _text(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def _asked(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description=__doc__)
    parser.add_argument(
        "--only", action="append", choices=BENCHES, help="renew what this one measures; may be repeated"
    )
    parser.add_argument("--quick", action="store_true", help="a trial of seconds, with a document of your own")
    parser.add_argument("--processes", type=int, help="how many compute at once [one for each core]")
    parser.add_argument(
        "--document", type=Path, action="append", help="where the blocks are; may be repeated [the pages in docs/]"
    )
    parser.add_argument(
        "--game", action="append", choices=sorted(GAMES), help=f"of {RUNGS}, this one alone; may be repeated"
    )
    parser.add_argument("--deals", type=int, help=f"of {RUNGS}, those of expert; the others play more [120]")
    given = parser.parse_args(arguments)
    if (given.game or given.deals is not None) and given.only != [RUNGS]:
        parser.error(f"--game and --deals are for {RUNGS}; expected --only {RUNGS}")
    if given.deals is not None and given.deals < 2:
        parser.error(f"--deals is {given.deals}, expected 2 or more")
    given.document = given.document or DOCUMENTS
    if given.quick and not set(DOCUMENTS).isdisjoint(given.document):
        parser.error("--quick gives figures that mean nothing; expected --document with a copy")
    return given


if __name__ == "__main__":
    sys.exit(main())
