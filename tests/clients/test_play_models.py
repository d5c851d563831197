"""Models of how others play: what cards say about worlds and players, and how players go on."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from farfalia.bots import create
from farfalia.bots.cautious import CautiousBot
from farfalia.learning.likelihood import evidence_of
from farfalia.learning.likely_worlds import LikelyWorlds, likely_worlds, whims_in
from farfalia.learning.lockstep_policy import Whims
from farfalia.learning.lockstep_worlds import table_now
from farfalia.learning.play_models import PLAY_MODELS, PlayEvidence, log_chances
from farfalia.learning.world_values import values_in
from farfalia_engine import Deals, Kind, Observation, State, ruleset


def late(name: str, bot: str, cards: int) -> tuple[State, Observation]:
    """A position late in a deal that this bot has played, and what the seat sees that is to play there."""
    state, player = ruleset(name).new_match(Deals(bytes(32))), create(bot, 3)
    while state.pending and (len(state.plays) < cards or state.pending.kind is not Kind.PLAY):
        seat = state.pending.seats[0]
        state.apply(player.decide(state.observation(seat)), seat)
    assert state.pending
    return state, state.observation(state.pending.seats[0])


def test_a_model_takes_a_card_the_more_often_the_better_it_looks() -> None:
    values = np.array([[0.0, 1.0], [-0.3, 1.0], [-np.inf, 0.4]])
    choices = np.array([2, 3])
    chances = np.exp([log_chances(values, np.full(2, index), choices) for index in range(2)])
    for number, model in enumerate(PLAY_MODELS):
        one = (1 - model.any) / (1 + math.exp(-0.3 / model.soft)) + model.any / 2
        assert chances[:, number, 0] == pytest.approx([one, 1 - one])
        equal = (1 - model.any) / (2 + math.exp(-0.6 / model.soft)) + model.any / 3
        assert chances[:, number, 1] == pytest.approx([equal, equal])


def test_a_world_is_as_likely_as_the_mixture_of_all_models_for_each_player() -> None:
    opening = np.log([0.8, 0.05])
    evidence = PlayEvidence(opening, 2)
    likely = np.array([[0.9, 0.2], [0.4, 0.3]])  # by model and world
    evidence.add(0, np.log(likely))
    evidence.add(0, np.log(likely))
    evidence.add(1, np.log(likely[::-1]))
    priors = np.array([[model.prior] for model in PLAY_MODELS])
    expected = np.exp(opening) * (priors * likely**2).sum(axis=0) * (priors * likely[::-1]).sum(axis=0)
    assert np.exp(evidence.log_likelihood) == pytest.approx(expected)
    posterior = priors * likely**2
    assert evidence.models[:, 0] == pytest.approx(posterior / posterior.sum(axis=0))
    assert evidence.models.sum(axis=0) == pytest.approx(np.ones((2, 2)))


@pytest.mark.parametrize("name", ["chinkway", "four", "three-short"])
def test_players_are_taken_for_what_they_are(name: str) -> None:
    for number, bot in enumerate(("cautious", "random")):
        state, view = late(name, bot, 30)
        models = evidence_of(view, [state]).models[number, :, 0]
        others = [position for position in range(len(view.seats)) if position not in (view.position, *view.dummies)]
        assert np.mean(models[others]) > 0.75


def drawn(view: Observation, seed: int) -> tuple[LikelyWorlds, Whims | None]:
    random = Random(seed)
    likely = likely_worlds(view, random, 20)
    return likely, whims_in(view, likely, random)


@pytest.mark.parametrize("name", ["four", "two", "farrago"])
def test_others_have_whims_as_they_have_played_and_this_seat_has_none(name: str) -> None:
    _, view = late(name, "random", 24)
    likely, whims = drawn(view, 1)
    assert whims is not None
    own = [position for position, seat in enumerate(view.seats) if seat == view.seat]
    assert not whims.scale[own].any()
    others = [position for position in range(len(view.seats)) if position not in own]
    assert np.mean(whims.scale[others] == PLAY_MODELS[1].whim) > 0.8
    assert whims.scale.shape == (len(view.seats), len(likely.worlds))
    for dummy in view.dummies:
        assert (whims.scale[dummy] == whims.scale[view.seats.index(view.seats[dummy])]).all()
    again = drawn(view, 1)[1]
    assert again is not None
    assert (again.liking == whims.liking).all()


def test_players_who_are_all_cautious_have_no_whims() -> None:
    state, view = late("four", "cautious", 24)
    sure = np.zeros((len(PLAY_MODELS), len(view.seats), 1))
    sure[0] = 1
    assert whims_in(view, LikelyWorlds([state], np.ones(1), sure), Random(1)) is None


def test_whims_change_what_is_played_and_the_same_in_all_actions() -> None:
    state, view = late("chinkway", "cautious", 10)
    count, base = 50, CautiousBot()
    worlds = [state] * count
    liking = np.random.default_rng(1).gumbel(size=(64, count))
    calm, restless = (Whims(np.full((len(view.seats), count), scale), liking) for scale in (0.0, 2.0))
    plain = values_in(view, worlds, view.legal, base)
    assert (values_in(view, worlds, view.legal, base, calm) == plain).all()
    assert len({*table_now(view, worlds).play_out(restless)[0].tolist()}) > 1
    together = values_in(view, worlds, view.legal, base, restless)
    assert together[1] == pytest.approx(values_in(view, worlds, view.legal[1:2], base, restless)[0])
