"""Pocket: a game of tricks that is small enough for tabular methods, as a package that Farfalia finds once installed.

Two players hold three cards each, of two suits with three ranks. Position 1 leads. Follow suit if you can; the higher
card of the suit led takes the trick, and its winner leads next. A trick in one suit is worth 1 point, one of both suits
2 points. There are 20 deals.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Self

from farfalia_engine import CardFace, Deals, Kind, Observation, Pending, Ruleset
from farfalia_engine.interfaces import Game, State
from farfalia_engine.knowledge import SeatKnowledge
from farfalia_engine.notation import Notation, Words
from farfalia_engine.wording import TrumpsStory, Wording

RANKS = 3
NAMES = dict(enumerate(f"{suit}{rank}" for suit in "SL" for rank in range(1, RANKS + 1)))
WORDS = ("strawberries", "leaves")
#: What position 0 may be dealt; position 1 has the other cards.
HANDS = tuple(combinations(NAMES, len(NAMES) // 2))


def winner(trick: bytes) -> int:
    """Return which card of a trick wins it so far."""
    return max(range(len(trick)), key=lambda at: (trick[at] // RANKS == trick[0] // RANKS, trick[at]))


class PocketObservation(Observation):
    """What a seat may know: its cards, and what was played."""

    __slots__ = ()

    def points(self, side: int) -> int:
        """Return the points of this side in this deal so far."""
        return points(self.plays, self.winners)[side]

    def _winner(self, trick: bytes) -> int:
        return winner(trick)

    @property
    def _suit_of(self) -> bytes:
        return bytes(card // RANKS for card in NAMES).ljust(256, b"\0")

    @property
    def _deck(self) -> bytes:
        return bytes(NAMES)


class PocketState(State):
    """A deal of it."""

    __slots__ = ()

    def __init__(self, rules: Ruleset, deals: Deals) -> None:
        self.rules, self._deals, self._stops = rules, deals, False
        self.deal, self.scores, self.totals, self.trumps, self.subjects = 0, (), (0, 0), 0, b""
        self._begin_deal()

    @property
    def mid_trick(self) -> bool:
        """Whether a trick is begun."""
        return bool(len(self.plays) % 2)

    def apply(self, action: int, seat: int | None = None) -> None:
        """Play the card."""
        pending = self.pending
        if pending is None or action not in self.legal_actions(seat):
            raise self._objection(action, seat)
        place = pending.position
        self._hands[place] &= ~(1 << action)
        if not self.mid_trick:
            self.leaders.append(place)
        self.plays.append(action)
        if self.mid_trick:
            self._ask(1 - place)
            return
        self.winners.append((self.leaders[-1] + winner(bytes(self.plays[-2:]))) % 2)
        if self._hands[0]:
            self._ask(self.winners[-1])
        else:
            self._score(points(self.plays, self.winners), self.rules.game)

    def clone(self) -> Self:
        """Return an independent copy."""
        other = object.__new__(type(self))
        for name in State.__slots__:
            value = getattr(self, name)
            setattr(other, name, value[:] if isinstance(value, bytearray | list) else value)
        return other

    def observation(self, seat: int) -> PocketObservation:
        """Return what this seat may know."""
        asked = self.pending is not None and seat in self.pending.seats
        hand, held = bytes(cards(self._hands[seat])), bytes(each.bit_count() for each in self._hands)
        both, kind = bytes((0, 1)), Kind.PLAY if asked else None
        tricks = (bytes(self.plays), bytes(self.leaders), bytes(self.winners), b"")
        seen = (self.scores, self.totals, 0, b"", hand, b"", *tricks, held)
        legal = self._legal if asked else ()
        return PocketObservation(seat, self.deal, 1, both, both, *seen, self.rules, kind, legal, seat)

    def look(self, hands: Iterable[int], observation: Observation) -> None:
        """Go to what this observation shows, with these hands."""
        self._hands = list(hands)
        self.plays, self.leaders = bytearray(observation.plays), bytearray(observation.leaders)
        self.winners = bytearray(observation.winners)
        self._ask(observation.seat if observation.legal else 1 - observation.seat)

    def _begin_deal(self) -> None:
        self.deal += 1
        first = HANDS[self._deals.shuffle(f"deal/{self.deal}/first", len(HANDS))[0]]
        self._hands = [sum(1 << card for card in NAMES if (card in first) is mine) for mine in (True, False)]
        self.plays, self.leaders, self.winners = bytearray(), bytearray(), bytearray()
        self._ask(1)

    def _ask(self, place: int) -> None:
        hand = cards(self._hands[place])
        led = self.plays[-1] // RANKS if self.mid_trick else None
        self._legal = tuple(card for card in hand if card // RANKS == led) or hand
        self.pending = _pending(place)


@lru_cache
def _pending(place: int) -> Pending:
    return Pending(Kind.PLAY, (place,), place)


def cards(hand: int) -> tuple[int, ...]:
    """Return the cards of a set, ascending."""
    return tuple(card for card in NAMES if hand >> card & 1)


def points(plays: bytes | bytearray, winners: bytes | bytearray) -> tuple[int, int]:
    """Return the points of both positions."""
    made = [0, 0]
    for number, won in enumerate(winners):
        first, second = plays[2 * number : 2 * number + 2]
        made[won] += 1 if first // RANKS == second // RANKS else 2
    return made[0], made[1]


class PocketWording:
    """The cards in words."""

    faces = tuple(
        CardFace(name, name[0], card % RANKS + 1, "", f"{card % RANKS + 1} of {WORDS[card // RANKS]}")
        for card, name in NAMES.items()
    )

    def trumps(self, trumps: int, /) -> tuple[str, str]:
        """Return that there are none."""
        del trumps
        return "NT", "no trumps"

    def trumps_origin(self, story: TrumpsStory, /) -> str:
        """Return nothing: there are none."""
        del story
        return ""

    def why_won(self, observation: SeatKnowledge, /) -> str:
        """Return why the best card wins."""
        del observation
        return "the highest card of the suit led"

    def deal_type(self, observation: SeatKnowledge, /) -> str:
        """Return nothing: there are no types."""
        del observation
        return ""


class Pocket(Game):
    """Three tricks of two suits."""

    name = "pocket"
    observation_type = PocketObservation
    seats = 2
    deals = 1

    def new_match(self, rules: Ruleset, deals: Deals, deal: int) -> State:
        """Return the deal."""
        del deal
        return PocketState(rules, deals)

    def determinizations(self, rules: Ruleset, observation: Observation) -> Callable[[Random], State]:
        """Return what draws the other hand, of those that could have followed as it did."""
        other = 1 - observation.seat
        unseen = [card for card in observation.unseen if card // RANKS not in observation.voids[other]]
        hands = [sum(1 << card for card in hand) for hand in combinations(unseen, observation.held[other])]
        own = sum(1 << card for card in observation.hand)

        def draw(random: Random) -> State:
            state, hand = PocketState(rules, Deals(random.randbytes(32))), random.choice(hands)
            state.look((own, hand) if observation.seat == 0 else (hand, own), observation)
            return state

        return draw

    @property
    def notation(self) -> Notation:
        """Cards and actions are written alike."""
        return Words(NAMES, NAMES, "S1")

    @property
    def wording(self) -> Wording:
        """The cards in words."""
        return PocketWording()
