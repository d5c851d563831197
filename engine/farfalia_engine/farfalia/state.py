"""A match of Farfalia as it stands: tricks, and what is collected from them."""

from collections.abc import Mapping
from typing import Self

from farfalia_engine.actions import (
    CARDS_END,
    COLLECT_CARD,
    COLLECT_NONE,
    DECLARATIONS,
    DECLARE_SUIT,
    DOUBLE_YES,
    DOUBLINGS,
    Kind,
    cards_discarded,
    discard_actions,
)
from farfalia_engine.deals import Deals
from farfalia_engine.farfalia import dummies
from farfalia_engine.farfalia.cards import (
    BIT,
    IN_SUIT,
    ORDINARY,
    ORDINARY_BITS,
    SUIT,
    SUIT_BIT,
    SUIT_BITS,
    SUIT_MASKS,
    WILD_BIT,
    cards_in,
    mask_of,
    wild_cards_in,
)
from farfalia_engine.farfalia.collecting import DECLINED, NOTHING, MissingFamilies, proposed, unburned
from farfalia_engine.farfalia.dealing import PROPOSAL_SIZE, SUBJECTS, deal_hands, deal_wilds
from farfalia_engine.farfalia.dummies import CoveredCard
from farfalia_engine.farfalia.layout import Layout
from farfalia_engine.farfalia.observation import FarfaliaObservation
from farfalia_engine.farfalia.terms import FarfaliaTerms
from farfalia_engine.following_suit import follow_suit
from farfalia_engine.interfaces import Ruleset, State
from farfalia_engine.pending import Pending, together
from farfalia_engine.trick import STRENGTH, Trumps, best_card

_S, _L, _F, _O = IN_SUIT.values()


class FarfaliaState(State):
    """The whole truth of a match of Farfalia."""

    __slots__ = (
        "_best",
        "_choices",
        "_covered",
        "_discarded",
        "_layout",
        "_leader",
        "_led_shift",
        "_missing",
        "_proposal",
        "_strengths",
        "_terms",
        "_winning",
        "collected",
        "doubled",
        "wilds",
    )
    _terms: FarfaliaTerms
    _layout: Layout
    # What seats have answered while others still think, by seat.
    _choices: Mapping[int, int]
    _covered: list[CoveredCard]
    # Of the trick on the table: by how much to shift a hand for the suit led (-1 before a lead), who led, who is
    # winning it, how strong each card is in it and the best of them. `trick.best_card` defines who wins.
    _led_shift: int
    _leader: Pending
    _winning: Pending
    _strengths: tuple[int, ...]
    _best: int
    _proposal: bytes
    _discarded: int
    # What is missing, by side.
    _missing: list[MissingFamilies]
    #: Card collected, DECLINED or NOTHING, by trick decided.
    collected: bytearray
    #: Seats that double their score for this deal, ascending, once all have chosen.
    doubled: bytes
    #: Wild cards left to spend, by seat; empty but in `double_you`.
    wilds: bytes

    def __init__(self, rules: Ruleset, terms: FarfaliaTerms, deals: Deals, deal: int) -> None:
        self.rules = rules
        self._terms = terms
        self._deals = deals
        self._stops = False
        self.deal = deal - 1
        self.scores = (0,) * terms.seats * self.deal
        self.totals = (0,) * terms.seats
        self.wilds = bytes((terms.wilds,) * terms.seats) if terms.wilds else b""
        self._begin_deal()

    def apply(self, action: int, seat: int | None = None) -> None:
        """Do it; IllegalAction, and the state is as before, if the rules or `seat`'s turn forbid it."""
        pending: Pending = self.pending  # type: ignore[assignment]  # nothing is legal where it is None
        if action not in self._legal or (seat is not None and seat not in pending.seats):
            raise self._objection(action, seat)
        if action < 2 and isinstance(action, bool):  # equal to one of the first two cards
            raise self._objection(action, seat)
        if action >= CARDS_END:
            if action < COLLECT_NONE:
                card = action - COLLECT_CARD
                self.collected.append(card)
                missing = self._missing
                missing[pending.side] = missing[pending.side].after[card]
                self._next_trick(pending.lead)
            elif action == COLLECT_NONE:
                self.collected.append(DECLINED)
                self._next_trick(pending.lead)
            else:
                self._choose(pending, action, pending.seats[0] if seat is None else seat)
            return
        # Playing a card is written out here, without further calls: this is where simulations spend their time.
        hands = self._hands
        hands[pending.position] -= BIT[action]
        self.plays.append(action)
        led = self._led_shift
        if led < 0:
            self._led_shift = led = SUIT_BIT[action]
            self._leader = self._winning = pending
            self._strengths = strengths = STRENGTH[self.trumps][action]
            self._best = strengths[action]
            self.leaders.append(pending.position)
        else:
            strength = self._strengths[action]
            if strength > self._best:
                self._best = strength
                self._winning = pending
        self.pending = pending = pending.following
        if pending is self._leader:
            self._end_trick(self._winning.taker)
            return
        hand = hands[pending.position]
        # As `follow_suit` defines it.
        self._legal = IN_SUIT[led][hand >> led & SUIT_BITS] or (
            _S[hand & SUIT_BITS] + _L[hand >> 13 & SUIT_BITS] + _F[hand >> 26 & SUIT_BITS] + _O[hand >> 39 & SUIT_BITS]
        )
        if self._terms.burnin:
            self._legal += wild_cards_in(hand)

    @property
    def mid_trick(self) -> bool:
        """Whether a trick is begun, or won and not yet collected from."""
        return self._led_shift >= 0

    @property
    def discarded(self) -> int:
        """What the dealer has discarded, as a set."""
        return self._discarded

    @property
    def covered(self) -> tuple[CoveredCard, ...]:
        """What lies face down: the dummy's position, the card on top, and the card under it."""
        return tuple(self._covered)

    def clone(self) -> Self:
        """Return an independent copy."""
        other = object.__new__(type(self))
        other.rules = self.rules
        other._terms = self._terms
        other._deals = self._deals
        other._stops = self._stops
        other._layout = self._layout
        other._hands = self._hands[:]
        other._covered = self._covered[:]
        other._discarded = self._discarded
        other._choices = self._choices
        other._led_shift = self._led_shift
        other._leader = self._leader
        other._winning = self._winning
        other._strengths = self._strengths
        other._best = self._best
        other._legal = self._legal
        other._missing = self._missing[:]
        other._proposal = self._proposal
        other.pending = self.pending
        other.deal = self.deal
        other.scores = self.scores
        other.totals = self.totals
        other.trumps = self.trumps
        other.subjects = self.subjects
        other.plays = self.plays[:]
        other.leaders = self.leaders[:]
        other.winners = self.winners[:]
        other.collected = self.collected[:]
        other.doubled = self.doubled
        other.wilds = self.wilds
        return other

    def observation(self, seat: int) -> FarfaliaObservation:
        """Return what this seat may know now, and nothing more (docs/rules.md, What each seat may know)."""
        layout = self._layout
        position = layout.positions[seat]
        hand = self._hands[position]
        pending = self.pending
        asked = pending is not None and seat in pending.seats
        observation = FarfaliaObservation(
            seat,
            self.deal,
            self._terms.deals,
            layout.seats,
            layout.sides,
            self.scores,
            self.totals,
            self.trumps,
            self.subjects,
            bytes(cards_in(hand) if hand < WILD_BIT else cards_in(hand) + wild_cards_in(hand)),
            bytes(cards_in(self._discarded)) if position == 0 else b"",
            bytes(self.plays),
            bytes(self.leaders),
            bytes(self.winners),
            bytes(self.collected),
            bytes(map(int.bit_count, self._hands)),
            self.rules,
            pending.kind if pending is not None and asked else None,
            self._legal if asked else (),
            position,
        )
        if layout.dummies:
            dummies.show(observation, self._hands, self._covered, layout.dummies)
            if asked and pending is not None and pending.position in layout.dummies:
                observation.acting = pending.position
        if self.wilds:
            observation.wilds = self.wilds
            observation.doubled = self.doubled
            observation.choice = self._choices.get(seat, 0)
        return observation

    # Opening a deal: doubling, then the cards, then what the dealer decides, then the proposal.

    def _begin_deal(self) -> None:
        self.deal += 1
        self._layout = layout = self._terms.layout(self.deal, self.scores)
        self._hands = [0] * len(layout.seats)
        self._covered = []
        self._proposal = b""
        self._discarded = 0
        self._choices = {}
        self._led_shift = -1
        self._leader = self._winning = layout.plays[1]
        self._strengths = ()
        self._best = 0
        self._missing = []
        self.trumps = 0
        self.subjects = b""
        self.plays = bytearray()
        self.leaders = bytearray()
        self.winners = bytearray()
        self.collected = bytearray()
        self.doubled = b""
        if self.wilds and (seats := self._may_double()):
            self._ask_doubling(seats)
        else:
            self._deal_cards()

    def _may_double(self) -> tuple[int, ...]:
        """Return seats with a wild card to spend, leaders left out unless all lead; in `four` a side leads (F12)."""
        totals = self.totals
        for team in self._terms.teams or ():
            together = sum(self.totals[seat] for seat in team)
            totals = tuple([together if seat in team else total for seat, total in enumerate(totals)])
        best = max(totals) if len(set(totals)) > 1 else max(totals) + 1
        return tuple(seat for seat, left in enumerate(self.wilds) if left and totals[seat] < best)

    def _ask_doubling(self, seats: tuple[int, ...]) -> None:
        self.pending = together(Kind.DOUBLE, seats, self._layout.positions[seats[0]])
        self._legal = DOUBLINGS

    def _deal_cards(self) -> None:
        deals, layout = self._deals, self._layout
        n = len(layout.seats)
        deck = deals.shuffled(f"deal/{self.deal}/cards", ORDINARY_BITS)
        self._hands = deal_hands(deck, n, layout.tricks)
        if layout.dummies:
            self._covered = dummies.cover([bit.bit_length() - 1 for bit in deck], n, layout.dummies)
            for dummy, _, below in self._covered:
                self._hands[dummy] ^= BIT[below]
        if self._terms.burnin:
            deal_wilds(deals.shuffle(f"deal/{self.deal}/wilds", 10), self._hands, layout.players)
        self._proposal = bytes(deals.shuffled(f"deal/{self.deal}/subjects", SUBJECTS)[:PROPOSAL_SIZE])
        self._open(layout.first)

    def _open(self, pending: Pending) -> None:
        """Ask the dealer for the next of its decisions, or turn up the proposal and begin to play."""
        if pending.kind is Kind.DISCARD:
            self.pending = pending
            self._legal = discard_actions(cards_in(self._hands[0]), self._layout.spare)
        elif pending.kind is Kind.DECLARE:
            self.pending = pending
            self._legal = DECLARATIONS
        else:
            self._turn_up_proposal()
            self._next_trick(pending)

    def _turn_up_proposal(self) -> None:
        self.subjects = self._proposal
        self._missing = [proposed(self.subjects)] * self._layout.side_count
        if not self.trumps:
            # The first subject says it: a family's number is its suit's as trumps, and butterflies are no suit.
            self.trumps = self.subjects[0] or Trumps.NONE.value

    def _choose(self, pending: Pending, action: int, seat: int) -> None:
        """Do what comes before the play."""
        if pending.kind is Kind.DECLARE:
            self.trumps = action - DECLARE_SUIT + 1
            self._open(pending.following)
        elif pending.kind is Kind.DISCARD:
            self._discarded = mask_of(cards_discarded(action))
            self._hands[0] ^= self._discarded
            self._open(pending.following)
        else:
            self._choose_doubling(pending.seats, action, seat)

    def _choose_doubling(self, asked: tuple[int, ...], action: int, seat: int) -> None:
        self._choices = {**self._choices, seat: action}
        waiting = tuple(other for other in asked if other != seat)
        if waiting:
            self._ask_doubling(waiting)
            return
        self.doubled = bytes(sorted(seat for seat, choice in self._choices.items() if choice == DOUBLE_YES))
        self.wilds = bytes(left - (seat in self.doubled) for seat, left in enumerate(self.wilds))
        self._choices = {}
        self._deal_cards()

    # Playing: tricks, and what is collected from them.

    def _next_trick(self, leader: Pending) -> None:
        if len(self.winners) == self._layout.tricks:
            self._end_deal()
            return
        if self._covered:
            self._covered = dummies.uncover(self._hands, self._covered)
        self._led_shift = -1
        self.pending = leader
        hand = self._hands[leader.position]
        self._legal = (
            _S[hand & SUIT_BITS] + _L[hand >> 13 & SUIT_BITS] + _F[hand >> 26 & SUIT_BITS] + _O[hand >> 39 & SUIT_BITS]
        )

    def _end_trick(self, taker: Pending) -> None:
        trick = self.plays[-len(self._layout.seats) :]
        self.winners.append(taker.position)
        if self._terms.plain:
            actions = self._missing[taker.side].actions(trick)
        else:
            actions = self._collectable(taker.side, trick)
        if actions:
            self.pending = taker
            self._legal = actions
        else:
            self.collected.append(NOTHING)
            self._next_trick(taker.lead)

    def _resume(self, leader: Pending, trick: bytes) -> None:
        """Go on with a trick that has been begun."""
        self._leader = pending = leader
        self._led_shift = SUIT_BIT[trick[0]]
        self._strengths = STRENGTH[self.trumps][trick[0]]
        best = trick[best_card(trick, self.trumps)]
        self._best = self._strengths[best]
        for card in trick:
            if card == best:
                self._winning = pending
            pending = pending.following
        self.pending = pending
        hand = self._hands[pending.position]
        self._legal = cards_in(follow_suit(hand & ORDINARY, SUIT_MASKS[SUIT[trick[0]]])) + wild_cards_in(hand)

    def _collectable(self, side: int, trick: bytes | bytearray) -> tuple[int, ...]:
        """Return what a side may do about a trick that it has won: nothing if the trick is barren or all is burned."""
        if len(self.winners) <= self._terms.barren:
            return ()
        return self._missing[side].actions(unburned(trick))

    def _end_deal(self) -> None:
        self._score(self._points(self._missing), self._terms)

    def _points(self, missing: list[MissingFamilies]) -> tuple[int, ...]:
        """Return the points of this deal by seat if so much is missing at its end.

        Every player of a side gets its full figure, a dummy nothing.
        """
        sides, weight = self._layout.sides, self._terms.weight(self.deal)
        points = [weight * missing[sides[position]].points for position in self._layout.positions]
        for seat in self.doubled:
            points[seat] *= 2
        return tuple(points)
