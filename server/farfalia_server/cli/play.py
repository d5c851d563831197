"""`farfalia play`: a person at the table, in the terminal."""

import asyncio
import sys
import threading
from secrets import randbelow
from typing import Annotated

import typer

from farfalia import bots as samples
from farfalia.client import SEAT_TAKEN_OVER
from farfalia.client import play as play_at
from farfalia.errors import FarfaliaError
from farfalia.model_bot import ModelBot, outcome_words
from farfalia.question_words import question_words
from farfalia.v1 import bots_pb2, daily_boards_pb2, matches_pb2, play_pb2, record_pb2
from farfalia.view import View
from farfalia_engine import EngineError, ruleset
from farfalia_engine.hints import did_you_mean
from farfalia_server.cli.games import GameArgument, OptionOption, PlayersOption, options_of
from farfalia_server.cli.output import note, say, table
from farfalia_server.cli.remote import ask
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.local.practice import play_practice

#: Milliseconds for a decision on a server, and in the bank; strikes that the seat survives.
_LIMIT_MS, _BANK_MS, _GRACE = 600_000, 0, 3
#: What takes the last decision back: no action's text.
_TAKE_BACK = "<"
#: Seconds between two looks for a question or the end.
_LOOK = 0.5


class _Person(ModelBot):
    """A person at a prompt, for one match."""

    _seated = False

    def on_seated(self, seated: play_pb2.Seated) -> None:
        """Tell it once: after a decision is taken back, the match begins anew up to there."""
        if not self._seated:
            super().on_seated(seated)
        self._seated = True

    def on_finished(self, finished: play_pb2.Finished) -> None:
        """End with the match."""
        self.end(f"The match is over. {outcome_words(finished.seat, finished.outcome)}")

    def on_notice(self, notice: play_pb2.Notice) -> None:
        """Tell it, and end if the seat is lost."""
        if notice.reason == SEAT_TAKEN_OVER:
            self.end(f"{notice.text[:1].upper()}{notice.text[1:]}.")
        else:
            super().on_notice(notice)


def add_to(app: typer.Typer) -> None:
    """Put the command of this module into an app."""
    app.command()(play)


def play(
    game: GameArgument = "chinkway",
    number: PlayersOption = None,
    option: OptionOption = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help=f"Who plays against you, in turn: {', '.join(samples.NAMES)}."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Deals the same cards again; without a server alone.")] = None,
    server: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Play as a guest on this server, instead of in this process.", show_default=False
        ),
    ] = "",
    today: Annotated[
        bool, typer.Option("--today", help="Play the server's board of the day, and see what everyone made of it.")
    ] = False,
) -> None:
    """Play a match yourself, against house bots.

    Each question says what you know and what you may do; answer with the text of an action, such as S10, and Enter. A
    "<" takes your last decision back, which is asked anew; not on today's board. An empty line or the end of the input
    gives the match up. Nothing counts for a rating.

    \b
    Examples:
      farfalia play chinkway --opponent cautious
      farfalia play two --server arena.example
      farfalia play two --server arena.example --today
    """
    chosen = options_of(game, option or [], number)
    others = opponent or ["cautious"]
    for name in others:
        if name not in samples.NAMES:
            expected = ", ".join(samples.NAMES)
            wrong = f"The opponent is {name!r}{did_you_mean(name, samples.NAMES)}; expected {expected}."
            raise typer.BadParameter(wrong)
    if server and seed is not None:
        raise typer.BadParameter("A seed is for a match in this process; a server deals its own cards.")
    if today and not server:
        raise typer.BadParameter("Today's board is a server's; say which one by --server.")
    if today and (chosen or opponent):
        raise typer.BadParameter("Today's board has its own opponents and no options; expected neither.")
    try:
        seats = ruleset(game, chosen).seats
    except EngineError as error:
        raise FarfaliaServerError(str(error)) from error
    bot, kinds = _Person(), [others[seat % len(others)] for seat in range(seats - 1)]
    if not server:
        drawn = randbelow(2**32) if seed is None else seed
        threading.Thread(target=_here, args=(bot, game, chosen, kinds, drawn), daemon=True).start()
        _at_table(bot)
        return
    match, token = _on_server(bot, server, game, chosen, [] if today else kinds)
    try:
        _at_table(bot)
    except typer.Exit:
        ask(server, "CancelChallenge", matches_pb2.CancelChallengeRequest(match=match.id), token)
        raise
    if today:
        wanted = daily_boards_pb2.GetDailyBoardRequest(ruleset=game, day=match.daily)
        _show_board(ask(server, "GetDailyBoard", wanted, token).board)
    else:
        note(f"See it again: farfalia replay {match.id} --server {server}")


def _at_table(bot: ModelBot) -> None:
    """Ask the person until the match is over; typer.Exit if it is given up."""
    while True:
        view = bot.question(_LOOK)
        for sentence in bot.news():
            say(sentence)
        if bot.over:
            say(bot.over)
            return
        if view is not None and not _answered(bot, view):
            raise typer.Exit(1)


def _answered(bot: ModelBot, view: View) -> bool:
    """Ask one question until it is answered or its time is over; False if the person gives up."""
    say("")
    for line in question_words(view).splitlines():
        say(line)
    if view.takes_back:
        say(f"{_TAKE_BACK} takes your last decision back.")
    texts = {view.text(action).lower(): action for action in view.legal}
    while True:
        print("> ", end="", flush=True)
        typed = sys.stdin.readline().strip()
        if not typed:
            return False
        if typed == _TAKE_BACK:
            if view.takes_back and not bot.take_back():
                say("The time of this question is over.")
            elif not view.takes_back:
                say("No decision can be taken back at this question.")
                continue
            return True
        action = texts.get(typed.lower())
        if action is None:
            say(
                f"{typed!r} is not legal{did_you_mean(typed, texts)}; expected {', '.join(map(view.text, view.legal))}."
            )
            continue
        if not bot.answer(action):
            say("The time of this question is over.")
        return True


def _here(bot: ModelBot, game: str, options: dict[str, str], names: list[str], seed: int) -> None:
    """Play in this process."""
    try:
        others = [samples.create(name, seed + seat) for seat, name in enumerate(names, start=1)]
        played = play_practice(bot, others, seed, game, options)
    except FarfaliaError as error:
        bot.end(str(error))
        return
    outcome = record_pb2.MatchOutcome(points=played.outcome.points, places=played.outcome.places)
    bot.end(f"The match is over. {outcome_words(0, outcome)}")


def _on_server(
    bot: ModelBot, server: str, game: str, options: dict[str, str], names: list[str]
) -> tuple[matches_pb2.Match, str]:
    """Sit down as a guest, at today's board if no opponents are named; return the match, and the guest's token."""
    made = ask(server, "RegisterBot", bots_pb2.RegisterBotRequest(person=True))
    threading.Thread(target=_stay, args=(bot, server, made.token), daemon=True).start()
    seats = [matches_pb2.ChallengeSeat(bot=made.bot.name), *(matches_pb2.ChallengeSeat(house=name) for name in names)]
    control = record_pb2.TimeControl(limit_ms=_LIMIT_MS, bank_ms=_BANK_MS, grace=_GRACE)
    _await_stream(bot, server, made.bot.name)
    if names:
        request = matches_pb2.CreateChallengeRequest(ruleset=game, options=options, time_control=control, seats=seats)
    else:
        request = matches_pb2.CreateChallengeRequest(ruleset=game, daily=True, time_control=control)
    return ask(server, "CreateChallenge", request, made.token).match, made.token


def _show_board(board: daily_boards_pb2.DailyBoard) -> None:
    """Print what everyone made of the board of a day."""
    rows = [
        (one.place, one.bot or f"house bot {one.house}", one.points, one.place_at_table, "you" if one.own else "")
        for one in board.results
    ]
    table(("place", "player", "points", "at the table", ""), rows, f"The board of {board.day}")


def _await_stream(bot: ModelBot, server: str, name: str) -> None:
    """Wait until the guest is connected; FarfaliaServerError if it cannot be."""
    while not ask(server, "GetBot", bots_pb2.GetBotRequest(name=name)).bot.connected:
        if bot.over:
            raise FarfaliaServerError(bot.over)
        threading.Event().wait(_LOOK / 2)


def _stay(bot: ModelBot, server: str, token: str) -> None:
    try:
        asyncio.run(play_at(bot, server, token, matches=1, questions=1))
    except FarfaliaError as error:
        bot.end(str(error))
