"""Who plays in a tournament: late entry, replacement and withdrawal."""

from typing import Annotated

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import tournaments_pb2
from farfalia_server.cli.output import note
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask
from farfalia_server.cli.standings import print_one
from farfalia_server.cli.tournament_terms import Number


def enter(
    number: Number,
    bot: Annotated[str, typer.Argument(help="Name of a registered bot.")],
    instead_of: Annotated[
        str, typer.Option(metavar="BOT", help="Take over the entry of this entrant.", show_default=False)
    ] = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Enter a bot in a tournament.

    Once the tournament has started, a bot can only join a Swiss or take the place of a house bot. The bot's own token
    works in place of the admin token.

    With --instead-of it replaces an entrant: it keeps that one's place and results, and plays what has not begun.

    Example: farfalia tournament enter 3 fay --instead-of ben
    """
    request = tournaments_pb2.EnterTournamentRequest(id=number, bot=bot, instead_of=instead_of)
    answer = ask(server, "EnterTournament", request, admin_token)
    if answer.playing:
        note(f"{instead_of} is playing {answer.playing} of its matches now, which it finishes first.")
    if answer.taken:
        note(f"{bot} plays {answer.taken} matches that have not begun.")
    print_one(answer.tournament, json)


def withdraw(
    number: Number,
    bot: Annotated[str, typer.Argument(help="Name of an entrant.")],
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Withdraw a bot from a tournament.

    House bots play the matches that it has not started. The bot's own token works in place of the admin token.
    """
    request = tournaments_pb2.WithdrawFromTournamentRequest(id=number, bot=bot)
    answer = ask(server, "WithdrawFromTournament", request, admin_token)
    if answer.playing:
        note(f"{bot} is playing {answer.playing} of its matches now, which are finished first.")
    print_one(answer.tournament, json)
