"""How noisy matches have been on a server, from the tournaments that ended there: what its plans count on.

The strength model of a tournament says how large luck was there, what hands were worth and how much one bot made of one
board, whatever its field was like. From that follows how noisy the score of one match is once equal cards are compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from farfalia.v1 import standings_pb2, tournaments_pb2
from farfalia_engine import ruleset
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_tournaments import NOISES, Noise
from farfalia_tournaments.schedules import Boards

#: Tournaments that are read: the newest of the game.
READ: Final = 5
#: Matches of every row, and all matches with a kind of boards, from which something is measured.
_EACH: Final = 10
_FEWEST: Final = 100
#: Standings shrink strengths a little, and with them their errors: by so much among the sample bots by which the
#: built-in figures were measured.
_SHRUNK: Final = 0.88


@dataclass(frozen=True, slots=True)
class MeasuredNoise:
    """The noise of a game on a server, and from how many matches it is known, by kind of boards; built-in figures stand
    for the others.
    """

    noise: Noise
    matches: Mapping[Boards, int]


def worth_reading(
    listed: Iterable[tournaments_pb2.Tournament], game: str, options: Mapping[str, str]
) -> list[tournaments_pb2.Tournament]:
    """Return the newest tournaments of a list from whose standings the noise of a game with these options is known."""
    chosen = ruleset(game, dict(options)).options
    found = [
        one
        for one in listed
        if one.state == tournaments_pb2.TOURNAMENT_STATE_FINISHED
        and one.ruleset == game
        and one.finished
        and ruleset(one.ruleset, dict(one.options)).options == chosen
    ]
    return found[:READ]


def measured_noise(game: str, tournaments: Sequence[tournaments_pb2.Tournament]) -> MeasuredNoise:
    """Return the noise of a game by these tournaments with their standings; none with stages counts."""
    built_in, kinds = NOISES[game], {number: kind for kind, number in BOARDS.items()}
    squares: dict[Boards, list[tuple[float, int]]] = {}
    for one in tournaments:
        played = [row for row in one.standings if row.matches]
        if not one.stages and one.HasField("strength_model") and min(row.matches for row in played) >= _EACH:
            kind, seats = kinds[one.boards], ruleset(game, dict(one.options)).seats
            tables = max(1, len(played) // seats)
            deviation = _SHRUNK * _deviation(one.strength_model, kind, len(played), seats)
            squares.setdefault(kind, []).append(((deviation / built_in.of(kind, tables)) ** 2, one.finished))
    matches = {kind: sum(number for _, number in own) for kind, own in squares.items()}
    known = {kind: number for kind, number in matches.items() if number >= _FEWEST}
    factors = {
        kind: math.sqrt(sum(square * number for square, number in squares[kind]) / number)
        for kind, number in known.items()
    }
    return MeasuredNoise(built_in.scaled(factors), known)


def _deviation(model: standings_pb2.StrengthModel, kind: Boards, entrants: int, seats: int) -> float:
    """Return the deviation of the score of a match in a field of as many entrants, without a prior."""
    # What a table makes together is no news, nor what the field does.
    shares = seats / (seats - 1) * (entrants - 1) / entrants
    tables, hand = max(1, entrants // seats), model.hand
    if kind is Boards.ROTATIONS:
        left = 1 + kind.replays(seats) * model.block
    else:
        # Each table tells the others what their hands are worth; cards of their own are a part of luck.
        left = (1 + tables * hand) / (1 + (tables - 1) * hand)
    return model.luck * math.sqrt(shares * left)
