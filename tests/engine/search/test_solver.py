"""The double-dummy solver, compared with plain minimax over every legal action."""

from collections.abc import Hashable, Iterator, Sequence
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.conftest import Walk
from tests.engine.games import label, pairwise
from tests.engine.tables import play_until, start
from tests.examples import few

from farfalia_engine import COLLECT_NONE, DealType, FarragoObservation, Kind, State, Unsolvable, ruleset, solve
from farfalia_engine.farfalia.state import FarfaliaState
from farfalia_engine.search.endgame import Objective

TWO_SIDES = [
    (name, variant) for name in ("four", "three", "two") for variant in ({}, {"double_you": "on"}, {"burnin": "on"})
]


def side_to_act(state: State) -> set[int]:
    assert state.pending
    view = state.observation(state.pending.seats[0])
    return {seat for seat, side in zip(view.seats, view.sides, strict=True) if side == view.sides[view.acting]}


def value(state: State, deal: int, own: set[int], objective: str) -> float:
    """What a finished deal is worth to these seats."""
    n = state.rules.seats
    points = state.scores[n * (deal - 1) : n * deal]
    ours = fmean(points[seat] for seat in own)
    return ours if objective == "points" else ours - fmean(points[seat] for seat in range(n) if seat not in own)


def after(state: State, action: int) -> State:
    other = state.clone()
    other.end_with_deal()
    other.apply(action)
    return other


class Minimax:
    """Every legal action is looked at, and nothing is taken to be equal but what is the same card by card."""

    def __init__(self, state: State, objective: str) -> None:
        self.deal, self.own, self.objective = state.deal, side_to_act(state), objective
        self.known: dict[Hashable, float] = {}

    def values(self, state: State) -> dict[int, float]:
        return {action: self.value(after(state, action)) for action in state.legal_actions()}

    def value(self, state: State) -> float:
        if state.pending is None:
            return value(state, self.deal, self.own, self.objective)
        key = self.key(state)
        if key not in self.known:
            values = self.values(state).values()
            self.known[key] = max(values) if side_to_act(state) == self.own else min(values)
        return self.known[key]

    def key(self, state: State) -> Hashable:
        assert state.pending
        n = len(state._hands)
        trick = state.plays[-n:] if state.pending.kind is Kind.COLLECT else state.plays[n * len(state.winners) :]
        past: Sequence[object] = [state.winners.count(position) for position in range(n)]
        if isinstance(state, FarfaliaState):
            past = (*state._missing, *state._covered)
        return (state.pending, state.trumps, bytes(trick), *state._hands, *past)


def cards_left(state: State) -> int:
    return sum(state.observation(0).held)


def ends(states: Iterator[State], most: int, number: int, random: Random) -> Iterator[State]:
    """From each deal `number` decisions of its play at which at most `most` cards are held."""
    deal: list[State] = []
    for state in states:
        if deal and (state.deal != deal[0].deal or state.pending is None):
            yield from random.sample(deal, min(number, len(deal)))
            deal = []
        if state.pending and state.pending.kind in (Kind.PLAY, Kind.COLLECT) and cards_left(state) <= most:
            deal.append(state.clone())


def at_lead(name: str, key: int, cards: int, /, **options: str) -> State:
    """The first trick with at most `cards` cards left in all hands, about to be led."""
    return play_until(
        start(name, key, **options),
        lambda state: bool(state.plays) and cards_left(state) <= cards and not state.observation(0).trick,
        key,
    )


@pytest.mark.parametrize("of_a_deal", [1, pytest.param(3, marks=pytest.mark.prove)])
@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_every_action_has_the_value_that_plain_minimax_finds(
    walk: Walk, game: tuple[str, dict[str, str]], of_a_deal: int
) -> None:
    types = set()
    for number, state in enumerate(ends(walk(1, *game), 12, of_a_deal, Random(12))):
        observation = state.observation(0)
        objective: Objective = "points" if number % 2 else "margin"
        solution = solve(state, objective)
        assert solution.values == pytest.approx(Minimax(state, objective).values(state))
        assert solution.seats == tuple(sorted(side_to_act(state)))
        if isinstance(observation, FarragoObservation):
            types.add(observation.type)
    assert game[0] != "farrago" or types == set(DealType)


@pytest.mark.parametrize(
    "game",
    [
        ("chinkway", {"double_you": "on"}),
        ("two", {}),
        *(pytest.param((name, {}), marks=pytest.mark.prove) for name in ("four", "three", "farrago")),
    ],
    ids=label,
)
def test_it_holds_over_three_tricks_and_more(walk: Walk, game: tuple[str, dict[str, str]]) -> None:
    for state in ends(walk(13, *game), 16, 1, Random(14)):
        assert solve(state).values == pytest.approx(Minimax(state, "margin").values(state))


@pytest.mark.parametrize(
    ("name", "key", "seed", "cards"),
    [("three", 133, 133, 12), ("three", 157, 157, 12), ("two", 3, 3, 12), ("two", 110, 110, 12), ("two", 30, 5, 16)],
)
def test_what_lies_under_a_dummys_cards_counts(name: str, key: int, seed: int, cards: int) -> None:
    """Deals in which equals differ in what they cover, or in what comes up between them."""
    random, state = Random(seed), start(name, key)
    while not (cards_left(state) <= cards and state.pending and state.pending.kind is Kind.PLAY):
        covering = b"".join(state.observation(0).covering)
        legal = state.legal_actions()
        state.apply(random.choice([card for card in legal if card not in covering] or legal))
    assert any(state.observation(0).covering)
    assert solve(state).values == pytest.approx(Minimax(state, "margin").values(state))


@pytest.mark.parametrize("first", [kind for kind in DealType if kind is not DealType.SKINT])
@pytest.mark.parametrize("key", [14, *(pytest.param(key, marks=pytest.mark.prove) for key in (16, 20))])
def test_each_type_of_farrago_is_solved_by_its_own_rule(first: DealType, key: int) -> None:
    order = [first.text, *(kind.text for kind in DealType if kind is not first)]
    state = at_lead("farrago", key, 12, players="3", order=f"listed:{','.join(order)}")
    assert state.observation(0).types[-1] == first
    assert solve(state).values == pytest.approx(Minimax(state, "margin").values(state))


@few
@given(st.sampled_from(TWO_SIDES), st.integers(0, 255))
def test_between_two_sides_what_one_is_ahead_the_other_is_behind_all_along_the_line(
    game: tuple[str, dict[str, str]], key: int
) -> None:
    state = at_lead(game[0], key, 14, **game[1])
    first, own, deal = solve(state), side_to_act(state), state.deal
    for action in first.pv:
        assert state.deal == deal
        now = solve(state)
        assert now.value == pytest.approx(first.value if side_to_act(state) == own else -first.value)
        assert action in now.best
        state.apply(action)
    assert state.deal > deal or state.pending is None
    assert value(state, deal, own, "margin") == pytest.approx(first.value)


@few
@given(st.sampled_from([("chinkway", {}), ("three-short", {}), ("farrago", {"players": "3"})]), st.randoms())
def test_a_side_is_sure_of_the_value_whatever_the_others_do(game: tuple[str, dict[str, str]], random: Random) -> None:
    state = at_lead(game[0], random.randrange(256), 15, **game[1])
    first, own, deal = solve(state), side_to_act(state), state.deal
    while state.pending and state.deal == deal:
        ours = side_to_act(state) == own
        state.apply(random.choice(solve(state).best if ours else state.legal_actions()))
    assert value(state, deal, own, "margin") >= first.value - 1e-9


def test_the_state_stays_as_it_was(walk: Walk) -> None:
    for state in ends(walk(15, "two"), 10, 4, Random(16)):
        observations = [state.observation(seat) for seat in range(2)]
        solve(state)
        assert [state.observation(seat) for seat in range(2)] == observations


def test_the_same_state_has_the_same_solution_variation_and_nodes() -> None:
    """The dealer of Chinkway alone against two pairs, four tricks from the end."""
    solution = solve(at_lead("chinkway", 5, 20))
    text = ruleset("chinkway").text
    assert solution.seats == (0,)
    assert {text(action): value for action, value in solution.values.items()} == {
        "F7": 2.5,
        "O11": 3,
        "O12": 3,
        "O13": 3,
    }
    tricks = "O11 O3 O2 O4 S10 | O12 L2 O8 O7 S4 +S4 | O13 F1 O10 O9 F4 +F1 | F7 F9 F3 L3 F5 +F3"
    assert " ".join(map(text, solution.pv)) == tricks.replace("| ", "")
    assert solution.nodes == 5411


def test_to_decline_a_card_of_the_last_trick_costs_what_the_card_is_worth() -> None:
    state = play_until(
        start("four", 1),
        lambda state: state.pending is not None and state.pending.kind is Kind.COLLECT and cards_left(state) == 0,
        2,
    )
    solution = solve(state, "points")
    *collecting, none = solution.values
    observation = state.observation(solution.seats[0])
    assert none == COLLECT_NONE
    assert solution.values[none] == observation.points(observation.side)
    assert {solution.values[card] for card in collecting} == {solution.value}
    assert solution.value > solution.values[none]
    assert solution.best == tuple(collecting)
    assert solution.pv == (collecting[0],)


def test_there_is_nothing_to_solve_before_the_play_or_after_the_match() -> None:
    with pytest.raises(Unsolvable, match="the decision is DISCARD, expected PLAY or COLLECT"):
        solve(start("chinkway"))
    with pytest.raises(Unsolvable, match="the decision is DOUBLE"):
        solve(start("four", double_you="on"))
    with pytest.raises(Unsolvable, match="the match is over"):
        solve(play_until(start("two"), lambda state: state.pending is None))


def test_a_deal_too_far_from_its_end_is_given_up_at_the_limit() -> None:
    with pytest.raises(Unsolvable, match="too far from its end to be solved within 1000 nodes"):
        solve(start("four"), node_limit=1000)
    state = at_lead("four", 1, 12)
    nodes = solve(state).nodes
    assert solve(state, node_limit=nodes).nodes == nodes
    with pytest.raises(Unsolvable):
        solve(state, node_limit=nodes - 1)


def test_a_node_limit_that_is_no_integer_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^node_limit is True, expected an integer$"):
        solve(start("four"), node_limit=True)


def test_an_unknown_objective_is_named() -> None:
    with pytest.raises(ValueError, match="there is no objective 'tricks', expected one of: margin, points"):
        solve(start("four"), "tricks")  # type: ignore[arg-type]
