"""`farfalia bot`: the bots of a server, their tokens and logs, and running a sample bot."""

import os
from pathlib import Path
from typing import Annotated

import typer

import farfalia
from farfalia import bots as samples
from farfalia.arena import BoardInPlay, MatchNotOver
from farfalia.errors import BadSetting
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import bots_pb2
from farfalia_server.cli.bot_profile import print_profile
from farfalia_server.cli.bot_ratings import print_histories, print_pair, print_ratings
from farfalia_server.cli.moderation import ReasonOption, StrikeOption, YesOption, confirm
from farfalia_server.cli.output import LINE, note, print_json, say, table
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask, ask_all
from farfalia_server.cli.webhook import webhooks
from farfalia_server.contract.untrusted import clean
from farfalia_server.wording.bots import place_words, verdict
from farfalia_server.wording.phrases import CHALLENGERS, sentence

bots = typer.Typer(help="Bots: register, run, show, log, rename, remove, and more.", no_args_is_help=True)
bots.add_typer(webhooks, name="webhook")

Name = Annotated[str, typer.Argument(help="Name of the bot.")]
#: A bot's own calls are shown its own token or the admin's.
TokenOption = Annotated[
    str, typer.Option("--token", envvar="FARFALIA_TOKEN", metavar="TOKEN", help="The bot's own token.")
]


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(bots, name="bot")


@bots.command()
def register(
    name: Annotated[str, typer.Argument(help="Its name: 1 to 40 letters, digits, dots, hyphens or underscores.")],
    version: Annotated[str, typer.Option(help="Its version, as you name it; 1 for a new bot.")] = "",
    owner: Annotated[str, typer.Option(help="The bot's owner.")] = "",
    house: Annotated[str, typer.Option(help="The house bot that plays for it inside the server.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Register a bot and print its token, shown only once.

    With your account's token the bot is yours. Where registration is open, none is needed.
    With --version and the bot's own token, or the admin token: make a new version of a registered bot. It keeps the
    token, starts at the rating of the version before, and is rated apart from then on.
    """
    request = bots_pb2.RegisterBotRequest(name=name, version=version, owner=owner, house=house)
    made = ask(server, "RegisterBot", request, admin_token or token)
    if json:
        print_json(made)
    elif not made.token and not house:
        say(f"{name} is version {version} from now on; restart it with its new code.")
    elif house:
        say(f"{name} is registered; the house bot {house} plays for it.")
    else:
        note(f"{name} is registered. Its token, shown only once; pass it to the bot as FARFALIA_TOKEN:")
        say(made.token)


@bots.command()
def run(
    sample: Annotated[str, typer.Argument(help=f"One of {', '.join(samples.NAMES)}.")],
    name: Annotated[str, typer.Option(help="Its name for --register; by default the sample's.")] = "",
    token: TokenOption = "",
    register: Annotated[
        bool, typer.Option("--register", help="Register it first, unless the token file exists.")
    ] = False,
    token_file: Annotated[
        Path | None, typer.Option(help="The file that keeps its token; --register writes it.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of its choices.")] = 0,
    iterations: Annotated[int | None, typer.Option(help="Iterations per decision of a searching bot. [1000]")] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Seconds per decision of a searching bot, instead of iterations.")
    ] = None,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Connect a sample bot and play until Ctrl-C.

    The bot needs a token: --token, or FARFALIA_TOKEN. With --register it is registered first, which takes the admin
    token or your account's unless the server lets anyone register; give a --token-file to come back as the same bot.
    """
    try:
        bot = samples.create(sample, seed, iterations=iterations, seconds=seconds)
    except BadSetting as error:
        raise typer.BadParameter(str(error)) from error
    if token_file and token_file.exists():
        token = token_file.read_text(encoding="utf-8-sig", errors="replace").strip()
    elif register:
        token = ask(server, "RegisterBot", bots_pb2.RegisterBotRequest(name=name or sample), admin_token).token
        if token_file:
            write_secret(token_file, token)
    if not token:
        raise typer.BadParameter(
            "The bot has no token. Pass --token TOKEN or set FARFALIA_TOKEN, or register it with "
            "--register --token-file FILE."
        )
    farfalia.run(bot, server=server, token=token)


@bots.command()
def show(
    name: Name,
    against: Annotated[
        str, typer.Option(metavar="BOT", help="How far it is from another bot, instead.", show_default=False)
    ] = "",
    history: Annotated[bool, typer.Option("--history", help="How its ratings came about, instead.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Print a bot.

    Its ratings, how it did in each role, and against whom it stands out. points is mu in points per match more than a
    newcomer's, with its 95 % interval.

    With its own token or the admin token, its incidents and its log, too.
    """
    request = bots_pb2.GetBotRequest(name=name, against=against)
    answer = ask(server, "GetBot", request, admin_token or token)
    if json:
        print_json(answer)
        return
    if against:
        print_pair(answer.pair)
        return
    if history:
        print_histories(answer.histories)
        return
    say(_line(answer.bot))
    say(*(f"Waiting. {wait.ladder}: {wait.text}" for wait in answer.bot.waiting))
    print_ratings(answer)
    say(*(f"{place_words(place)}." for place in answer.ladder_places))
    for result in answer.results:
        if said := verdict(result):
            say(f"{result.ruleset}, version {result.version}: {said}.")
    print_profile(answer)
    if answer.incidents:
        say("", "Incidents, newest first:")
        say(*(f"  {_where(at)}: {at.incident.text}" for at in answer.incidents))
    if answer.logs:
        say("", "Log, newest first:")
        for log in answer.logs:
            say(*_log_lines(log))


def _where(at: bots_pb2.BotIncident) -> str:
    """Return where an incident was, as pages say it: `match 31, deal 6, card 4.5`."""
    said = f"match {at.match}"
    if not at.deal:
        return f"{said}, action {at.incident.action_index}"
    said = f"{said}, deal {at.deal}"
    if at.card:
        return f"{said}, card {at.trick}.{at.card}"
    return f"{said}, trick {at.trick}" if at.trick else said


@bots.command()
def log(
    name: Name,
    match: Annotated[int, typer.Argument(min=1, help="Number of the match.")],
    deal: Annotated[int | None, typer.Option(min=1, help="Only this deal, counted from 1.")] = None,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Print what a bot logged in a match.

    It prints the bot's log lines, what it said about its failures, and what the server measured and saw. It takes the
    bot's own token, its owner's or the admin's. Until the match's cards may be shown, it prints the log lines alone.
    """
    from farfalia_server.cli.bot_log import print_decisions, print_lines
    from farfalia_server.cli.record_argument import load_record
    from farfalia_server.wording.decisions import decisions  # takes the engine

    request = bots_pb2.GetBotRequest(name=name, match=match)
    logs = ask(server, "GetBot", request, admin_token or token).logs
    if json:
        print_json(list(logs))
        return
    if not logs:
        note(f"The server shows this token no line of {name} about match {match}; it keeps the newest of each bot.")
    try:
        record = load_record(str(match), server)
    except (BoardInPlay, MatchNotOver) as error:
        note(sentence(str(error)))
        print_lines(logs)
        return
    seats = [seat for seat, held in enumerate(record.seats) if held.name == name and not held.house]
    if len(seats) != 1:
        raise typer.BadParameter(f"{name} was asked nothing in match {match}.")
    if deal is not None and deal > len(record.outcome.deals):
        raise typer.BadParameter(f"There is no deal {deal}; the match has {len(record.outcome.deals)}.")
    print_decisions(decisions(record, seats[0]), logs, deal)


@bots.command("list")
def list_all(server: ServerOption = DEFAULT_SERVER, json: JsonOption = False) -> None:
    """Print all bots, by name."""
    answer = ask_all(server, "ListBots", bots_pb2.ListBotsRequest())
    if json:
        print_json(answer)
    else:
        rows = [
            (bot.name, bot.version, bot.owner, bot.house or ("yes" if bot.connected else "no")) for bot in answer.bots
        ]
        table(["<name", "<version", "<owner", "<connected"], rows)


@bots.command()
def rotate_token(
    name: Name,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Give a bot a new token and print it.

    The old one ends at once.
    """
    answer = ask(server, "RotateToken", bots_pb2.RotateTokenRequest(name=name), admin_token or token)
    if json:
        print_json(answer)
    else:
        say(answer.token)


@bots.command()
def revoke_token(
    name: Name,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
) -> None:
    """Revoke a bot's token.

    Its stream ends at once; its matches and ratings stay. `rotate-token` gives it a new one.
    """
    ask(server, "RevokeToken", bots_pb2.RevokeTokenRequest(name=name), admin_token or token)
    say(f"{name} no longer has a token.")


@bots.command()
def suspend(
    name: Name,
    undo: Annotated[bool, typer.Option("--undo", help="Let it back.")] = False,
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Suspend a bot, which ends its stream.

    House bots finish what it plays. With --undo it may connect again.
    """
    request = bots_pb2.ModerateBotRequest(name=name, suspended=not undo, reason=reason)
    ask(server, "ModerateBot", request, admin_token)
    say(f"{name} may connect again." if undo else f"{name} is suspended.")


@bots.command()
def hide(
    name: Name,
    undo: Annotated[bool, typer.Option("--undo", help="Show it again.")] = False,
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Leave a bot out of lists and ladders."""
    request = bots_pb2.ModerateBotRequest(name=name, hidden=not undo, reason=reason)
    ask(server, "ModerateBot", request, admin_token)
    say(f"{name} is shown again." if undo else f"{name} is hidden.")


@bots.command()
def strike(
    name: Name,
    reason: ReasonOption = "",
    yes: YesOption = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
) -> None:
    """Let a bot's matches so far count on no ladder. This cannot be undone.

    They stay in their tournaments, with their records. Ratings are rebuilt some seconds later.
    """
    confirm(yes, f"Strike the results of {name}?")
    request = bots_pb2.ModerateBotRequest(name=name, strike=True, reason=reason)
    say(f"{ask(server, 'ModerateBot', request, admin_token).struck} matches of {name} count no more.")


@bots.command()
def rename(
    name: Name,
    new_name: Annotated[str, typer.Argument(help="Its new name.")],
    reason: ReasonOption = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
) -> None:
    """Give a bot another name.

    End it first: a bot that is connected keeps its name. Records have the new name some seconds later.
    """
    request = bots_pb2.RenameBotRequest(name=name, new_name=new_name, reason=reason)
    ask(server, "RenameBot", request, admin_token or token)
    say(f"{name} is called {new_name} now.")


@bots.command()
def remove(
    name: Name,
    strike: StrikeOption = False,
    reason: ReasonOption = "",
    yes: YesOption = False,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
) -> None:
    """Remove a bot. This cannot be undone.

    A placeholder stands for its name everywhere, in records some seconds later. What it played stays.
    """
    confirm(yes, f"Remove {name}?")
    request = bots_pb2.RemoveBotRequest(name=name, strike=strike, reason=reason)
    say(f"Removed. {ask(server, 'RemoveBot', request, admin_token or token).placeholder} stands for its name now.")


@bots.command()
def challengers(
    name: Name,
    who: Annotated[str, typer.Argument(help=f"Who may: {', '.join(CHALLENGERS.values())}.")],
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    admin_token: AdminOption = "",
) -> None:
    """Say who may ask a bot for a match that counts nowhere."""
    number = next((number for number, word in CHALLENGERS.items() if word == who), None)
    if number is None:
        raise typer.BadParameter(f"WHO is {who!r}; expected {' or '.join(CHALLENGERS.values())}.")
    request = bots_pb2.SetChallengersRequest(name=name, challengers=number)
    ask(server, "SetChallengers", request, admin_token or token)
    say(f"Matches with {name}: {who}.")


def _log_lines(log: bots_pb2.BotLog) -> list[str]:
    """Return a log line, and further in what follows a line break in it,
    which must not look like a log line of its own.
    """
    first, *others = clean(log.line.text, LINE, lines=True).split("\n")
    return [f"  {log.time.ToDatetime():%F %T}  {first}", *(f"{'':23}{other}" for other in others)]


def _line(bot: bots_pb2.BotInfo) -> str:
    owner = f", by {bot.owner}" if bot.owner else ""
    if bot.house:
        return f"{bot.name}{owner}: the house bot {bot.house} plays for it."
    state = "suspended" if bot.suspended else "connected" if bot.connected else "not connected"
    return f"{bot.name}, version {bot.version}{owner}: {state}{', hidden' if bot.hidden else ''}."


def write_secret(path: Path, token: str) -> None:
    """Write a token into a file that only its user may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        os.fchmod(file.fileno(), 0o600)  # of a file that was there already
        file.write(token + "\n")
