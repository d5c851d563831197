"""What `--game`, `--players` and `--option` make of a game, and what they refuse."""

import pytest
import typer
from tests.cli.command import Command

from farfalia_server.cli.games import options_of


@pytest.mark.parametrize(
    ("game", "pairs", "players", "options"),
    [
        ("chinkway", [], None, {}),
        ("chinkway", ["burnin=on"], 5, {"burnin": "on"}),
        ("four", ["hands=8"], 4, {"hands": "8"}),
        ("two", [], 2, {}),
        ("farrago", [], 4, {"players": "4"}),
        ("farrago", ["order=random"], 3, {"order": "random", "players": "3"}),
        ("farrago", ["players=5"], 5, {"players": "5"}),
        ("farrago", ["players=5", "pack=five-hundred"], None, {"players": "5", "pack": "five-hundred"}),
        ("a game of tomorrow", ["stakes=high=low"], None, {"stakes": "high=low"}),
    ],
)
def test_a_number_of_players_is_an_option_where_the_game_has_it(
    game: str, pairs: list[str], players: int | None, options: dict[str, str]
) -> None:
    assert options_of(game, pairs, players) == options


@pytest.mark.parametrize(
    ("game", "pairs", "players", "said"),
    [
        ("four", [], 5, "four is played by 4, not by 5."),
        ("chinkway", ["burnin=on"], 4, "chinkway is played by 5, not by 4."),
        ("three-short", [], 2, "three-short is played by 3, not by 2."),
        ("farrago", [], 6, "option 'players' of farrago is '6', expected one of 4, 3, 5"),
        ("farrago", ["players=4"], 3, "players is given as 4 and as 3; expected one value."),
        (
            "farrago",
            ["order=random", "order=dealer"],
            None,
            "order is given as random and as dealer; expected one value.",
        ),
        ("farrago", ["players"], None, "'players' is not an option of a game; expected name=value."),
        ("whist", [], 4, "there is no game 'whist', expected one of: basic, chinkway, farrago"),
        ("two", ["stakes=high"], 2, "two has no option 'stakes', expected one of: burnin, double_you"),
    ],
)
def test_who_cannot_play_a_game_is_told_who_can(game: str, pairs: list[str], players: int | None, said: str) -> None:
    with pytest.raises(typer.BadParameter) as refusal:
        options_of(game, pairs, players)
    assert str(refusal.value).startswith(said)


@pytest.mark.slow
def test_as_many_as_were_asked_for_sit_at_the_table(farfalia: Command) -> None:
    arguments = ("--game", "farrago", "--players", 3, "--option", "order=random", "--rounds", 1)
    told = farfalia.told("run", "--bot", "greedy", *arguments)
    assert "run (tournament 1): farrago order=random players=3, 1 round, 3 of 3 matches, finished." in told
    assert told.count("(house)") == 3
