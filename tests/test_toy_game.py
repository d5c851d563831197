"""A game of a family of its own, all of which is in this file: nothing else has to know it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import lru_cache
from io import StringIO
from random import Random
from types import SimpleNamespace
from typing import Self

import pytest
from tests.engine.recorded import recorded

import farfalia_engine as engine
from farfalia.bots import NAMES, create
from farfalia.learning.tensor_layout import tensor_layout
from farfalia.testing import check
from farfalia.view import View, from_message
from farfalia_engine import CardFace, Deals, Kind, Observation, Pending, Unsolvable, flat_monte_carlo, rollouts, ruleset
from farfalia_engine.interfaces import Game, State
from farfalia_engine.knowledge import SeatKnowledge
from farfalia_engine.notation import Notation, Words
from farfalia_engine.wording import TrumpsStory, Wording
from farfalia_server.cli.match_text import print_match
from farfalia_server.play.question_encoding import QuestionEncoder
from farfalia_server.records import codec
from farfalia_server.records.deal_views import deals_of
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.static_files import StaticAddresses

CARDS = ("one", "two", "three", "four", "five", "six")
SIZE = 3


class HighCardObservation(Observation):
    """What a seat may know: its cards, and what was played."""

    __slots__ = ()

    def points(self, side: int) -> int:
        return self.winners.count(side)

    def _winner(self, trick: bytes) -> int:
        return trick.index(max(trick))

    @property
    def _suit_of(self) -> bytes:
        return bytes(256)

    @property
    def _deck(self) -> bytes:
        return bytes(range(len(CARDS)))


class HighCardState(State):
    """Two players with three cards each: the higher card wins the trick, and each trick a point."""

    __slots__ = ("_held",)
    _held: list[tuple[int, ...]]

    def __init__(self, rules: engine.Ruleset, deals: Deals) -> None:
        self.rules, self._deals, self._stops = rules, deals, False
        self.deal, self.scores, self.totals, self.trumps, self.subjects = 0, (), (0, 0), 0, b""
        self._begin_deal()

    @property
    def mid_trick(self) -> bool:
        return bool(len(self.plays) % 2)

    def apply(self, action: int, seat: int | None = None) -> None:
        pending = self.pending
        if pending is None or action not in self.legal_actions(seat):
            raise self._objection(action, seat)
        place = pending.position
        self._held[place] = tuple(card for card in self._held[place] if card != action)
        if not self.mid_trick:
            self.leaders.append(place)
        self.plays.append(action)
        if self.mid_trick:
            self._ask(1 - place)
            return
        first, second = self.plays[-2:]
        self.winners.append(self.leaders[-1] if first > second else 1 - self.leaders[-1])
        if self._held[0]:
            self._ask(self.winners[-1])
        else:
            self._score((self.winners.count(0), self.winners.count(1)), self.rules.game)

    def clone(self) -> Self:
        other = object.__new__(type(self))
        for name in (
            "rules",
            "_deals",
            "_stops",
            "deal",
            "scores",
            "totals",
            "trumps",
            "subjects",
            "pending",
            "_legal",
        ):
            setattr(other, name, getattr(self, name))
        other._held, other.plays = self._held[:], self.plays[:]
        other.leaders, other.winners = self.leaders[:], self.winners[:]
        return other

    def observation(self, seat: int) -> HighCardObservation:
        asked = self.pending is not None and seat in self.pending.seats
        return HighCardObservation(
            seat,
            self.deal,
            1,
            bytes((0, 1)),
            bytes((0, 1)),
            self.scores,
            self.totals,
            self.trumps,
            b"",
            bytes(self._held[seat]),
            b"",
            bytes(self.plays),
            bytes(self.leaders),
            bytes(self.winners),
            b"",
            bytes(map(len, self._held)),
            self.rules,
            Kind.PLAY if asked else None,
            self._legal if asked else (),
            seat,
        )

    def _begin_deal(self) -> None:
        self.deal += 1
        deck = self._deals.shuffle(f"deal/{self.deal}/cards", len(CARDS))
        self._held = [tuple(sorted(deck[:SIZE])), tuple(sorted(deck[SIZE:]))]
        self.plays, self.leaders, self.winners = bytearray(), bytearray(), bytearray()
        self._ask(1)

    def _ask(self, place: int) -> None:
        self.pending = _pending(place)
        self._legal = self._held[place]


@lru_cache
def _pending(place: int) -> Pending:
    return Pending(Kind.PLAY, (place,), place)


class HighCardWording:
    """The cards are called by their numbers."""

    faces = tuple(CardFace(name, "plain", rank, "", f"the {name}") for rank, name in enumerate(CARDS, 1))

    def trumps(self, trumps: int, /) -> tuple[str, str]:
        del trumps
        return "NT", "no trumps"

    def trumps_origin(self, story: TrumpsStory, /) -> str:
        del story
        return ""

    def why_won(self, observation: SeatKnowledge, /) -> str:
        del observation
        return "the higher card"

    def deal_type(self, observation: SeatKnowledge, /) -> str:
        del observation
        return "high card"


class HighCard(Game):
    """The higher card wins."""

    name = "high-card"
    observation_type = HighCardObservation
    seats = 2
    deals = 1

    def new_match(self, rules: engine.Ruleset, deals: Deals, deal: int) -> State:
        del deal
        return HighCardState(rules, deals)

    def determinizations(self, rules: engine.Ruleset, observation: Observation) -> Callable[[Random], State]:
        def draw(random: Random) -> State:
            state = HighCardState(rules, Deals(random.randbytes(32)))
            left = random.sample(sorted(observation.unseen), len(observation.unseen))
            state._held = [
                tuple(observation.hand) if place == observation.seat else tuple(sorted(left)) for place in range(2)
            ]
            state.plays, state.leaders = bytearray(observation.plays), bytearray(observation.leaders)
            state.winners = bytearray(observation.winners)
            state._ask(observation.seat if observation.legal else 1 - observation.seat)
            return state

        return draw

    @property
    def notation(self) -> Notation:
        names = dict(enumerate(CARDS))
        return Words(names, names, "one")

    @property
    def wording(self) -> Wording:
        return HighCardWording()


@pytest.fixture(autouse=True)
def high_card() -> Iterator[None]:
    engine.GAMES[HighCard.name] = HighCard
    yield
    del engine.GAMES[HighCard.name]


def test_it_is_played_searched_and_sampled() -> None:
    state = ruleset("high-card").new_match(Deals(bytes(32)))
    observation = state.observation(1)
    assert observation.sample(Random(1)).observation(1) == observation
    assert flat_monte_carlo(observation, Random(1), 50).best in observation.legal
    assert sum(rollouts(state, 10, seed=1)) == SIZE
    with pytest.raises(Unsolvable, match="high-card has no endgame model"):
        engine.solve(state)
    with pytest.raises(engine.RulesetError, match="high-card has no tensors"):
        tensor_layout(observation.rules)
    assert (observation.missing(1), observation.burned, observation.barren, observation.deciding) == (
        b"",
        b"",
        True,
        False,
    )


def test_it_is_recorded_verified_and_replayed() -> None:
    record = recorded("high-card")
    assert engine.verify(record).violations == ()
    assert [len(state.plays) for state in engine.replay(record)][-1] == 2 * SIZE
    assert codec.from_message(codec.to_message(record)) == record


def test_it_is_shown_on_a_terminal_and_on_a_page() -> None:
    record = recorded("high-card")
    (deal,) = deals_of(record)
    assert (deal.type, deal.trumps_words, len(deal.tricks), deal.collecting) == ("high card", "no trumps", SIZE, False)
    out = StringIO()
    with redirect_stdout(out):
        print_match(record, [deal])
    assert "Deal 1: Ada deals, high card, trumps none." in " ".join(out.getvalue().split())
    assert all(name in out.getvalue() for name in CARDS)
    environment = PageRenderer("here", "1", StaticAddresses()).environment
    page = environment.from_string('{% from "macros.html" import card, family, named %}{% include "deal.html" %}')
    match = SimpleNamespace(id=1, entrants=[seat.name for seat in record.seats])
    shown = page.render(deal=deal, deals=[deal], match=match, record=record, causes=[0] * 6, replaced=())
    assert "<dt>Type</dt><dd>high card</dd>" in shown
    assert all(f'title="the {name}"' in shown for name in CARDS)


def test_it_is_played_through_the_view_of_the_sdk() -> None:
    observation = ruleset("high-card").new_match(Deals(bytes(32))).observation(1)
    encoded = QuestionEncoder(1).question(1, Kind.PLAY, observation, observation.legal)
    view = from_message(type(View.of(observation)._question).FromString(encoded))
    assert isinstance(view, HighCardObservation)
    assert (view.hand, view.legal, view.unseen) == (observation.hand, observation.legal, observation.unseen)
    assert view.would_win(view.legal[0])


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_bot_plays_it(name: str) -> None:
    report = check(create(name, 1), matches=2, name="high-card", opponents="cautious")
    assert report.ok, str(report)
