"""Who beats whom beyond strength, as a picture: a square for each pair, the rows against the columns."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from farfalia.v1 import tournaments_pb2

#: Side of a square, the gap between two, and what numbers of rows and columns take.
_SIDE: Final = 16
_GAP: Final = 2
_EDGE: Final = 24
#: Standard errors from which a square has the next colour; below the first it is blank.
_STEPS: Final = (1.0, 2.0, 3.0)


@dataclass(frozen=True, slots=True)
class BeyondPicture:
    """The squares by class, those of one class as one path, and where the numbers of rows and columns stand."""

    size: int
    paths: dict[str, str]
    numbers: list[int]


def beyond_picture(tournament: tournaments_pb2.Tournament) -> BeyondPicture:
    """Return the picture of a tournament whose pairs are known; a class is `more-2`, `less-1` or `none`, and `out` for
    a frame.
    """
    entrants, paths = len(tournament.standings), defaultdict[str, list[str]](list)
    for pair in tournament.pairs:
        if pair.beyond_error:
            square = f"M{_at(pair.column)} {_at(pair.row)}h{_SIDE - _GAP}v{_SIDE - _GAP}h-{_SIDE - _GAP}z"
            paths[_class(pair.beyond_strength / pair.beyond_error)].append(square)
            if pair.stands_out:
                paths["out"].append(square)
    numbers = [_at(number) + (_SIDE - _GAP) // 2 for number in range(entrants)]
    # Frames are drawn last, upon the squares.
    ordered = sorted(paths, key=lambda name: (name == "out", name))
    return BeyondPicture(_at(entrants), {name: "".join(paths[name]) for name in ordered}, numbers)


def _at(number: int) -> int:
    return _EDGE + number * _SIDE


def _class(errors: float) -> str:
    step = sum(abs(errors) >= one for one in _STEPS)
    return f"{'more' if errors > 0 else 'less'}-{step}" if step else "none"
