"""A seat for a language model: tools of the Model Context Protocol, by which it plays.

Needs the extra `mcp`. Without a token the model plays matches in this process against sample bots; with one it has the
seats of that bot on a server.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from secrets import randbelow

from anyio.to_thread import run_sync
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from farfalia import bots as samples
from farfalia.bot import Bot
from farfalia.client import play
from farfalia.errors import FarfaliaError
from farfalia.model_bot import ModelBot, outcome_words
from farfalia.question_words import question_words
from farfalia.testing import play_match as play_locally
from farfalia.v1 import record_pb2
from farfalia.view import View
from farfalia_engine import GAMES, EngineError, ruleset
from farfalia_engine.hints import did_you_mean
from farfalia_server import __version__
from farfalia_server.wording.rules import short_rules

#: Seconds that a call waits for the next question; models' clients give up on calls that take much longer.
WAIT = 20.0
_LOCAL = (
    "You play card games of Farfalia. `rules` teaches a game, `play_match` begins a match against sample bots; then "
    "answer each question with `act`, by the text of an action, until the match is over."
)
_ARENA = (
    "You play card games of Farfalia on an arena that seats you at its tables. `rules` teaches a game, "
    "`next_decision` waits for a question; answer it with `act`, by the text of an action. Each decision has a limit."
)


class ModelSeat:
    """What the tools do: one bot at a time, whose questions the model answers."""

    def __init__(self) -> None:
        self._bot: ModelBot | None = None

    def begin(self, bot: ModelBot) -> None:
        """Play with another bot from now on; the match before is given up."""
        if self._bot is not None:
            self._bot.end("the match was given up")
        self._bot = bot

    def match(self, game: str, options: dict[str, str], opponents: Sequence[str], seed: int) -> None:
        """Begin a match in this process: the model has seat 0, and the opponents the others in turn.

        ToolError if there is no such game, option or sample bot.
        """
        try:
            rules = ruleset(game, options)
            if not opponents:
                raise ToolError(f"opponents is empty, expected some of {', '.join(samples.NAMES)}")
            names = [opponents[seat % len(opponents)] for seat in range(rules.seats - 1)]
            others = [samples.create(name, seed + seat) for seat, name in enumerate(names, start=1)]
        except (EngineError, FarfaliaError) as error:
            raise ToolError(str(error)) from error
        bot = ModelBot()
        self.begin(bot)
        threading.Thread(target=_play, args=(bot, others, seed, game, options), daemon=True).start()

    def connect(self, server: str, token: str) -> None:
        """Connect to a server and play there from now on."""
        bot = ModelBot()
        self.begin(bot)
        threading.Thread(target=_stay, args=(bot, server, token), daemon=True).start()

    async def told(self) -> str:
        """Return what happened, and the open question in words, once there is one."""
        bot = self._playing
        view = await run_sync(bot.question, WAIT, abandon_on_cancel=True)
        said = bot.news()
        if view is not None:
            said.append(f"{question_words(view)}{_time(view)}")
            said.append(f"Answer with act, such as act({view.text(view.legal[0])!r}).")
        elif bot.over:
            said.append(bot.over)
        else:
            said.append("No question is open yet; call next_decision again.")
        return "\n".join(said)

    async def act(self, action: str) -> str:
        """Answer the open question and return what `told` returns; ToolError, and it stays open, if it is not legal."""
        bot = self._playing
        view = await run_sync(bot.question, 0, abandon_on_cancel=True)
        if view is None:
            raise ToolError("no question is open: call next_decision for what is asked")
        texts = {view.text(legal).lower(): legal for legal in view.legal}
        chosen = texts.get(action.strip().lower())
        if chosen is None:
            raise ToolError(f"{action!r} is not legal{did_you_mean(action, texts)}, expected one of {_list(view)}")
        if not bot.answer(chosen):
            raise ToolError("the time of this question is over: call next_decision for what is asked")
        return await self.told()

    @property
    def _playing(self) -> ModelBot:
        if self._bot is None:
            raise ToolError("no match has begun: call play_match")
        return self._bot


def model_server(server: str, token: str) -> MCPServer:
    """Return the server of the protocol, with its tools: for matches in this process, or, with a token, on a server."""
    seat = ModelSeat()
    made = MCPServer("farfalia", instructions=_ARENA if token else _LOCAL, version=__version__, log_level="WARNING")

    @made.tool(structured_output=False)
    def games() -> str:
        """List the games with a line on each."""
        known = short_rules()
        return "\n".join(f"{name}: {known[name].line if name in known else ''}" for name in sorted(GAMES))

    @made.tool(structured_output=False)
    def rules(game: str) -> str:
        """Teach the rules of a game."""
        found = short_rules().get(game)
        if found is None:
            raise ToolError(f"there are no rules of {game!r}{did_you_mean(game, GAMES)}, expected {', '.join(GAMES)}")
        return "\n".join([found.line, *(f"{name}: {text}" for name, text in found.rules)])

    if token:
        seat.connect(server, token)
    else:

        @made.tool(structured_output=False)
        async def play_match(
            game: str = "chinkway",
            opponents: list[str] | None = None,
            options: dict[str, str] | None = None,
            seed: int | None = None,
        ) -> str:
            """Begin a match and return the first question. A match that is being played is given up.

            `opponents` are sample bots (random, greedy, cautious, …), who take the other seats in turn; the same
            `seed` deals the same cards.
            """
            drawn = randbelow(2**32) if seed is None else seed
            seat.match(game, options or {}, ["greedy"] if opponents is None else opponents, drawn)
            return await seat.told()

    @made.tool(structured_output=False)
    async def next_decision() -> str:
        """Return the open question in words, with the legal actions; wait a little if there is none yet."""
        return await seat.told()

    @made.tool(structured_output=False)
    async def act(action: str) -> str:
        """Answer the open question with the text of a legal action, such as S10; return what is asked next."""
        return await seat.act(action)

    return made


def _play(bot: ModelBot, others: Sequence[Bot], seed: int, game: str, options: dict[str, str]) -> None:
    try:
        played = play_locally([bot, *others], seed, game, options)
    except FarfaliaError as error:  # it was given up
        bot.end(str(error))
        return
    outcome = record_pb2.MatchOutcome(points=played.outcome.points, places=played.outcome.places)
    bot.end(f"The match is over. {outcome_words(0, outcome)}")


def _stay(bot: ModelBot, server: str, token: str) -> None:
    try:
        asyncio.run(play(bot, server, token, matches=1, questions=1))
    except FarfaliaError as error:
        bot.end(str(error))


def _time(view: View) -> str:
    left = view.time_left
    if left == float("inf"):
        return ""
    return f"\nTime: {max(left, 0):.0f} s, and then {view.clock.bank_ms / 1000:.0f} s of the bank."


def _list(view: View) -> str:
    return ", ".join(map(view.text, view.legal))
