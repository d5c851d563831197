"""Lock step against the engine: the same random numbers, the same deals, card by card."""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
import pytest
from tests.clients.drawn_deals import Numbers, begin, numbers_of

from farfalia.learning.lockstep import CHUNK, Simulation, Trace, simulate
from farfalia_engine import BadOption, RulesetError, UnknownRuleset, cards_in
from farfalia_engine.farfalia.state import FarfaliaState

#: Every way to be seated, to open a deal and to count it.
DEALS = [
    ("chinkway", 1, {}),
    ("chinkway", 6, {}),
    ("chinkway", 11, {}),
    ("five-hand", 2, {}),
    ("basic", 3, {}),
    ("four", 1, {}),
    ("four", 7, {"hands": "8"}),
    ("four", 2, {"target": "70"}),
    ("three", 5, {}),
    ("three-short", 1, {}),
    ("three-short", 4, {}),
    ("two", 2, {}),
]
EACH = 60
SEED = 20


def play(state: FarfaliaState, numbers: Numbers) -> int:
    """Play on as the numbers say, and count the decisions."""
    decisions = 0
    while state.pending:
        legal = state.legal_actions()
        state.apply(legal[int(numbers.fraction(state.pending, len(state.winners)) * len(legal))])
        decisions += 1
    return decisions


def plays_in_order(plays: Sequence[Sequence[int]], winners: Sequence[int]) -> list[int]:
    """Cards as they fell, given those by trick and position."""
    leaders = [1, *winners[:-1]]
    return [
        trick[(leader + turn) % len(trick)]
        for trick, leader in zip(plays, leaders, strict=True)
        for turn in range(len(trick))
    ]


@pytest.mark.parametrize(("name", "deal", "options"), DEALS)
def test_every_card_falls_as_in_the_engine(name: str, deal: int, options: dict[str, str]) -> None:
    simulation = simulate(EACH, SEED, name, options, deal=deal, trace=True)
    trace = simulation.trace
    assert trace is not None
    decisions = 0
    for i, numbers in enumerate(numbers_of(SEED, EACH, *trace.plays.shape[1:])):
        state = begin(name, options, deal, numbers)
        decisions += play(state, numbers)
        assert trace.deck[i].tolist() == numbers.cards
        assert trace.trumps[i] == state.trumps
        assert trace.subjects[i].tobytes() == state.subjects
        assert tuple(trace.discarded[i].tolist()) == cards_in(state._discarded)
        assert plays_in_order(trace.plays[i].tolist(), trace.winners[i].tolist()) == list(state.plays)
        assert trace.winners[i].tobytes() == state.winners
        assert trace.collected[i].tobytes() == state.collected
        assert tuple(simulation.points[i].tolist()) == state.scores[-state.rules.seats :]
        assert (simulation.seats, simulation.sides) == (state.observation(0).seats, state.observation(0).sides)
    assert simulation.decisions == decisions


def test_collections_that_fill_up_trumps_and_declining_all_come_up() -> None:
    trace = traced(simulate(EACH, SEED, trace=True))
    assert set(trace.trumps.tolist()) == {1, 2, 3, 4, 5}
    assert {254, 255} < set(trace.collected.reshape(-1).tolist())
    assert {0, 15} < set(simulate(CHUNK, SEED).points.reshape(-1).tolist())


def test_what_is_discarded_is_ascending_and_never_played() -> None:
    for name, deal, each in (("chinkway", 1, 2), ("three-short", 4, 1), ("three-short", 1, 0)):
        trace = traced(simulate(EACH, SEED, name, deal=deal, trace=True))
        assert trace.discarded.shape == (EACH, each)
        assert (np.diff(trace.discarded.astype(int)) > 0).all()
        cards = np.concatenate([trace.discarded, trace.plays.reshape(EACH, -1)], axis=1)
        assert (np.sort(cards) == np.arange(52)).all()


def test_fewer_deals_are_the_first_of_more_however_many_are_played_at_once() -> None:
    many = simulate(CHUNK + 10, 3, trace=True)
    few = simulate(20, 3, trace=True)
    assert (many.points[:20] == few.points).all()
    assert (traced(many).plays[:20] == traced(few).plays).all()
    assert (many.points[-10:] != many.points[:10]).any()


def test_a_trace_changes_nothing_else() -> None:
    with_trace, without = simulate(100, 4, trace=True), simulate(100, 4)
    assert without.trace is None
    assert (with_trace.points == without.points).all()
    assert with_trace.decisions == without.decisions


def test_a_seed_always_gives_the_same_deals() -> None:
    simulation = simulate(1000, 7, trace=True)
    trace = traced(simulation)
    assert sha256(trace.deck.tobytes()).hexdigest()[:16] == "60b7442de985e84b"
    assert sha256(trace.plays.tobytes()).hexdigest()[:16] == "6e5d38d4968703c8"
    assert simulation.points.sum(axis=0).tolist() == [2232, 5266, 5266, 5185, 5185]


def test_the_arrays_are_of_the_documented_types() -> None:
    simulation = simulate(3, 0, "two", trace=True)
    trace = traced(simulation)
    assert simulation.points.dtype == np.int16
    assert simulation.points.shape == (3, 2)
    shapes = {field: getattr(trace, field).shape for field in Trace.__dataclass_fields__}
    assert shapes == {
        "deck": (3, 52),
        "discarded": (3, 0),
        "trumps": (3,),
        "subjects": (3, 5),
        "plays": (3, 13, 4),
        "winners": (3, 13),
        "collected": (3, 13),
    }
    assert {getattr(trace, field).dtype for field in shapes} == {np.dtype(np.uint8)}


def test_what_cannot_be_simulated_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"^0 deals cannot be simulated, expected at least 1$"):
        simulate(0, 1)
    with pytest.raises(ValueError, match=r"^seed -1 is negative, expected 0 or more$"):
        simulate(1, -1)
    with pytest.raises(ValueError, match=r"^chinkway has no deal 12, expected 1 to 11$"):
        simulate(1, 1, deal=12)
    with pytest.raises(ValueError, match=r"^four has no deal 0, expected 1 to 100$"):
        simulate(1, 1, "four", {"target": "50"}, deal=0)
    with pytest.raises(ValueError, match=r"^chinkway has no deal 1\.5, expected 1 to 11$"):
        simulate(1, 1, deal=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^chinkway has no deal True, expected 1 to 11$"):
        simulate(1, 1, deal=True)
    with pytest.raises(TypeError, match=r"^n is True, expected an integer$"):
        simulate(True, 1)
    with pytest.raises(TypeError, match=r"^n is 1\.5, expected an integer$"):
        simulate(1.5, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^seed is None, expected an integer$"):
        simulate(1, None)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="chinkway is played in lock step without wild cards"):
        simulate(1, 1, options={"burnin": "on"})
    with pytest.raises(BadOption, match="three is played in lock step without wild cards"):
        simulate(1, 1, "three", {"double_you": "on"})
    with pytest.raises(RulesetError, match="farrago is not played in lock step, expected one of: basic, chinkway, "):
        simulate(1, 1, "farrago")
    with pytest.raises(UnknownRuleset, match="there is no game 'whist'"):
        simulate(1, 1, "whist")


def traced(simulation: Simulation) -> Trace:
    assert simulation.trace is not None
    return simulation.trace
