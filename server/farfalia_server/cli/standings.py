"""A tournament's standings on a terminal."""

from typing import Annotated

import typer
from rich.text import Text

from farfalia.v1 import stages_pb2, standings_pb2, tournaments_pb2
from farfalia_server.cli.crosstable import print_crosstable
from farfalia_server.cli.output import prose, say, table
from farfalia_server.wording.columns import OTHER_VALUE_FUNCTION, legend
from farfalia_server.wording.phrases import (
    balance,
    boards,
    game_label,
    is_knockout,
    ranks,
    stage_words,
    tournament_status,
)

CrosstableOption = Annotated[
    bool, typer.Option("--crosstable", help="Print the crosstable, however large the field is.")
]

HEADS = [
    "place",
    "<entrant",
    "ranks",
    "<level",
    "matches",
    "points",
    "relative",
    "adjusted",
    "±",
    "mu",
    "sigma",
    "rating",
    "strikes",
    "forfeits",
    "missed",
]
#: What holds only if the end of a tournament was fixed before.
JUDGING = {"ranks", "level", "±"}
#: What a terminal that is too narrow leaves out first; place, name, adjusted and ± are always there.
GIVES_WAY = [
    "sigma",
    "mu",
    "relative",
    "points",
    "rating",
    "strikes",
    "missed",
    "forfeits",
    "matches",
    "level",
    "ranks",
]


def print_tournament(
    tournament: tournaments_pb2.Tournament, *, margins: bool = True, crosstable: bool = False, command: str = ""
) -> None:
    """Print a line about it, its standings, what the columns mean, who beat whom; without `margins`, no statement
    about who is stronger: neither margins of scores nor the probabilities of the crosstable.

    A long crosstable is printed only if it is asked for; `command` prints it.
    """
    game = game_label(tournament.ruleset, tournament.options)
    rounds = "1 round" if tournament.rounds == 1 else f"{tournament.rounds} rounds"
    prose(
        f"{tournament.name} (tournament {tournament.id}): {game}, {rounds}, "
        f"{tournament.finished} of {tournament.matches} matches, {tournament_status(tournament)}."
    )
    if tournament.results_withheld:
        prose(f"Results withheld while their boards are played: {tournament.results_withheld}.")
    if tournament.balances:
        prose(f"{balance(tournament.balances)} {boards(tournament.boards).capitalize()}.")
    if tournament.waiting:
        prose(tournament.waiting)
    if tournament.standings:
        say("")
        print_standings(tournament, margins=margins)
        command = command or f"farfalia tournament show {tournament.id} --crosstable"
        if margins:
            print_crosstable(tournament, asked=crosstable, command=command)
    for number, stage in enumerate(tournament.stages, start=1):
        say("")
        print_stage(number, stage)


def print_standings(tournament: tournaments_pb2.Tournament, *, margins: bool = True) -> None:
    """Print the standings, best first; on a narrow terminal without the columns that say least."""
    rows = [
        [
            row.place,
            Text.assemble(row.entrant, (" (house)" * row.house + " (left)" * row.withdrawn, "dim")),
            ranks(row) if margins else "",
            row.brackets if margins else "",
            row.matches,
            row.points,
            f"{row.relative:+.1f}" if row.matches else "",
            f"{row.adjusted:+.1f}" if row.matches else "",
            f"{row.margin:.1f}" if row.margin and margins else "",
            *_rating(row),
            _fault(row.strikes),
            _fault(row.forfeits),
            _fault(row.missed),
        ]
        for row in tournament.standings
    ]
    shown = table(HEADS, rows, gives_way=GIVES_WAY)
    say("")
    prose(legend([head for head in shown if margins or head not in JUDGING]))


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
    knockout = is_knockout(stage.stage)
    rows = [
        [
            row.place,
            row.entrant,
            f"{row.score:+.1f}" if row.HasField("score") else "",
            *([row.reached_round or ""] if knockout else []),
            "yes" if row.qualified else "",
        ]
        for row in stage.standings
    ]
    table(["place", "<entrant", "score", *(["reached round"] if knockout else []), "<qualified"], rows)
    if knockout and stage.tables:
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


def _fault(number: int) -> Text:
    return Text(str(number), "red" if number else "")


def _rating(row: standings_pb2.Standing) -> list[str]:
    """Return mu, sigma and what follows from them; nothing for those who are not rated."""
    rating = row.rating
    if not row.HasField("rating"):
        return ["", "", ""]
    return [f"{rating.mu:.2f}", f"{rating.sigma:.2f}", f"{rating.conservative:.2f}"]
