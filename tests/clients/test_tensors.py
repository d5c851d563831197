"""Tensors say what observations say: field by field, and nothing is lost or added."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.engine.games import ALL, label, pairwise

from farfalia.learning.tensor_layout import tensor_layout
from farfalia.learning.tensors import action_count, action_mask, observation_size, observation_tensor
from farfalia.view import View
from farfalia_engine import DECLINED, GAMES, Deals, Kind, Observation, State, ruleset

Game = tuple[str, dict[str, str]]

PAGE = Path(__file__).parents[2] / "docs/learning.md"


def walk(game: Game, seed: int) -> Iterator[State]:
    """The states of a match that is played at random."""
    random = Random(seed)
    state = ruleset(*game).new_match(Deals(random.randbytes(32)))
    while state.pending:
        yield state
        seat = random.choice(state.pending.seats)
        state.apply(random.choice(state.legal_actions(seat)), seat)
    yield state


def spelled(observation: Observation) -> dict[str, set[tuple[int, ...]]]:
    """By field the row and the place of every one, computed from the field's meaning alone; points left out."""
    n, m, me = len(observation.seats), observation.rules.seats, observation.position

    def around(position: int) -> int:
        return (position - me) % n

    def seat(other: int) -> int:
        return (other - observation.seat) % m

    plays = [(trick, around(leader + step), card) for trick, leader, step, card in played(observation)]
    ones: dict[str, set[tuple[int, ...]]] = {
        "hand": {(0, card) for card in observation.hand},
        "played_by": {(place, card) for _, place, card in plays},
        "played_in": {(trick, card) for trick, _, card in plays},
        "trick": {
            (place, card) for trick, place, card in plays if observation.trick and trick == len(observation.leaders) - 1
        },
        "won": {(around(winner), trick) for trick, winner in enumerate(observation.winners)},
        "leader": set() if observation.leader is None else {(0, around(observation.leader))},
        "trumps": {(0, observation.trumps)},
        "kind": set() if observation.kind is None else {(0, observation.kind - 1)},
        "place": {(0, me)},
    }
    if observation.rules.name == "farrago":
        ones["types"] = {(0, kind - 1) for kind in observation.types[: observation.deal - 1]}
        ones["type"] = {(0, kind - 1) for kind in observation.types[observation.deal - 1 :]}
        ones["bars"] = set(enumerate(observation.bars))
        ones["shown"] = {(around(position), card) for position, card in enumerate(observation.shown)}
        ones["choice"] = {(0, observation.choice - 96)} if observation.choice else set()
        return ones
    fates = [{254: 1, 255: 2}.get(card, 0) for card in observation.collected]
    pairs = [(one, two) for one in range(n) for two in range(n)]
    dummies = sorted(zip(map(around, observation.dummies), observation.face_up, observation.covering, strict=True))
    return ones | {
        "discarded": {(0, card) for card in observation.discarded},
        "collected": {
            (around(position), card)
            for position, card in zip(observation.winners, observation.collected, strict=False)
            if card < 52
        },
        "fate": {(fate, trick) for trick, fate in enumerate(fates)},
        "subjects": set(enumerate(observation.subjects)),
        "face_up": {(number, card) for number, (_, cards, _) in enumerate(dummies) for card in cards},
        "covering": {(number, card) for number, (_, _, cards) in enumerate(dummies) for card in cards},
        "dummies": {(0, place) for place, _, _ in dummies},
        "acting": set() if observation.kind is None else {(0, around(observation.acting))},
        "wilds": {(seat(other), left) for other, left in enumerate(observation.wilds)},
        "doubled": {(0, seat(other)) for other in observation.doubled},
        "choice": {(0, observation.choice - 125)} if observation.choice else set(),
        "seats": {(around(position), seat(other)) for position, other in enumerate(observation.seats)},
        "sides": {(around(one), around(two)) for one, two in pairs if observation.sides[one] == observation.sides[two]},
    }


def played(observation: Observation) -> Iterator[tuple[int, int, int, int]]:
    """Trick, leader, how many have played before, and the card."""
    n = len(observation.seats)
    for number, card in enumerate(observation.plays):
        yield number // n, observation.leaders[number // n], number % n, card


def told(observation: Observation) -> tuple[Any, ...]:
    """All that a seat knows, but for the order of types that are past, and for how many cards others hold."""
    past = sorted(observation.types[: observation.deal - 1])
    return (
        observation.seat,
        repr(replace(observation, types=bytes(past) + observation.types[observation.deal - 1 :], held=b"", legal=())),
    )


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_every_field_holds_what_it_is_described_to_hold(game: Game) -> None:
    layout = tensor_layout(ruleset(*game))
    random = Random(1)
    for state in walk(game, 1):
        if random.random() < 0.6:
            continue
        observation = state.observation(random.randrange(state.rules.seats))
        tensor = observation_tensor(observation)
        fields = {name: tensor[field.slice].reshape(field.shape) for name, field in layout.fields.items()}
        assert fields.pop("deal").item() == np.float32(observation.deal / 10)
        turned = [(observation.seat + step) % state.rules.seats for step in range(state.rules.seats)]
        assert fields.pop("totals")[0] == pytest.approx([observation.totals[seat] / 100 for seat in turned])
        scores = fields.pop("scores", None)
        if scores is not None:
            known = [[points / 100 for points in observation.scores[seat :: state.rules.seats]] for seat in turned]
            assert scores.shape == (state.rules.seats, observation.deals)
            assert scores[:, : len(known[0])] == pytest.approx(np.array(known))
            assert not scores[:, len(known[0]) :].any()
        expected = spelled(observation)
        assert {name: set(map(tuple, np.argwhere(field == 1).tolist())) for name, field in fields.items()} == {
            name: expected[name] for name in fields
        }
        assert not any(ones for name, ones in expected.items() if name not in {*fields, "acting"})
        assert sum(field.sum() for field in fields.values()) == sum(len(expected[name]) for name in fields)


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_tensors_are_equal_if_and_only_if_a_seat_knows_the_same(game: Game) -> None:
    tensors: dict[tuple[int, bytes], set[tuple[Any, ...]]] = {}
    knowledge = set()
    for state in walk(game, 2):
        for seat in (0, 1):
            observation = state.observation(seat)
            known = told(observation)
            tensors.setdefault((seat, observation_tensor(observation).tobytes()), set()).add(known)
            knowledge.add(known)
    assert [several for several in tensors.values() if len(several) > 1] == []
    assert len(tensors) == len(knowledge)


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_worlds_that_a_seat_cannot_tell_apart_have_one_tensor(game: Game) -> None:
    random = Random(4)
    for state in walk(game, 4):
        if state.pending and random.random() < 0.2:
            seat = state.pending.seats[0]
            observation = state.observation(seat)
            determinizations = [observation.sample(random).observation(seat) for _ in range(3)]
            assert all(
                np.array_equal(observation_tensor(determinization), observation_tensor(observation))
                for determinization in determinizations
            )


def mid_deal() -> Observation:
    """An observation with something in every field that a deal of Chinkway fills."""
    for state in walk(("chinkway", {}), 5):
        observation = state.observation(0)
        if (
            state.deal == 6
            and len(observation.trick) == 2
            and observation.discarded
            and any(card < 52 for card in observation.collected)
        ):
            return observation
    raise AssertionError("no such deal")


CHANGES: dict[str, Callable[[Observation], Any]] = {
    "hand": lambda observation: observation.hand[1:],
    "discarded": lambda observation: observation.discarded[1:],
    "plays": lambda observation: observation.plays[1::-1] + observation.plays[2:],
    "winners": lambda observation: bytes((observation.winners[0] ^ 1,)) + observation.winners[1:],
    "collected": lambda observation: bytes((DECLINED,)) * len(observation.collected),
    "trumps": lambda observation: observation.trumps % 5 + 1,
    "subjects": lambda observation: bytes((family + 1) % 5 for family in observation.subjects),
    "seats": lambda observation: observation.seats[:1] + observation.seats[:0:-1],
    "sides": lambda observation: bytes(5),
    "deal": lambda observation: observation.deal + 1,
    "kind": lambda observation: Kind.COLLECT,
    "scores": lambda observation: (
        observation.scores[0] + 1,
        *observation.scores[1:5],
        observation.scores[5] - 1,
        *observation.scores[6:],
    ),
}


@pytest.mark.parametrize("field", CHANGES)
def test_what_is_changed_in_a_field_changes_the_tensor(field: str) -> None:
    observation = mid_deal()
    changed = replace(observation, **{field: CHANGES[field](observation)})
    assert not np.array_equal(observation_tensor(changed), observation_tensor(observation))


@pytest.mark.parametrize("game", pairwise(), ids=label)
def test_a_mask_has_a_one_for_each_legal_action_of_the_seat_that_is_asked(game: Game) -> None:
    rules = ruleset(*game)
    mask = np.ones(action_count(rules), np.int8)
    for state in walk(game, 6):
        for seat in range(rules.seats):
            legal = state.legal_actions(seat)
            assert np.flatnonzero(action_mask(state, seat, out=mask)).tolist() == list(legal)
            assert np.array_equal(action_mask(state.observation(seat)), mask)
        assert np.flatnonzero(action_mask(state)).tolist() == list(state.legal_actions())


def test_the_documentation_has_the_sizes_of_every_game() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    rulesets = {name: ruleset(name) for name in sorted(GAMES)}
    assert [(name, int(size), int(actions)) for name, size, actions in sorted(rows)] == [
        (name, observation_size(rules), action_count(rules)) for name, rules in rulesets.items()
    ]


def test_the_documentation_has_every_field() -> None:
    rows = re.findall(r"^\| `([a-z_]+)` \| [^|]+ \| [^|]+ \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    names = {name for game in ALL for name in tensor_layout(ruleset(*game)).fields}
    assert sorted(set(rows) - set(GAMES)) == sorted(names)


def test_a_long_match_has_a_tensor_without_the_points_of_every_deal() -> None:
    rules = ruleset("four", {"hands": "999999996"})
    assert "scores" not in tensor_layout(rules).fields
    assert observation_tensor(rules.new_match(Deals(bytes(32))).observation(1)).shape == (observation_size(rules),)


def test_a_row_of_a_batch_can_be_filled() -> None:
    state = ruleset("three").new_match(Deals(bytes(32)))
    batch = np.full((3, observation_size(state.rules)), 7, np.float32)
    for seat, row in enumerate(batch):
        assert observation_tensor(state.observation(seat), out=row) is row
    assert [np.array_equal(row, observation_tensor(state.observation(seat))) for seat, row in enumerate(batch)] == [
        True
    ] * 3


def test_a_view_from_the_server_has_the_same_tensor() -> None:
    for state in walk(("two", {"double_you": "on"}), 7):
        if state.pending:
            observation = state.observation(state.pending.seats[0])
            assert np.array_equal(observation_tensor(View.of(observation)), observation_tensor(observation))
            assert np.array_equal(action_mask(View.of(observation)), action_mask(observation))


def test_a_buffer_of_another_size_or_type_is_refused_in_a_sentence() -> None:
    observation = ruleset("chinkway").new_match(Deals(bytes(32))).observation(0)
    with pytest.raises(ValueError, match=r"^out has shape \(3,\) and type float32, expected \(1645,\) and float32$"):
        observation_tensor(observation, out=np.zeros(3, np.float32))
    with pytest.raises(ValueError, match=r"^out has shape \(1645,\) and type float64, expected \(1645,\) and float32$"):
        observation_tensor(observation, out=np.zeros(1645, np.float64))
    with pytest.raises(ValueError, match=r"^out has shape \(3,\), expected \(1582,\)$"):
        action_mask(observation, out=np.zeros(3, np.int8))
