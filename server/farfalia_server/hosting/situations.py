"""Decisions that a program is asked to make when it is examined, taken from matches between house bots."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from farfalia_engine import GAMES, Deals, Kind, Observation, Ruleset, ruleset
from farfalia_server.records.house_bot import HouseBot

#: The house bot that plays the other seats.
OPPONENT: Final = "random"
#: Of the decisions of a kind after the first, the share that is taken: they are not all of the same deal.
_SHARE: Final = 0.2
#: Options with which a game is played besides its default ones. `_BY_GAME` has those of one game alone.
_COMMON: Final = ({"double_you": "on"}, {"burnin": "on"})
_BY_GAME: Final[Mapping[str, tuple[dict[str, str], ...]]] = {
    "four": ({"hands": "8"}, {"target": "70"}),
    "farrago": (
        {"players": "3"},
        {"players": "5", "order": "random"},
        {"players": "5", "pack": "five-hundred"},
    ),
}


@dataclass(frozen=True, slots=True)
class Situation:
    """A decision to make: what the seat of a match sees, and what it may do."""

    rules: Ruleset
    match: int
    seat: int
    kind: Kind
    view: Observation
    legal: tuple[int, ...]

    @property
    def text(self) -> str:
        """What is decided, and where."""
        options = ", ".join(f"{name}={value.partition(',')[0]}" for name, value in self.rules.options.items())
        return f"{self.rules.name}{f' with {options}' if options else ''} ({self.kind.name.lower()})"


def variants(game: str) -> list[Ruleset]:
    """Return a game with its default options, and with others of which each option has one."""
    known = GAMES[game].options
    common = (options for options in _COMMON if options.keys() <= known.keys())
    return [ruleset(game), *(ruleset(game, options) for options in (*common, *_BY_GAME.get(game, ())))]


def situations(rules: Ruleset, of_a_kind: int = 2, matches: int = 3) -> list[Situation]:
    """Return decisions of each kind in a game, so many of each at most, from so many matches; the same each time."""
    found: list[Situation] = []
    counts: dict[Kind, int] = {}
    for number in range(matches):
        chance = random.Random(number)
        for situation in decisions(rules, number):
            count = counts.get(situation.kind, 0)
            if count < of_a_kind and (not count or chance.random() < _SHARE):
                counts[situation.kind] = count + 1
                found.append(situation)
    return found


def decisions(rules: Ruleset, number: int) -> Iterator[Situation]:
    """Yield the decisions of all seats in a match between house bots; the number chooses its cards."""
    deals = Deals(sha256(b"farfalia situations %d" % number).digest())
    house = HouseBot(OPPONENT, deals)
    state, actions = rules.new_match(deals), 0
    while (pending := state.pending) is not None:
        seat, legal = pending.seats[0], state.legal_actions()
        view = state.observation(seat)
        if len(legal) > 1:
            yield Situation(rules, number, seat, pending.kind, view, tuple(legal))
        state.apply(house.decide(view, seat, actions) if len(legal) > 1 else legal[0], seat)
        actions += 1
