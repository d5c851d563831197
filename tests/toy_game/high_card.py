"""A game of a family of its own, and a bot for it: a package that Farfalia finds once it is installed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Self

import farfalia_engine as engine
from farfalia import Bot
from farfalia_engine import CardFace, Deals, Kind, Observation, Pending
from farfalia_engine.interfaces import Game, State
from farfalia_engine.knowledge import SeatKnowledge
from farfalia_engine.notation import Notation, Words
from farfalia_engine.wording import TrumpsStory, Wording

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


class Highest(Bot):
    """Plays its highest card."""

    def __init__(self, seed: int = 0) -> None:
        del seed  # it has no chance moves

    def play(self, view: Observation) -> int:
        """Return the highest card."""
        return max(view.legal)
