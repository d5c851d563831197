"""`farfalia challenge`: a match at once, with any connected bot and house bots, which counts nowhere."""

from typing import Annotated

import typer

from farfalia import bots as house_bots
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import matches_pb2
from farfalia_server.cli.games import GameOption, OptionOption, PlayersOption, options_of
from farfalia_server.cli.output import note, print_json, say
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask
from farfalia_server.cli.tournament_terms import time_control as asked_time_control
from farfalia_server.records.house_names import HOUSE_PREFIX

challenges = typer.Typer(help="Matches at once, which count nowhere: create, cancel.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(challenges, name="challenge")


@challenges.command()
def create(
    players: Annotated[
        list[str],
        typer.Argument(
            help=f"Who plays, by seat: names of connected bots, and house bots "
            f"({', '.join(HOUSE_PREFIX + name for name in house_bots.NAMES)}). House bots sit at the other seats."
        ),
    ],
    game: GameOption = "chinkway",
    number: PlayersOption = None,
    option: OptionOption = None,
    limit_ms: Annotated[int | None, typer.Option(min=1, help="Milliseconds per decision.")] = None,
    bank_ms: Annotated[int | None, typer.Option(min=0, help="Milliseconds in the time bank of the match.")] = None,
    grace: Annotated[int | None, typer.Option(min=0, help="Strikes that a seat survives.")] = None,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Ask for a match now, and print its number.

    It begins when its bots have a seat free: matches of tournaments and ladders come first. It needs your account's
    token. The server's own time control applies unless you give all three figures.
    """
    request = matches_pb2.CreateChallengeRequest(
        ruleset=game,
        options=options_of(game, option or [], number),
        time_control=asked_time_control(limit_ms, bank_ms, grace),
        seats=[
            matches_pb2.ChallengeSeat(house=player.removeprefix(HOUSE_PREFIX))
            if player.startswith(HOUSE_PREFIX)
            else matches_pb2.ChallengeSeat(bot=player)
            for player in players
        ],
    )
    match = ask(server, "CreateChallenge", request, admin_token).match
    if json:
        print_json(match)
        return
    note(f"{', '.join(match.entrants)} play it. Once it is over: farfalia replay {match.id}")
    say(str(match.id))


@challenges.command()
def cancel(
    match: Annotated[int, typer.Argument(min=1, help="Number of the match.")],
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Give up a match that you asked for, whether it has begun or not."""
    ask(server, "CancelChallenge", matches_pb2.CancelChallengeRequest(match=match), admin_token)
    say(f"Match {match} is given up.")
