"""Filling an observation's tensor in a few microseconds."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from farfalia.learning.tensor_layout import DEALS_UNIT, POINTS_UNIT, TensorLayout, tensor_layout
from farfalia_engine import CARDS, DECLINED, DOUBLE_NO, NOTHING, SHOW_CARD, Observation, Ruleset

Tensor = NDArray[np.float32]

#: A slice of one of these is a number as a byte, and a count from 0 on.
_COUNT: Final = bytes(range(256))
#: What stands for a trick from which no card was collected.
_NO_CARDS: Final = bytes((DECLINED, NOTHING))
#: A deal takes one template for each seat that looks; this bounds how many are kept.
_TEMPLATES: Final = 1024


@lru_cache(maxsize=256)
def tensor_writer(rules: Ruleset) -> "TensorWriter":
    """Return what fills the tensors of a ruleset."""
    return TensorWriter(tensor_layout(rules))


class TensorWriter:
    """A writer of tensors of one layout.

    What stays the same for a whole deal is a template, made once for each seat and copied. All else are ones. Each
    is a row of the layout, the fields' rows being counted through, and a place in that row: two strings of bytes,
    put together from slices and look-up tables, which NumPy turns into places of the tensor, all at once.
    """

    def __init__(self, layout: TensorLayout) -> None:
        self._layout: Final = layout
        self.size: Final = layout.size
        rows: dict[str, int] = {}
        starts: list[int] = []
        for field in layout.fields.values():
            rows[field.name] = len(starts)
            starts += range(field.start, field.slice.stop, field.shape[1])
        #: The first row of each field, and the place in the tensor where each row starts.
        self._rows: Final = rows
        self._starts: Final = np.array(starts, np.intp)
        # Whether there are a proposal and types of deal to write.
        self._collecting, self._typed = "subjects" in rows, "types" in rows
        self._template: Final = lru_cache(maxsize=_TEMPLATES)(self._new_template)
        self._turns: Final = {n: _Turns(rows, n, layout.sizes.tricks) for n in range(2, layout.sizes.positions + 1)}
        self._fate: Final = _fates(rows["fate"]) if "fate" in rows else b""

    def write(self, observation: Observation, out: Tensor) -> None:
        """Fill a tensor, seats and positions in the order in which the seat that looks sees them."""
        rows, places = self._begin(observation, out)
        out[self._index(rows, places)] = 1

    def write_all(self, observation: Iterable[Observation], out: Tensor) -> None:
        """Fill the rows of a matrix that lies in one piece of memory, one for each observation.

        All ones are set at once, which takes less time than row by row.
        """
        begun = [self._begin(each, row) for each, row in zip(observation, out, strict=True)]
        index = self._index(b"".join([rows for rows, _ in begun]), b"".join([places for _, places in begun]))
        index += np.repeat(np.arange(0, out.size, self.size), [len(rows) for rows, _ in begun])
        out.reshape(-1)[index] = 1

    def _index(self, rows: bytes, places: bytes) -> NDArray[np.intp]:
        """Return where in a tensor the ones are."""
        index: NDArray[np.intp] = self._starts.take(np.frombuffer(rows, np.uint8))
        index += np.frombuffer(places, np.uint8)
        return index

    def _begin(self, observation: Observation, out: Tensor) -> tuple[bytes, bytes]:
        """Copy the template; gives the rows and places of the ones that are still to be set."""
        seats, plays, hand = observation.seats, observation.plays, observation.hand
        me = seats.index(observation.seat)
        out[:] = self._template(
            observation.seat, observation.deal, seats, observation.sides, observation.dummies, observation.scores
        )
        ones = _Ones()
        ones.row(self._rows["hand"], hand)
        ones.row(self._rows["trumps"], _COUNT[observation.trumps : observation.trumps + 1])
        if observation.kind is not None:
            ones.row(self._rows["kind"], _COUNT[observation.kind - 1 : observation.kind])
        if plays:
            self._write_play(observation, me, ones)
        if self._collecting:
            self._write_collecting(observation, me, ones)
        if self._typed:
            self._write_type(observation, me, ones)
        return b"".join(ones.rows), b"".join(ones.places)

    def _write_play(self, observation: Observation, me: int, ones: "_Ones") -> None:
        plays, leaders, winners, trick = observation.plays, observation.leaders, observation.winners, observation.trick
        turns = self._turns[len(observation.seats)]
        # The leader counted from `me` may be negative: tables are read from their end, then.
        by = turns.played_by
        ones.add(b"".join([by[leader - me] for leader in leaders])[: len(plays)], plays)
        ones.add(turns.played_in[: len(plays)], plays)
        ones.add(winners.translate(turns.won[me]), _COUNT[: len(winners)])
        if trick:
            leader = leaders[-1] - me
            ones.add(turns.trick[leader][: len(trick)], trick)
            ones.row(self._rows["leader"], turns.count[leader])

    def _write_collecting(self, observation: Observation, me: int, ones: "_Ones") -> None:
        rows, subjects, collected = self._rows, observation.subjects, observation.collected
        ones.add(_COUNT[rows["subjects"] : rows["subjects"] + len(subjects)], subjects)
        if observation.discarded:
            ones.row(rows["discarded"], observation.discarded)
        if collected:
            ones.add(collected.translate(self._fate), _COUNT[: len(collected)])
            winners = bytes(
                [winner for winner, card in zip(observation.winners, collected, strict=False) if card < CARDS]
            )
            cards = collected.translate(None, _NO_CARDS)
            ones.add(winners.translate(self._turns[len(observation.seats)].collected[me]), cards)
        if "dummies" in rows:
            self._write_dummies(observation, me, ones)
        if observation.wilds:
            self._write_doubling(observation, ones)

    def _write_dummies(self, observation: Observation, me: int, ones: "_Ones") -> None:
        rows, dummies = self._rows, observation.dummies
        if observation.kind is not None:
            ones.row(rows["acting"], self._turns[len(observation.seats)].count[observation.acting - me])
        clockwise = [dummy for dummy in dummies if dummy > me] + [dummy for dummy in dummies if dummy < me]
        for number, dummy in enumerate(clockwise):
            index = dummies.index(dummy)
            ones.row(rows["face_up"] + number, observation.face_up[index])
            ones.row(rows["covering"] + number, observation.covering[index])

    def _write_doubling(self, observation: Observation, ones: "_Ones") -> None:
        rows, seat, m = self._rows, observation.seat, len(observation.wilds)
        ones.add(_COUNT[rows["wilds"] : rows["wilds"] + m], observation.wilds[seat:] + observation.wilds[:seat])
        ones.row(rows["doubled"], bytes([(other - seat) % m for other in observation.doubled]))
        if observation.choice:
            ones.row(rows["choice"], bytes((observation.choice - DOUBLE_NO,)))

    def _write_type(self, observation: Observation, me: int, ones: "_Ones") -> None:
        rows, shown = self._rows, observation.shown
        ones.row(rows["types"], bytes([kind - 1 for kind in observation.types[: observation.deal - 1]]))
        ones.row(rows["type"], bytes([kind - 1 for kind in observation.types[observation.deal - 1 :]]))
        if observation.bars:
            ones.add(_COUNT[rows["bars"] : rows["bars"] + len(observation.bars)], observation.bars)
        if shown:
            ones.add(_COUNT[rows["shown"] : rows["shown"] + len(shown)], shown[me:] + shown[:me])
        if observation.choice:
            ones.row(rows["choice"], bytes((observation.choice - SHOW_CARD,)))

    def _new_template(
        self, seat: int, deal: int, seats: bytes, sides: bytes, dummies: bytes, scores: tuple[int, ...]
    ) -> Tensor:
        """Return the tensor of a deal before anything has happened in it, for a seat that holds no card."""
        fields, n, m = self._layout.fields, len(seats), self._layout.sizes.seats
        me = seats.index(seat)
        template = np.zeros(self.size, np.float32)
        views = {name: template[field.slice].reshape(field.shape) for name, field in fields.items()}
        views["place"][0, me] = 1
        views["deal"][0, 0] = deal / DEALS_UNIT
        points = np.array(scores, np.float32).reshape(-1, m).T[[(seat + step) % m for step in range(m)]] / POINTS_UNIT
        views["totals"][0] = points.sum(1)
        if "scores" in fields:
            views["scores"][:, : points.shape[1]] = points
        if "dummies" in fields:
            views["dummies"][0, [(dummy - me) % n for dummy in dummies]] = 1
        if "seats" in fields:
            for position in range(n):
                place = (position - me) % n
                views["seats"][place, (seats[position] - seat) % m] = 1
                for other in range(n):
                    views["sides"][place, (other - me) % n] = sides[position] == sides[other]
        return template


class _Ones:
    """Where the ones are: rows, and places in them, byte by byte."""

    __slots__ = ("places", "rows")

    def __init__(self) -> None:
        self.rows: list[bytes] = []
        self.places: list[bytes] = []

    def add(self, rows: bytes, places: bytes) -> None:
        """Add ones, each with its row."""
        self.rows.append(rows)
        self.places.append(places)

    def row(self, row: int, places: bytes) -> None:
        """Add ones in one row."""
        self.rows.append(_COUNT[row : row + 1] * len(places))
        self.places.append(places)


class _Turns:
    """Look-up tables for this number of positions: rows of what is said of each, as one of them sees it."""

    def __init__(self, rows: dict[str, int], n: int, tricks: int) -> None:
        #: By leader: the rows of the cards of its trick.
        self.played_by: Final = _clockwise(rows["played_by"], n)
        self.trick: Final = _clockwise(rows["trick"], n)
        #: The rows of the cards of a deal, by trick.
        self.played_in: Final = bytes(rows["played_in"] + number for number in range(tricks) for _ in range(n))
        #: By who looks: from positions to their rows.
        self.won: Final = _seen_from(rows["won"], n)
        self.collected: Final = _seen_from(rows.get("collected", 0), n)
        #: By position: itself.
        self.count: Final = [bytes((position,)) for position in range(n)]


def _clockwise(row: int, n: int) -> list[bytes]:
    return [bytes(row + (leader + step) % n for step in range(n)) for leader in range(n)]


def _seen_from(row: int, n: int) -> list[bytes]:
    return [bytes(row + (position - me) % n for position in range(n)).ljust(256, b"\0") for me in range(n)]


def _fates(row: int) -> bytes:
    """Return, from what was collected, the row that says so."""
    fates = bytearray((row,)) * 256
    fates[DECLINED], fates[NOTHING] = row + 1, row + 2
    return bytes(fates)
