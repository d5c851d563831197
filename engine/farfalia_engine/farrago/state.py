"""A match of Farrago as it stands."""

from collections.abc import Mapping, Sequence
from typing import Self

from farfalia_engine.actions import BAR_SUIT, FARRAGO_CARDS_END, NAME_SUIT, PICK_TYPE, SHOW_CARD, Kind
from farfalia_engine.deals import Deals
from farfalia_engine.farfalia.cards import BIT
from farfalia_engine.farfalia.dealing import deal_hands
from farfalia_engine.farrago.deal_types import DealType, TrumpsSource, majority, trick_winner
from farfalia_engine.farrago.observation import FarragoObservation
from farfalia_engine.farrago.packs import cards_in
from farfalia_engine.farrago.terms import FarragoTerms
from farfalia_engine.following_suit import follow_suit
from farfalia_engine.interfaces import Ruleset, State
from farfalia_engine.pending import Pending, together
from farfalia_engine.scores import fewest
from farfalia_engine.trick import Trumps

#: Suits to be barred; the one that is left is trumps.
_BARS = 3


class FarragoState(State):
    """The whole truth of a match of Farrago."""

    __slots__ = ("_choices", "_led_suit", "_order", "_terms", "bars", "seats", "shown", "types")
    _terms: FarragoTerms
    # What seats show while others still choose, by seat.
    _choices: Mapping[int, int]
    # The suit led to the trick on the table, -1 before a lead.
    _led_suit: int
    # The types but skint in the order in which they are played; empty if the dealers pick.
    _order: tuple[DealType, ...]
    #: The seat at each position.
    seats: bytes
    #: The type of each deal so far, this one's included once it is known.
    types: bytes
    #: Suits barred in this deal, in order.
    bars: bytes
    #: The card that each position has shown in a deal of majority, once all have.
    shown: bytes

    def __init__(self, rules: Ruleset, terms: FarragoTerms, deals: Deals, deal: int) -> None:
        self.rules = rules
        self._terms = terms
        self._deals = deals
        self._stops = False
        self._order = terms.order(deals)
        self.deal = deal - 1
        self.scores = (0,) * terms.seats * self.deal
        self.totals = (0,) * terms.seats
        self.types = bytes(terms.before(deal, deals))
        self._begin_deal()

    def legal_actions(self, seat: int | None = None) -> tuple[int, ...]:
        """Return what may be done now, ascending; empty when the match is over, or for a seat that is not asked.

        Where several seats decide at once, and none is named, it is what the first of them may do.
        """
        if seat is None or self.pending is None or seat == self.pending.seats[0]:
            return self._legal
        if seat not in self.pending.seats:
            return ()
        return self._cards_to_show(seat)

    def apply(self, action: int, seat: int | None = None) -> None:
        """Do it; IllegalAction, and the state is as before, if the rules or `seat`'s turn forbid it."""
        pending = self.pending
        if pending is None or action not in self.legal_actions(seat):
            raise self._objection(action, seat)
        if action < 2 and isinstance(action, bool):  # equal to one of the first two cards
            raise self._objection(action, seat)
        if action < FARRAGO_CARDS_END:
            self._play(pending.position, action)
        elif pending.kind is Kind.SHOW:
            self._show(pending.seats, action, pending.seats[0] if seat is None else seat)
        elif pending.kind is Kind.PICK_TYPE:
            self._set_type(DealType(action - PICK_TYPE + 1))
        elif pending.kind is Kind.BAR:
            self.bars += bytes((action - BAR_SUIT,))
            self._find_trumps()
        else:
            self._trumps_are(action - NAME_SUIT)

    @property
    def mid_trick(self) -> bool:
        """Whether a trick is begun."""
        return self._led_suit >= 0

    def clone(self) -> Self:
        """Return an independent copy."""
        other = object.__new__(type(self))
        other.rules = self.rules
        other._terms = self._terms
        other._deals = self._deals
        other._stops = self._stops
        other._order = self._order
        other._hands = self._hands[:]
        other._choices = self._choices
        other._led_suit = self._led_suit
        other._legal = self._legal
        other.pending = self.pending
        other.deal = self.deal
        other.scores = self.scores
        other.totals = self.totals
        other.seats = self.seats
        other.types = self.types
        other.bars = self.bars
        other.shown = self.shown
        other.trumps = self.trumps
        other.subjects = self.subjects
        other.plays = self.plays[:]
        other.leaders = self.leaders[:]
        other.winners = self.winners[:]
        return other

    def observation(self, seat: int) -> FarragoObservation:
        """Return what this seat may know now, and nothing more (docs/rules.md, What each seat may know)."""
        pending, position = self.pending, self.seats.index(seat)
        asked = pending is not None and seat in pending.seats
        return FarragoObservation(
            seat,
            self.deal,
            self._terms.deals,
            self.seats,
            bytes(range(len(self.seats))),
            self.scores,
            self.totals,
            self.trumps,
            b"",
            bytes(cards_in(self._hands[position])),
            b"",
            bytes(self.plays),
            bytes(self.leaders),
            bytes(self.winners),
            b"",
            bytes(map(int.bit_count, self._hands)),
            self.rules,
            pending.kind if pending is not None and asked else None,
            self.legal_actions(seat) if asked else (),
            position,
            choice=self._choices.get(seat, 0),
            types=self.types,
            bars=self.bars,
            shown=self.shown,
        )

    # Opening a deal: cards, type, trumps.

    def _begin_deal(self) -> None:
        self.deal += 1
        n = self._terms.seats
        self.seats = bytes((self.deal - 1 + position) % n for position in range(n))
        pack = self._terms.pack
        deck = self._deals.shuffled(f"deal/{self.deal}/cards", BIT[: pack.size])
        self._hands = deal_hands(deck, n, pack.size // n)
        self._choices = {}
        self._led_suit = -1
        self.bars = b""
        self.shown = b""
        self.trumps = 0
        self.subjects = b""
        self.plays = bytearray()
        self.leaders = bytearray()
        self.winners = bytearray()
        self._find_type()

    def _find_type(self) -> None:
        """Make it skint as soon as that is due or nothing else is left (G3); otherwise by the order,
        or as the dealer picks.
        """
        left = [kind for kind in DealType if kind not in self.types and kind is not DealType.SKINT]
        if not left or self._skint_is_due():
            self._set_type(DealType.SKINT)
        elif self._order:
            self._set_type(next(kind for kind in self._order if kind in left))
        elif len(left) == 1:
            self._set_type(left[0])
        else:
            self._ask(Kind.PICK_TYPE, 0, tuple([PICK_TYPE + kind - 1 for kind in left]))

    def _skint_is_due(self) -> bool:
        """Return whether it was not played yet and one player alone is behind all others."""
        return DealType.SKINT not in self.types and self.totals.count(min(self.totals)) == 1

    def _set_type(self, kind: DealType) -> None:
        self.types += bytes((kind,))
        if kind.rules.trumps is TrumpsSource.NONE:
            self.trumps = Trumps.NONE.value
        self._find_trumps()

    def _find_trumps(self) -> None:
        """Ask the seats that decide on trumps, or begin to play."""
        source = DealType(self.types[-1]).rules.trumps
        if source is TrumpsSource.NAMED:
            poorest = fewest(self.totals, self.seats[0])
            self._ask(Kind.NAME_TRUMPS, self.seats.index(poorest), tuple(range(NAME_SUIT, NAME_SUIT + 4)))
        elif source is TrumpsSource.BARRED:
            open_suits = [suit for suit in range(4) if suit not in self.bars]
            if len(self.bars) < _BARS:
                position = (len(self.bars) + 1) % len(self.seats)
                self._ask(Kind.BAR, position, tuple([BAR_SUIT + suit for suit in open_suits]))
            else:
                self._trumps_are(open_suits[0])
        elif source is TrumpsSource.SHOWN:
            self._ask_to_show(tuple(range(len(self.seats))))
        else:
            self._next_trick(1)

    def _trumps_are(self, suit: int) -> None:
        self.trumps = suit + 1
        self._next_trick(1)

    def _ask(self, kind: Kind, position: int, legal: tuple[int, ...]) -> None:
        self.pending = self._deciding(kind, position)
        self._legal = legal

    def _deciding(self, kind: Kind, position: int) -> Pending:
        return together(kind, (self.seats[position],), position)

    def _ask_to_show(self, seats: tuple[int, ...]) -> None:
        self.pending = together(Kind.SHOW, seats, self.seats.index(seats[0]))
        self._legal = self._cards_to_show(seats[0])

    def _cards_to_show(self, seat: int) -> tuple[int, ...]:
        return tuple([SHOW_CARD + card for card in cards_in(self._hands[self.seats.index(seat)])])

    def _show(self, asked: tuple[int, ...], action: int, seat: int) -> None:
        """Keep a card until all have shown one; they stay in the hands (G4)."""
        self._choices = {**self._choices, seat: action}
        waiting = tuple(other for other in asked if other != seat)
        if waiting:
            self._ask_to_show(waiting)
            return
        self.shown = bytes(self._choices[seat] - SHOW_CARD for seat in self.seats)
        self._choices = {}
        self._trumps_are(majority(self._terms.pack, self.shown))

    def _points(self, won: Sequence[int]) -> tuple[int, ...]:
        """Return the points of this deal by seat, from the tricks that each position has won at its end."""
        return tuple([self._terms.points(won[self.seats.index(seat)]) for seat in range(len(self.seats))])

    # Playing.

    def _next_trick(self, leader: int) -> None:
        hand = self._hands[leader]
        if hand:
            self._led_suit = -1
            self._ask(Kind.PLAY, leader, cards_in(hand))
        else:
            won = [self.winners.count(position) for position in range(len(self.seats))]
            self._score(self._points(won), self._terms)

    def _play(self, position: int, card: int) -> None:
        n, suit = len(self.seats), self._terms.pack.suit[card]
        self._hands[position] ^= BIT[card]
        self.plays.append(card)
        if self._led_suit < 0:
            self._led_suit = suit
            self.leaders.append(position)
        elif suit != self._led_suit and not self.trumps:
            # Surprise (G6): the first suit that does not follow is trumps from here on.
            self.trumps = suit + 1
        if len(self.plays) % n:
            self._ask_following((position + 1) % n)
            return
        trick = self.plays[-n:]
        index = trick_winner(DealType(self.types[-1]), self._terms.pack, trick, self.trumps)
        self.winners.append((self.leaders[-1] + index) % n)
        self._next_trick(self.winners[-1])

    def _ask_following(self, position: int) -> None:
        led = self._terms.pack.suit_masks[self._led_suit]
        self._ask(Kind.PLAY, position, cards_in(follow_suit(self._hands[position], led)))
