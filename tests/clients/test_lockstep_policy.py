"""Positions that are played on in lock step as cautious plays: card for card what the bot does in the engine."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from tests.engine.games import ALL, label

from farfalia.bots import create
from farfalia.learning.likelihood import evidence_of
from farfalia.learning.lockstep_worlds import table_now
from farfalia_engine import Deals, Kind, Observation, State, ruleset

#: Options that change what is played or who sits where, one match of each; wild cards are not played in lock step.
GAMES = [
    (name, options)
    for name, options in ALL
    if options.keys().isdisjoint(("burnin", "double_you", "order", "hands", "target"))
]


def positions(name: str, options: dict[str, str], err: float, deals: int) -> Iterator[tuple[State, Observation]]:
    """Positions of deals in which cautious plays and sometimes anything else is played: a card, with a choice."""
    rules, random, bot = ruleset(name, options), Random(f"{name} {options}"), create("cautious")
    for deal in range(1, deals + 1):
        state = rules.new_match(Deals(random.randbytes(32)), min(deal, rules.last_deal))
        state.end_with_deal()
        while state.pending:
            seat = state.pending.seats[0]
            legal = state.legal_actions(seat)
            if state.pending.kind is Kind.PLAY and len(legal) > 1:
                yield state, state.observation(seat)
            strange = random.random() < err
            state.apply(random.choice(legal) if strange else bot.decide(state.observation(seat)), seat)


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_a_table_plays_the_cards_of_cautious(game: tuple[str, dict[str, str]]) -> None:
    name, options = game
    bot = create("cautious")
    for state, view in positions(name, options, 0.2, 10 if name == "farrago" else 2):
        cards, values = table_now(view, [state, state]).values()
        best = cards[values.argmax(axis=0), [0, 1]].tolist()
        assert best == [bot.decide(view)] * 2


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_a_table_comes_to_the_points_of_a_deal_that_cautious_plays_on(game: tuple[str, dict[str, str]]) -> None:
    name, options = game
    for number, (state, view) in enumerate(positions(name, options, 0.1, 2)):
        if number % 7 == 0:
            points = table_now(view, [state]).play_out()[:, 0]
            sides = [view.sides[view.seats.index(seat)] for seat in range(view.rules.seats)]
            assert [int(points[side]) for side in sides] == list(played_on(state))


def played_on(state: State) -> tuple[int, ...]:
    """The points of the deal if cautious plays on in the engine."""
    bot, after = create("cautious"), state.clone()
    while after.pending:
        seat = after.pending.seats[0]
        after.apply(bot.decide(after.observation(seat)), seat)
    return after.scores[-state.rules.seats :]


@pytest.mark.parametrize("name", ["chinkway", "four", "two", "farrago"])
def test_what_others_did_makes_the_true_cards_likelier(name: str) -> None:
    random, ahead = Random(name), []
    for number, (state, view) in enumerate(positions(name, {}, 0.0, 3)):
        if number % 5 == 4:
            likelihood = evidence_of(view, [state, *(view.sample(random) for _ in range(40))]).log_likelihood
            ahead.append(float(likelihood[0] - np.mean(likelihood[1:])))
    assert np.mean(ahead) > 1
    assert np.mean(np.array(ahead) > 0) > 0.7
