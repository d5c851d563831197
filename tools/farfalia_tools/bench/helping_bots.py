"""Bots of all sorts, as strangers bring them, two of which may help each other, and their matches, played out."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from farfalia.bot import Bot
from farfalia.bots import create
from farfalia.bots.cautious import CautiousBot
from farfalia.bots.farfalia_estimates import TrickEstimate
from farfalia.view import View
from farfalia_engine import (
    RANK,
    WILD,
    Cause,
    Deals,
    DealSource,
    FarfaliaObservation,
    Observation,
    Record,
    RecordedAction,
    TimeControl,
    __version__,
    play_to_end,
    ruleset,
)

#: How much a point of another side is worth to a cautious bot.
_OTHERS: Final = -0.5


@dataclass(frozen=True, slots=True)
class Temper:
    """How a bot differs from `cautious`.

    `others` is what a point of another side is worth to it, `kept` how dear its cards are to it, `leader` what a point
    of the side with the most points is worth more, `careless` the share of cards that it plays at random.
    """

    others: float = _OTHERS
    kept: float = 1.0
    leader: float = 0.0
    careless: float = 0.0


class TemperedBot(CautiousBot):
    """A cautious bot of another temper, which may have a friend at the table: `seat` is where, `worth` its points'."""

    def __init__(self, temper: Temper, seed: int = 0, seat: int | None = None, worth: float = 0.0) -> None:
        self._temper, self._random = temper, random.Random(seed)
        self._seat, self._worth = seat, worth

    def play(self, view: Observation) -> int:
        """Return the card that is worth most to it and, at this price, to its friend."""
        if not isinstance(view, FarfaliaObservation):
            return super().play(view)
        cards = [card for card in view.legal if card < WILD]
        if self._random.random() < self._temper.careless:
            return self._random.choice(cards)
        trick, weights = TrickEstimate(view), self._weights(view)

        def value(card: int) -> float:
            gains = zip(trick.gains(card), weights, strict=True)
            return sum(gain * weight for gain, weight in gains) - self._temper.kept * trick.kept(card)

        return max(cards, key=value)

    def _weights(self, view: FarfaliaObservation) -> list[float]:
        weights = [self._temper.others for _ in range(max(view.sides) + 1)]
        if self._temper.leader and any(view.totals):
            best = max(range(len(view.seats)), key=lambda place: view.totals[view.seats[place]])
            weights[view.sides[best]] += self._temper.leader
        if self._seat is not None and self._seat in view.seats:
            weights[view.sides[view.seats.index(self._seat)]] = self._worth
        weights[view.sides[view.acting]] = 1.0
        return weights


class _RankBot(CautiousBot):
    """Plays the card of lowest rank, or of highest, as first bots do."""

    def __init__(self, sign: int) -> None:
        self._sign = sign

    def play(self, view: Observation) -> int:
        return max(view.legal, key=lambda card: self._sign * RANK[card] if card < WILD else -100)


#: Makes a bot from a seed, with a friend at a seat and what the friend's points are worth to it, if it helps anybody.
Maker = Callable[[int, int | None, float], Bot]

_RULES: Final = ruleset("chinkway")
_CONTROL: Final = TimeControl(limit_ms=1_000, bank_ms=0, grace=0)


def played(bots: Sequence[Bot], board_key: bytes) -> Record:
    """Return the record of a match of Chinkway between these bots."""
    state = _RULES.new_match(Deals(board_key))

    def decider(bot: Bot) -> Callable[[Observation], int]:
        return lambda observation: bot.decide(View.of(observation, 1, 1))

    actions = [
        RecordedAction(seat, action, 0, 0, Cause.FORCED if forced else Cause.BOT)
        for seat, action, forced in play_to_end(state, list(map(decider, bots)))
    ]
    return Record(
        engine=__version__,
        match=1,
        ruleset=_RULES.name,
        seats=(),
        source=DealSource(bytes(32), (), "board", board_key, value_function=_RULES.value_function),
        time_control=_CONTROL,
        actions=tuple(actions),
        outcome=state.outcome,
        started_ms=1,
        finished_ms=2,
    )


def field(rng: random.Random, entrants: int) -> list[Maker]:
    """Draw the bots of a field: the first two could help each other, and the others are of all sorts."""

    def tempered(temper: Temper) -> Maker:
        return lambda seed, seat, worth: TemperedBot(temper, seed, seat, worth)

    def plain(name: str) -> Maker:
        return lambda seed, seat, worth: create(name, seed)

    def ranked(sign: int) -> Maker:
        return lambda seed, seat, worth: _RankBot(sign)

    def drawn() -> Maker:
        return tempered(
            Temper(
                others=rng.choice((-1.0, -0.5, -0.2, 0.0)),
                kept=rng.choice((0.3, 0.7, 1.0, 1.5)),
                leader=rng.choice((0.0, 0.0, -0.5)),
                careless=rng.choice((0.0, 0.0, 0.1, 0.3)),
            )
        )

    sorts: Sequence[Maker] = (plain("random"), plain("greedy"), plain("cautious"), ranked(1), ranked(-1))
    return [
        tempered(Temper()),
        tempered(Temper(careless=0.05)),
        *sorts,
        *(drawn() if rng.random() < 0.7 else rng.choice(sorts) for _ in range(entrants - 2 - len(sorts))),
    ]
