"""What a tournament tells first: its podium, its brackets with what is still to come, and where strengths lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from farfalia.v1 import stages_pb2, standings_pb2, tournaments_pb2
from farfalia_server.web.charts import Axis
from farfalia_server.wording.amounts import roughly
from farfalia_server.wording.language import gettext

#: Rows on a podium.
_PODIUM = 3
_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a knock-out: its name, tables and byes, and who has won it if it is a final that is over.

    Of a round that is not drawn yet, `coming` is its size, and `expected` says in how long it begins, or nothing.
    """

    name: str
    tables: tuple[stages_pb2.KnockoutTable, ...] = ()
    byes: tuple[str, ...] = ()
    winner: str = ""
    coming: stages_pb2.KnockoutRound | None = None
    expected: str = ""


@dataclass(frozen=True, slots=True)
class StrengthBar:
    """A strength with its 95 % interval as parts of a hundred: where the bar begins, its width, and its middle."""

    start: float
    width: float
    middle: float


def podium(row: tournaments_pb2.Tournament) -> int:
    """Return how many rows of the standings stand on the podium: those up to the third place, none before the end."""
    if row.state != tournaments_pb2.TOURNAMENT_STATE_FINISHED:
        return 0
    return min(_PODIUM, sum(0 < one.place <= _PODIUM and one.matches > 0 for one in row.standings))


def brackets(row: tournaments_pb2.Tournament) -> dict[int, list[BracketRound]]:
    """Return the brackets of the knock-outs of a tournament, by the number of the stage, from 0."""
    return {
        at: _bracket(row, at)
        for at, stage in enumerate(row.stages)
        if stage.stage.kind == stages_pb2.STAGE_KIND_KNOCKOUT
    }


def strength_bars(rows: Sequence[standings_pb2.Standing]) -> list[StrengthBar | None]:
    """Return the bars of these rows on one axis; None for one of which nothing is known."""
    known = [one for one in rows if one.margin]
    axis = Axis(
        min((one.adjusted - one.margin for one in known), default=0),
        max((one.adjusted + one.margin for one in known), default=0),
    )
    return [_bar(axis, one) if one.margin else None for one in rows]


def _bar(axis: Axis, one: standings_pb2.Standing) -> StrengthBar:
    start, end = axis.at(one.adjusted - one.margin), axis.at(one.adjusted + one.margin)
    return StrengthBar(start, round(max(end - start, 1), 1), axis.at(one.adjusted))


def _bracket(row: tournaments_pb2.Tournament, at: int) -> list[BracketRound]:
    stage = row.stages[at]
    rounds: dict[int, list[stages_pb2.KnockoutTable]] = {}
    for table in stage.tables:
        rounds.setdefault(table.round, []).append(table)
    found = []
    for number, tables in rounds.items():
        byes = tuple(one.entrant for one in stage.byes if one.round == number)
        final = len(tables) == 1 and not byes
        found.append(BracketRound(_name(number, final=final), tuple(tables), byes, _winner(row, at) if final else ""))
    if row.state in (tournaments_pb2.TOURNAMENT_STATE_FINISHED, tournaments_pb2.TOURNAMENT_STATE_CANCELLED):
        return found
    planned = row.balances[at].rounds if at < len(row.balances) else []
    for number, size in enumerate(planned, start=1):
        if number > len(rounds):
            final = size.tables == 1 and not size.byes
            # Of later rounds, and of stages that have not begun, nobody knows how long those before them take.
            expected = _until_next(row) if rounds and number == len(rounds) + 1 else ""
            found.append(BracketRound(_name(number, final=final), coming=size, expected=expected))
    return found


def _name(number: int, *, final: bool) -> str:
    return gettext("Final") if final else gettext("Round {number}").format(number=number)


def _until_next(row: tournaments_pb2.Tournament) -> str:
    """Return in how long all that is drawn will be over, at the pace of late; empty if nobody can tell."""
    if not (row.HasField("expected_end") and row.matches_per_hour):
        return ""
    left = sum(one.matches - one.over for one in row.schedule)
    return roughly(left / row.matches_per_hour * _HOUR) if left else ""


def _winner(row: tournaments_pb2.Tournament, at: int) -> str:
    """Return who is first in a stage of which every match is over; empty before, and if several are."""
    rounds = [one for one in row.schedule if one.stage == at + 1]
    first = [one.entrant for one in row.stages[at].standings if one.place == 1]
    return first[0] if len(first) == 1 and all(one.over == one.matches for one in rounds) else ""
