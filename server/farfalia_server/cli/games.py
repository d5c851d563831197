"""What is played: the options of every command that starts matches."""

from collections.abc import Iterable
from typing import Annotated

import typer

import farfalia_engine as engine
from farfalia_tournaments.schedules import Boards

_GAMES = f"The game: {', '.join(sorted(engine.GAMES))}."
GameOption = Annotated[str, typer.Option(help=_GAMES)]
GameArgument = Annotated[str, typer.Argument(help=_GAMES)]
LadderArgument = Annotated[str, typer.Argument(help="Name of the ladder.")]
PlayersOption = Annotated[
    int | None, typer.Option(min=1, help="How many play; only Farrago leaves a choice: 3, 4 or 5. [4]")
]
BoardsOption = Annotated[
    Boards,
    typer.Option(
        help="Which matches have equal cards: none (fresh), all tables of a round (datum), or all matches of a table,"
        " which then plays every board from every seat (rotations)."
    ),
]
OptionOption = Annotated[
    list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game; may be repeated.")
]


def options_of(game: str, pairs: Iterable[str], players: int | None) -> dict[str, str]:
    """Return `name=value` texts and a number of players as the options of this game, unchecked but for that number.

    BadParameter for a text of another form, an option with two values, or a number of players that the game lacks.
    """
    kind = engine.GAMES.get(game)
    if players is not None and kind is not None and "players" in kind.options:
        pairs = [*pairs, f"players={players}"]
    options: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not an option of a game; expected name=value.")
        if options.setdefault(name, value) != value:
            raise typer.BadParameter(f"{name} is given as {options[name]} and as {value}; expected one value.")
    if players is not None:
        _check_players(game, options, players)
    return options


def _check_players(game: str, options: dict[str, str], players: int) -> None:
    try:
        seats = engine.ruleset(game, options).seats
    except engine.RulesetError as error:
        raise typer.BadParameter(str(error)) from error
    if players != seats:
        raise typer.BadParameter(f"{game} is played by {seats}, not by {players}.")
