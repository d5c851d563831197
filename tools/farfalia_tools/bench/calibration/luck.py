"""The luck of matches in `farfalia bench calibration`: drawn with measured variances, or taken from real matches."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from statistics import fmean
from typing import Final, Protocol

from farfalia import Bot, bots
from farfalia_engine import Deals, Ruleset, ruleset
from farfalia_tournaments import Match

#: Standard deviation of a score less the mean of its table, and the shares of its variance that belong to the hand and
#: to what a bot makes of a board; the rest is the match's own. Measured with 800 matches of sample bots, 160 boards in
#: five rotations.
_DEVIATION: Final = 13.3
_HAND, _BOT_AND_BOARD = 0.65, 0.03
#: Seats of the game that is played.
SEATS: Final = 5
#: Boards of a bank, each played in five rotations.
BOARDS: Final = 40

#: Points by seat.
Points = Sequence[float]


class Luck(Protocol):
    """Luck for the matches of a tournament."""

    def of(self, matches: Sequence[Match]) -> list[Points]:
        """Return the luck of each match by seat, in points; those with equal boards have equal cards."""


class DrawnLuck:
    """Luck whose three parts are normal, each with the variance that real matches have."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def of(self, matches: Sequence[Match]) -> list[Points]:
        """Return the luck of each match by seat."""
        # A score less the mean of its table has (k - 1) / k of a seat's own variance.
        alone = _DEVIATION**2 * SEATS / (SEATS - 1)
        hand, board = math.sqrt(_HAND * alone), math.sqrt(_BOT_AND_BOARD * alone)
        rest = math.sqrt((1 - _HAND - _BOT_AND_BOARD) * alone)
        gauss = self._random.gauss
        hands: dict[tuple[str, int], float] = {}
        boards: dict[tuple[str, int | None], float] = {}
        found: list[Points] = []
        for match in matches:
            points = []
            for seat, entrant in enumerate(match.entrants):
                if (match.board, seat) not in hands:
                    hands[match.board, seat] = gauss(0, hand)
                if (match.board, entrant) not in boards:
                    boards[match.board, entrant] = gauss(0, board)
                points.append(hands[match.board, seat] + boards[match.board, entrant] + gauss(0, rest))
            found.append(points)
        return found


@dataclass(frozen=True, slots=True)
class PlayedBank:
    """Real matches of five bots: on each board, with the seats rotated five times, the points by bot."""

    names: tuple[str, ...]
    boards: tuple[tuple[tuple[int, ...], ...], ...]

    @property
    def strengths(self) -> tuple[float, ...]:
        """What each bot makes on average less the mean of its table; bots of the same name share it."""
        alone = [
            fmean(points[bot] - fmean(points) for board in self.boards for points in board) for bot in range(SEATS)
        ]
        return tuple(
            fmean(one for one, other in zip(alone, self.names, strict=True) if other == name) for name in self.names
        )


class PlayedLuck:
    """The luck of real matches: what the bots of a bank made on a board beyond their strength.

    At most five tables can share a board, since it was played five times.
    """

    def __init__(self, bank: PlayedBank, random: Random) -> None:
        self._bank, self._random, self._strengths = bank, random, bank.strengths

    def of(self, matches: Sequence[Match]) -> list[Points]:
        """Return the luck of each match by seat, a board of the bank for each of theirs."""
        boards: dict[str, tuple[int, list[int]]] = {}
        found: list[Points] = []
        for match in matches:
            if match.board not in boards:
                boards[match.board] = (
                    self._random.randrange(len(self._bank.boards)),
                    self._random.sample(range(SEATS), SEATS),
                )
            board, rotations = boards[match.board]
            rotation = rotations.pop()
            points = self._bank.boards[board][rotation]
            # In rotation r, seat s was bot s - r's.
            seated = [(seat - rotation) % SEATS for seat in range(SEATS)]
            found.append([points[bot] - self._strengths[bot] for bot in seated])
        return found


#: The bots of the banks: two that are alike in each, and in the second one that is far behind.
BANKS: Final = (
    ("greedy", "cautious", "greedy 20 %", "cautious 20 %", "greedy"),
    ("greedy", "cautious", "greedy", "cautious", "random"),
)


def play_board(names: Sequence[str], seed: str) -> tuple[tuple[int, ...], ...]:
    """Play a board of Chinkway in five rotations and return the points of each by bot."""
    random = Random(seed)
    key, rules = random.randbytes(32), _rules()
    found = []
    for rotation in range(SEATS):
        seated = [(seat - rotation) % SEATS for seat in range(SEATS)]
        points = _play(rules, key, [names[bot] for bot in seated], random)
        found.append(tuple(points[seated.index(bot)] for bot in range(SEATS)))
    return tuple(found)


@cache
def _rules() -> Ruleset:
    return ruleset("chinkway")


def _play(rules: Ruleset, key: bytes, names: Sequence[str], random: Random) -> tuple[int, ...]:
    """Return the points by seat; `greedy 20 %` is greedy but for one decision in five, which is any legal one."""
    state = rules.new_match(Deals(key))
    bots_by_seat: list[Bot] = []
    errors: list[float] = []
    for name in names:
        kind, _, rate = name.partition(" ")
        bots_by_seat.append(bots.create(kind, random.getrandbits(32)))
        errors.append(float(rate.removesuffix(" %") or 0) / 100)
    while (pending := state.pending) is not None:
        seat = pending.seats[0]
        legal = state.legal_actions()
        if len(legal) == 1:
            state.apply(legal[0])
        elif random.random() < errors[seat]:
            state.apply(random.choice(legal))
        else:
            state.apply(bots_by_seat[seat].decide(state.observation(seat)))
    assert state.outcome is not None
    return state.outcome.points
