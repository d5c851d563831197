"""A tournament's standings on a terminal."""

from typing import Annotated, Any

import typer
from rich.text import Text

from farfalia.v1 import stages_pb2, standings_pb2, tournaments_pb2
from farfalia_server.cli.crosstable import print_crosstable
from farfalia_server.cli.output import print_json, prose, say, table
from farfalia_server.wording.columns import (
    OTHER_VALUE_FUNCTION,
    Column,
    instead_of,
    legend,
    lower,
    marks,
    stage_columns,
    standings_columns,
)
from farfalia_server.wording.first_place import first_place_words
from farfalia_server.wording.known_strengths import known_words
from farfalia_server.wording.phrases import (
    balance,
    boards,
    game_label,
    is_knockout,
    stage_words,
    tournament_status,
)

CrosstableOption = Annotated[
    bool, typer.Option("--crosstable", help="Print the crosstable, however large the field is.")
]

#: What a terminal that is too narrow leaves out, after how often each place was taken; place, name, adjusted and ± are
#: always there.
_GIVES_WAY = [
    "relative",
    "points",
    "strikes",
    "missed",
    "forfeits",
    "matches",
    "level",
    "ranks",
]
#: Columns of words, and of what should not happen.
_WORDS, _FAULTS = {"level", "qualified"}, {"strikes", "forfeits", "missed"}


def print_tournament(tournament: tournaments_pb2.Tournament, *, crosstable: bool = False, command: str = "") -> None:
    """Print a line about it, its standings, what the columns mean, who beat whom.

    A long crosstable is printed only if it is asked for; `command` prints it where no server has played, and no ladder
    knows anything.
    """
    game = game_label(tournament.ruleset, tournament.options)
    rounds = "1 round" if tournament.rounds == 1 else f"{tournament.rounds} rounds"
    prose(
        f"{tournament.name} (tournament {tournament.id}): {game}, {rounds}, "
        f"{tournament.finished} of {tournament.matches} matches, {tournament_status(tournament)}."
    )
    if not tournament.ladder:
        prose("Unrated: its matches count on no ladder.")
    if tournament.persons:
        prose("Persons may enter it as well as bots, and its matches count for them in the same way.")
    if tournament.results_withheld:
        prose(f"Results withheld while their boards are played: {tournament.results_withheld}.")
    if tournament.balances:
        prose(f"{balance(tournament.balances)} {boards(tournament.boards).capitalize()}.")
    if tournament.waiting:
        prose(tournament.waiting)
    if tournament.standings:
        say("")
        print_standings(tournament)
        if first := first_place_words(tournament):
            say("")
            prose(first)
        if not command and (known := known_words(tournament)):
            say("")
            prose(known)
        command = command or f"farfalia tournament show {tournament.id} --crosstable"
        print_crosstable(tournament, asked=crosstable, command=command)
    for number, stage in enumerate(tournament.stages, start=1):
        say("")
        print_stage(number, stage)


def print_conduct(tournament: tournaments_pb2.Tournament) -> None:
    """Print a line about it, and how often each entrant played and failed to; nothing of what it made."""
    game = game_label(tournament.ruleset, tournament.options)
    prose(
        f"{tournament.name} (tournament {tournament.id}): {game}, {tournament.finished} matches, "
        f"{tournament_status(tournament)}."
    )
    say("")
    columns = [column for column in standings_columns(tournament) if column.key in {"matches", *_FAULTS}]
    rows = [
        [_name(row), *(Text(column.text(row), _style(column.key, row)) for column in columns)]
        for row in tournament.standings
    ]
    table(["<entrant", *map(_head, columns)], rows)


def print_standings(tournament: tournaments_pb2.Tournament) -> None:
    """Print the standings, best first; on a narrow terminal without the columns that say least."""
    columns = standings_columns(tournament)
    titles = {column.key: lower(column.title) for column in columns}
    first, *others = columns
    rows = [
        [
            first.text(row),
            _name(row),
            *(Text(column.text(row), _style(column.key, row)) for column in others),
        ]
        for row in tournament.standings
    ]
    places = [key for key in titles if key.startswith("places-")]
    gives_way = [titles[key] for key in (*reversed(places), *_GIVES_WAY) if key in titles]
    shown = table([titles["place"], "<entrant", *map(_head, others)], rows, gives_way=gives_way)
    say("")
    prose(legend([column for column in columns if titles[column.key] in shown]))
    replacements = [f"{row.entrant} plays {words}." for row in tournament.standings for words in instead_of(row)]
    if replacements:
        say("")
        prose(" ".join(replacements))


def print_deals(tournament: tournaments_pb2.Tournament) -> None:
    """Print what is known of where its deals come from, a line each: for those who check them."""
    lines = [("commitment", tournament.commitment.hex())]
    if tournament.value_function:
        lines.append(("luck by", tournament.value_function.hex()))
    if tournament.value_function_missing:
        lines.append(("", OTHER_VALUE_FUNCTION))
    if tournament.HasField("beacon"):
        beacon = tournament.beacon
        value = f"{beacon.value!r}" if beacon.value else "its value is published at the start"
        lines.append(("beacon", f"{beacon.source}, {beacon.round}: {value}"))
    if tournament.nonces:
        lines.append(("nonces", _nonces(tournament)))
    if tournament.secret:
        lines.append(("secret", tournament.secret.hex()))
    say("", "Deals:")
    prose(*(f"  {what:<10}  {value}" for what, value in lines), indent=" " * 14)


def _nonces(tournament: tournaments_pb2.Tournament) -> str:
    """Return which entrants gave one; without any, no entrant stands out."""
    given = {row.entrant for row in tournament.nonces if row.nonce}
    if not given:
        return "none"
    house = {row.entrant for row in tournament.standings if row.house}
    silent = [row.entrant for row in tournament.nonces if row.entrant not in given | house]
    gave = f"from {len(given)} {'entrant' if len(given) == 1 else 'entrants'}"
    return f"{gave}, not from {', '.join(silent)}" if silent else gave


def print_stage(number: int, stage: stages_pb2.StageStandings) -> None:
    """Print who plays in a stage, and how they stand."""
    if not stage.standings:
        prose(f"Stage {number}: {stage_words(stage.stage)}. It has not started.")
        return
    rounds = "1 round" if stage.rounds_drawn == 1 else f"{stage.rounds_drawn} rounds"
    prose(f"Stage {number}: {stage_words(stage.stage)}. {rounds} drawn.")
    first, *others = stage_columns(stage.stage)
    rows = [[first.text(row), row.entrant, *(column.text(row) for column in others)] for row in stage.standings]
    table([lower(first.title), "<entrant", *map(_head, others)], rows)
    if stage.contest:
        prose(stage.contest)
    for waiting in dict.fromkeys(row.waiting for row in stage.standings if row.waiting):
        prose(f"{', '.join(row.entrant for row in stage.standings if row.waiting == waiting)}: {waiting}")
    if is_knockout(stage.stage) and stage.tables:
        print_bracket(stage)


def print_bracket(stage: stages_pb2.StageStandings) -> None:
    """Print the tables of a knock-out with what was made there, and who had a bye."""
    say("")
    for number in sorted({one.round for one in stage.tables}):
        for one in (one for one in stage.tables if one.round == number):
            word = "match" if len(one.matches) == 1 else "matches"
            rows = "; ".join(map(_knockout_result, one.results))
            prose(f"Round {number}, table {one.table}, {word} {', '.join(map(str, one.matches))}: {rows}.")
        if byes := [one.entrant for one in stage.byes if one.round == number]:
            prose(f"Round {number}, bye: {', '.join(byes)}.")
    prose("Place, points of all its matches, score. The best by score advance (→); of equal scores, the better seed.")


def _knockout_result(row: stages_pb2.KnockoutResult) -> str:
    score = f" ({row.score:+.1f})" if row.HasField("score") else ""
    return f"{row.place or '–'} {row.entrant} {row.points}{score}{' →' * row.advanced}"


def _name(row: standings_pb2.Standing) -> Text:
    return Text.assemble(row.entrant, ("".join(f" ({mark})" for mark in marks(row)), "dim"))


def _head(column: Column[Any]) -> str:
    """Return a column's title for a table: words are set flush left, figures are not."""
    return f"{'<' * (column.key in _WORDS)}{lower(column.title)}"


def _style(key: str, row: standings_pb2.Standing) -> str:
    return "red" if key in _FAULTS and getattr(row, key) else ""


def print_one(tournament: tournaments_pb2.Tournament, json: bool, *, crosstable: bool = False) -> None:
    """Print a tournament as a command is asked to: as JSON, or its standings and how its cards can be checked."""
    if json:
        print_json(tournament)
    else:
        print_tournament(tournament, crosstable=crosstable)
        print_deals(tournament)
