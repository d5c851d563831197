"""Self-play in lock step: the deals of the engine, and of each position what a view says and nothing else."""

from __future__ import annotations

from random import Random
from typing import cast

import numpy as np
import pytest
from tests.clients.drawn_deals import begin, numbers_of
from tests.engine.games import ALL, label

from farfalia.bots import create
from farfalia.learning.card_lessons import CardLessons
from farfalia.learning.lockstep_cautious import CautiousTable
from farfalia.learning.lockstep_farrago_deals import dealt_farrago, prospects
from farfalia.learning.lockstep_views import moment_of, table_seen
from farfalia.learning.lockstep_worlds import table_now
from farfalia.learning.self_play import SelfPlay, positions, tried
from farfalia_engine import BadOption, Deals, DealType, Kind, Observation, State, cards_in, ruleset
from farfalia_engine.farrago.deal_types import TrumpsSource
from farfalia_engine.farrago.terms import FarragoTerms

#: Games and options whose deals differ, without cards that burn.
GAMES = [(name, options) for name, options in ALL if options.get("burnin") != "on"]
DEALS = [
    ("chinkway", 1),
    ("chinkway", 6),
    ("five-hand", 2),
    ("basic", 1),
    ("four", 1),
    ("three", 1),
    ("three-short", 1),
    ("three-short", 4),
    ("two", 1),
]
EACH = 12
SEED = 5


@pytest.mark.parametrize(("name", "deal"), DEALS)
def test_deals_go_card_by_card_as_in_the_engine(name: str, deal: int) -> None:
    game, random = SelfPlay(name), Random(name)
    table = game.dealt(np.random.PCG64(SEED), EACH, deal)
    assert isinstance(table, CautiousTable)
    tricks, count = table.left, table.positions
    states = [begin(name, {}, deal, numbers) for numbers in numbers_of(SEED, EACH, tricks, count)]
    for state in states:
        _open(state)
    assert [state.trumps for state in states] == table.trumps.tolist()
    while table.left:
        played = []
        for row, state in enumerate(states):
            assert state.pending is not None
            assert state.pending.position == table.acting[row]
            assert state.legal_actions() == cards_in(int(table.legal()[row]))
            played.append(random.choice(state.legal_actions()))
            state.apply(played[-1])
            _open(state)
        table.play(np.array(played, np.uint8))
    sides = states[0].observation(0).sides
    seats = states[0].observation(0).seats
    for row, state in enumerate(states):
        points = [int(table.points[sides[seats.index(seat)], row]) for seat in range(game.rules.seats)]
        assert tuple(points) == state.scores[-game.rules.seats :]


def _open(state: State) -> None:
    """Let cautious decide what comes before the next card."""
    while state.pending is not None and state.pending.kind is not Kind.PLAY:
        seat = state.pending.seats[0]
        state.apply(create("cautious").decide(state.observation(seat)), seat)


@pytest.mark.parametrize("kind", DealType)
def test_deals_of_farrago_find_the_trumps_of_cautious(kind: DealType) -> None:
    terms = cast(FarragoTerms, ruleset("farrago").game)
    table = dealt_farrago(terms, kind, np.random.PCG64(1), 200)
    held = np.bitwise_or.reduce(table.hands, axis=0)
    assert (held == np.uint64(2**52 - 1)).all()
    assert (np.bitwise_count(table.hands) == 13).all()
    if kind.rules.trumps is TrumpsSource.NONE:
        assert set(table.trumps.tolist()) == {5}
    elif kind.rules.trumps is TrumpsSource.FOUND:
        assert set(table.trumps.tolist()) == {0}
    else:
        assert set(table.trumps.tolist()) == {1, 2, 3, 4}


def test_prospects_of_farrago_are_those_of_the_bot() -> None:
    bot, seen = create("cautious"), set()
    for number in range(40):
        state = ruleset("farrago", {"order": "random"}).new_match(Deals(bytes([number]) * 32), 1 + number % 10)
        if state.pending and state.pending.kind in (Kind.NAME_TRUMPS, Kind.BAR):
            view = state.observation(state.pending.seats[0])
            hand = np.array([[sum(1 << card for card in view.hand)]], np.uint64)
            worth = prospects(cast(FarragoTerms, view.rules.game), DealType(view.types[-1]), hand)[0, :, 0]
            wanted = worth.argmax() if view.kind is Kind.NAME_TRUMPS else worth.argmin()
            assert bot.decide(view) == view.legal[wanted]
            seen.add(view.kind)
    assert seen == {Kind.NAME_TRUMPS, Kind.BAR}


def asked(name: str, options: dict[str, str], deals: int = 3) -> list[tuple[State, Observation]]:
    """Positions in which a card is to be played, of deals in which anything may have been played."""
    rules, random, bot, found = ruleset(name, options), Random(name), create("cautious"), []
    for deal in range(1, min(deals, rules.last_deal) + 1):
        state = rules.new_match(Deals(random.randbytes(32)), rules.last_deal if deal == deals else deal)
        state.end_with_deal()
        while state.pending:
            seat = state.pending.seats[0]
            legal, view = state.legal_actions(seat), state.observation(seat)
            if state.pending.kind is Kind.PLAY and len(legal) > 1:
                found.append((state.clone(), view))
            state.apply(random.choice(legal) if random.random() < 0.3 else bot.decide(view), seat)
    return found


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_a_view_says_all_that_a_network_is_told(game: tuple[str, dict[str, str]]) -> None:
    # What the true hands would add, a network is never told: the table of a view has other cards in them.
    for state, view in asked(*game):
        true, seen = positions(table_now(view, [state])), positions(table_seen([view]))
        assert (true.inputs == seen.inputs).all()
        assert (true.choices.cards == seen.choices.cards).all()
        assert (true.choices.guesses == seen.choices.guesses).all()


@pytest.mark.parametrize("name", ["chinkway", "farrago", "two"])
def test_views_of_one_moment_make_one_table(name: str) -> None:
    together: dict[object, list[Observation]] = {}
    for _, view in asked(name, {}, 12):
        together.setdefault(moment_of(view), []).append(view)
    views = max(together.values(), key=len)
    assert len(views) > 1
    position = positions(table_seen(views))
    for row, view in enumerate(views):
        alone = positions(table_seen([view]))
        assert (position.inputs[:, position.choices.rows == row] == alone.inputs).all()


def test_what_a_card_comes_to_is_what_cautious_makes_of_it() -> None:
    game, bot = SelfPlay("chinkway"), create("cautious")
    for number, (state, view) in enumerate(asked("chinkway", {}, 2)):
        if number % 25:
            continue
        table = table_now(view, [state])
        position = positions(table)
        gained = tried(table, position, game.weights(view.deal))
        for card, gain in zip(position.choices.cards.tolist(), gained.tolist(), strict=True):
            after = state.clone()
            after.apply(card, view.seat)
            while after.pending:
                seat = after.pending.seats[0]
                after.apply(bot.decide(after.observation(seat)), seat)
            points = after.scores[-5:]
            assert gain == pytest.approx(points[view.seat] - (sum(points) - points[view.seat]) / 4)


def test_lessons_are_of_positions_with_a_choice() -> None:
    lessons = CardLessons([SelfPlay("two"), SelfPlay("four")], 1.0, 3, kept=500)
    lessons.more(40)
    lessons.more(40)
    inputs, rows, targets = lessons.some(100)
    assert lessons.seen > 100
    assert inputs.shape == (len(rows), lessons.inputs)
    assert targets.shape == rows.shape
    assert (np.bincount(rows, minlength=100) > 1).all()


def test_cards_that_burn_are_not_played_in_lock_step() -> None:
    with pytest.raises(BadOption, match="without cards that burn, expected burnin=off"):
        SelfPlay("two", {"burnin": "on"})
