"""The columns of standings: their titles, what a row has in them, and what they mean.

Pages, events and terminals all take them from here, so that a figure reads the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from farfalia.v1 import stages_pb2, standings_pb2, tournaments_pb2
from farfalia_engine import ruleset
from farfalia_server.wording.crosstable import percent
from farfalia_server.wording.language import gettext, ngettext
from farfalia_server.wording.phrases import decimal, is_knockout, ordinal, ranks, signed

Row = TypeVar("Row")

#: What stands where a row has nothing to say.
NOTHING = "–"

#: What the column of luck means, in the result of a match.
LUCK = "Luck: how many more points the cards were worth than those of an average deal. Adjusted scores leave it out."

#: What is said of a tournament whose value function of luck this server does not have.
OTHER_VALUE_FUNCTION = (
    "This server does not have the value function of luck that the tournament has committed to, and uses no other:"
    " matches that end on this server are not adjusted for luck."
)

#: Whether an entrant will be among the first of a stage.
_OUTLOOKS = {
    stages_pb2.OUTLOOK_OPEN: "open",
    stages_pb2.OUTLOOK_AHEAD: "stays ahead",
    stages_pb2.OUTLOOK_BEHIND: "stays behind",
}


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column of a table: its key, its title, what a row has in it, and what it means if the title does not say."""

    key: str
    title: str
    text: Callable[[Row], str]
    meaning: str = ""


def standings_columns(tournament: tournaments_pb2.Tournament) -> list[Column[standings_pb2.Standing]]:
    """Return the columns of a tournament's standings that have something to say, without the one of names.

    Strength is the only estimate among them: the rating of a row knows places alone, and could say another order.
    """
    rows = tournament.standings
    # The margin tells how far the other two can be trusted.
    judged = any(row.margin for row in rows)
    played = any(row.matches for row in rows)
    shown = {
        "ranks": judged,
        "level": judged,
        "margin": judged,
        "relative": any(round(row.relative, 2) != round(row.adjusted, 2) for row in rows),
        "score": bool(tournament.stages),
        "strikes": any(row.strikes for row in rows),
        "forfeits": any(row.forfeits for row in rows),
        "missed": any(row.missed for row in rows),
    }
    seats = ruleset(tournament.ruleset, dict(tournament.options)).seats if played else 0
    return [column for column in _standings_columns(seats, last_scores(tournament)) if shown.get(column.key, True)]


def ranking_column(columns: Iterable[Column[standings_pb2.Standing]]) -> Column[standings_pb2.Standing]:
    """Return the one of these columns that ranks: the score in the last stage, or else the strength."""
    found = {column.key: column for column in columns}
    return found.get("score") or found["adjusted"]


def last_scores(tournament: tournaments_pb2.Tournament) -> dict[str, float]:
    """Return what each entrant made in the last stage that it has played, in points per match above the mean."""
    return {row.entrant: row.score for stage in tournament.stages for row in stage.standings if row.HasField("score")}


def stage_columns(stage: stages_pb2.Stage) -> list[Column[stages_pb2.StageStanding]]:
    """Return the columns of the standings of a stage, without the one of names."""
    return [
        Column("place", gettext("Place"), lambda row: f"{row.place}"),
        Column("score", gettext("Score"), lambda row: signed(row.score, 2) if row.HasField("score") else NOTHING),
        *([Column("reached", gettext("Reached round"), _reached)] if is_knockout(stage) else []),
        *(_outlook_columns(stage.until_first) if stage.HasField("until_first") else []),
        Column("qualified", gettext("Qualified"), lambda row: gettext("yes") if row.qualified else NOTHING),
    ]


def _outlook_columns(first: int) -> list[Column[stages_pb2.StageStanding]]:
    """Return the columns of a stage that ends once its first are known."""
    title = ngettext("Chance to be first", "Chance to be among the first {number}", first).format(number=first)
    return [
        Column("chance", title, lambda row: f"{percent(row.chance)} %" if row.HasField("chance") else NOTHING),
        Column("outlook", gettext("Outlook"), lambda row: gettext(_OUTLOOKS.get(row.outlook, NOTHING))),
    ]


def marks(row: standings_pb2.Standing) -> list[str]:
    """Return what is said beside an entrant's name: that it is a house bot, that it has withdrawn."""
    return [gettext("house")] * row.house + [gettext("withdrawn")] * row.withdrawn


def instead_of(row: standings_pb2.Standing) -> list[str]:
    """Return in words whom an entrant has replaced, if it has."""
    return [gettext("instead of {name}").format(name=", ".join(row.formerly))] if row.formerly else []


def cells(columns: Iterable[Column[Row]], row: Row) -> dict[str, str]:
    """Return what a row has in each of these columns, by their keys."""
    return {column.key: column.text(row) for column in columns}


def legend(columns: Iterable[Column[Row]]) -> str:
    """Return one line on those of these columns whose titles do not say enough."""
    told = [f"{lower(column.title)}: {column.meaning}" for column in columns if column.meaning]
    return f"{'; '.join(told)}." if told else ""


def lower(title: str) -> str:
    """Return a title as a terminal has it: it begins with a small letter."""
    return title[:1].lower() + title[1:]


def _standings_columns(seats: int, scores: Mapping[str, float]) -> list[Column[standings_pb2.Standing]]:
    return [
        Column("place", gettext("Place"), lambda row: f"{row.place}"),
        Column(
            "score",
            gettext("Score"),
            lambda row: signed(scores[row.entrant], 2) if row.entrant in scores else NOTHING,
            gettext(
                "points per match above the table's mean in the last stage that it played, or strength where that ends"
                " once the first are known; ranks within a stage"
            ),
        ),
        Column(
            "ranks",
            gettext("Ranks"),
            lambda row: ranks(row) or NOTHING,
            gettext("possible places, all together with 95 % certainty"),
        ),
        Column(
            "level",
            gettext("Level"),
            lambda row: row.brackets or NOTHING,
            gettext("entrants with a common letter may be level"),
        ),
        Column(
            "adjusted",
            gettext("Adjusted"),
            lambda row: signed(row.adjusted, 2) if row.matches else NOTHING,
            gettext("strength, in points per match above the field's mean"),
        ),
        Column(
            "margin",
            "±",
            lambda row: decimal(row.margin, 2) if row.margin else NOTHING,
            gettext("half its 95 % interval, wider until all is played"),
        ),
        Column(
            "relative",
            gettext("Relative"),
            lambda row: signed(row.relative, 2) if row.matches else NOTHING,
            gettext("points per match above the table's mean"),
        ),
        Column("points", gettext("Points"), lambda row: f"{row.points}"),
        Column("matches", gettext("Matches"), lambda row: f"{row.matches}"),
        *(_placed(place) for place in range(1, seats + 1)),
        Column("strikes", gettext("Strikes"), lambda row: f"{row.strikes}"),
        Column("forfeits", gettext("Forfeits"), lambda row: f"{row.forfeits}"),
        Column("missed", gettext("Missed"), lambda row: f"{row.missed}"),
    ]


def _placed(place: int) -> Column[standings_pb2.Standing]:
    return Column(
        f"places-{place}",
        ordinal(place),
        lambda row: f"{row.places[place - 1] if place <= len(row.places) else 0}",
    )


def _reached(row: stages_pb2.StageStanding) -> str:
    return f"{row.reached_round or NOTHING}"
