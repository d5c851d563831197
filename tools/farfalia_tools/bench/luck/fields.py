"""Fields of bots for `farfalia bench luck`: sample bots, some of which err, in real matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final

from farfalia import bots
from farfalia.bot import Bot
from farfalia_engine import Deals, Kind, Ruleset

#: A sample bot by its name, the share of cards that it plays and collects at random, and its iterations if it searches.
Player = tuple[str, float, int]


def _player(name: str, errors: float = 0.0, iterations: int = 0) -> Player:
    return name, errors, iterations


#: What the value function is fitted on.
FIT_FIELD: Final = (
    *(_player("greedy", errors) for errors in (0.0, 0.1, 0.2)),
    *(_player("cautious", errors) for errors in (0.0, 0.0, 0.1, 0.2, 0.4)),
    _player("random"),
)
#: What it is tried on: ten entrants each.
FIELDS: Final[Mapping[str, tuple[Player, ...]]] = {
    "even": tuple(_player(name, errors) for name in ("greedy", "cautious") for errors in (0.0, 0.0, 0.1, 0.1, 0.2)),
    "lopsided": (*(_player(name) for name in ("greedy", "cautious") for _ in range(4)), *(_player("random"),) * 2),
    "graded": tuple(_player("cautious", 0.6 * worse / 9) for worse in range(10)),
    "searching": (
        *(_player("flat-monte-carlo", iterations=iterations) for iterations in (5, 10, 20, 20, 40)),
        *(_player("cautious"),) * 5,
    ),
}
_ERRING: Final = frozenset((Kind.PLAY, Kind.COLLECT))


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match: who sat where, by number in the field, the key of its board, and the points of each deal."""

    seated: tuple[int, ...]
    key: bytes
    deals: tuple[tuple[int, ...], ...]

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat."""
        return tuple(map(sum, zip(*self.deals, strict=True)))


def play_match(rules: Ruleset, field: Sequence[Player], seated: Sequence[int], key: bytes, seed: str) -> PlayedMatch:
    """Play one match; the seed decides on errors and searches."""
    random = Random(seed)
    players: list[tuple[Bot, float]] = []
    for entrant in seated:
        name, errors, iterations = field[entrant]
        bot_seed = random.getrandbits(32)
        players.append((bots.create(name, bot_seed, iterations=iterations or None), errors))
    state = rules.new_match(Deals(key))
    while (pending := state.pending) is not None:
        seat = pending.seats[0]
        legal = state.legal_actions(seat)
        bot, errors = players[seat]
        if len(legal) == 1:
            action = legal[0]
        elif pending.kind in _ERRING and random.random() < errors:
            action = legal[int(random.random() * len(legal))]
        else:
            action = bot.decide(state.observation(seat))
        state.apply(action, seat)
    assert state.outcome is not None
    return PlayedMatch(tuple(seated), key, state.outcome.deals)


def play_fit(rules: Ruleset, numbers: Sequence[int], seed: str) -> list[PlayedMatch]:
    """Play matches of the field that the value function is fitted on, each at a random table with its own cards."""
    played = []
    for number in numbers:
        name = f"{seed}/fit/{rules.name}/{number}"
        seated = Random(name).sample(range(len(FIT_FIELD)), rules.seats)
        played.append(play_match(rules, FIT_FIELD, seated, sha256(name.encode()).digest(), name))
    return played
