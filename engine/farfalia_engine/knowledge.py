"""What one seat may know, as plain data, and what follows from it; `Observation` adds the rules and sampling."""

from dataclasses import dataclass, replace
from typing import Self

from farfalia_engine.actions import Kind
from farfalia_engine.farfalia.cards import NO_SUIT


@dataclass(slots=True)
class SeatKnowledge:
    """The fields of an `Observation`, and all that can be told from them without knowing the rules."""

    #: The seat that looks, from 0.
    seat: int
    #: Number of this deal in the match, from 1.
    deal: int
    #: How many deals the match has; 0 if that is not known yet.
    deals: int
    #: The seat that plays at each position, the dealer's position first.
    seats: bytes
    #: The side of each position; equal numbers collect together.
    sides: bytes
    #: Points of every finished deal, by seat, deal after deal.
    scores: tuple[int, ...]
    #: Points by seat in all finished deals.
    totals: tuple[int, ...]
    #: Trumps, as in `Trumps`; 0 before the declaration.
    trumps: int
    #: The families to collect, as they were turned up; empty before that.
    subjects: bytes
    #: Cards that this seat holds, ascending.
    hand: bytes
    #: Cards that this seat discarded in this deal, ascending.
    discarded: bytes
    #: Every card played in this deal, in order.
    plays: bytes
    #: The position that led, of each trick in which a card was played.
    leaders: bytes
    #: The position that won, of each completed trick.
    winners: bytes
    #: Of each completed trick whose winner has decided: the card collected, DECLINED or NOTHING.
    collected: bytes
    #: How many cards each position holds.
    held: bytes
    #: What the match is played by; in the contract `ruleset` and `options`. Only an `Observation` knows its type.
    rules: object
    #: The decision that this seat is asked for, None if it is not asked.
    kind: Kind | None = None
    #: The legal actions, ascending; empty if the seat is not asked.
    legal: tuple[int, ...] = ()
    #: The position that is to act if this seat is asked: its own, or that of its dummy.
    acting: int = 0
    #: Positions of dummies, ascending; their partners' seats stand in `seats`.
    dummies: bytes = b""
    #: Of each dummy, the cards that it may play, ascending.
    face_up: tuple[bytes, ...] = ()
    #: Of each dummy, those of its face-up cards under which another one lies face down, ascending.
    covering: tuple[bytes, ...] = ()
    #: Wild cards left to spend, by seat; empty but in `double_you`.
    wilds: bytes = b""
    #: Seats that double their score for this deal, ascending, once all have chosen.
    doubled: bytes = b""
    #: The action by which this seat has chosen while others still think, 0 if there is none.
    choice: int = 0
    #: Farrago: the type of each deal so far, this one's included once it is known; see `DealType`.
    types: bytes = b""
    #: Farrago: suits barred from being trumps in this deal, in order.
    bars: bytes = b""
    #: Farrago: the card that each position has shown in a deal of majority, once all have.
    shown: bytes = b""

    @property
    def position(self) -> int:
        """This seat's place in this deal, clockwise from the dealer."""
        return self.seats.index(self.seat)

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return self.seats[0]

    @property
    def side(self) -> int:
        """This seat's side."""
        return self.sides[self.position]

    @property
    def partners(self) -> tuple[int, ...]:
        """The other positions of this seat's side."""
        position, side = self.position, self.side
        return tuple(place for place, other in enumerate(self.sides) if other == side and place != position)

    @property
    def trick(self) -> bytes:
        """The cards of the trick that is being played or collected from, in order; empty before a lead."""
        n = len(self.seats)
        return self.plays[-n:] if self.deciding else self.plays[n * len(self.winners) :]

    @property
    def leader(self) -> int | None:
        """The position that led to `trick`, None before a lead."""
        return self.leaders[-1] if self.trick else None

    @property
    def led(self) -> int | None:
        """The suit led to `trick`, 0 … 3, None before a lead."""
        trick = self.trick
        return self._suit_of[trick[0]] if trick else None

    @property
    def best(self) -> int | None:
        """The card of `trick` that wins it so far, None before a lead."""
        trick = self.trick
        return trick[self._winner(trick)] if trick else None

    def would_win(self, card: int) -> bool:
        """Return whether this card, played to `trick` next, would win it so far."""
        trick = self.trick + bytes((card,))
        return self._winner(trick) == len(trick) - 1

    @property
    def best_position(self) -> int | None:
        """The position that wins `trick` so far, None before a lead."""
        trick = self.trick
        return (self.leaders[-1] + self._winner(trick)) % len(self.seats) if trick else None

    @property
    def voids(self) -> tuple[frozenset[int], ...]:
        """By position, the suits in which it has shown that it has no card left.

        A wild card shows nothing, and what a dummy plays nothing of its face-down cards.
        """
        n = len(self.seats)
        voids: list[set[int]] = [set() for _ in range(n)]
        suits = self.plays.translate(self._suit_of)
        for number, leader in enumerate(self.leaders):
            trick = suits[n * number : n * (number + 1)]
            led = trick[0]
            if trick.count(led) < len(trick):
                for offset, suit in enumerate(trick):
                    if suit != led and suit != NO_SUIT:
                        voids[(leader + offset) % n].add(led)
        for dummy in self.dummies:
            voids[dummy].clear()
        return tuple(map(frozenset, voids))

    @property
    def unseen(self) -> bytes:
        """Cards that this seat has not seen: in other hands, discarded by another dealer, face down; ascending."""
        return self._deck.translate(None, b"".join((self.hand, self.discarded, self.plays, *self.face_up)))

    # What a family of games says: its cards, and how its tricks are won.

    @property
    def deciding(self) -> bool:
        """Whether a trick is complete and its winner has still to decide what to collect."""
        return False

    @property
    def barren(self) -> bool:
        """Whether nothing may be collected from the trick on the table or the next one."""
        return True

    def missing(self, side: int) -> bytes:
        """Return the families that this side may still collect; none where nothing is collected."""
        del side
        return b""

    @property
    def open(self) -> bytes:
        """The families that this seat's side may still collect; see `missing`."""
        return self.missing(self.side)

    @property
    def burned(self) -> bytes:
        """The cards of `trick` that cannot be collected because of others in it, in order."""
        return b""

    def points(self, side: int) -> int:
        """Return the points of this side if the deal ended now."""
        raise NotImplementedError  # each family counts its own way

    def with_card(self, card: int) -> Self:
        """Return what is seen with one more card on the table, before anything follows from it."""
        return replace(self, plays=self.plays + bytes((card,)))

    def _winner(self, trick: bytes) -> int:
        raise NotImplementedError  # each family says which card wins

    @property
    def _suit_of(self) -> bytes:
        raise NotImplementedError  # each family has its own cards

    @property
    def _deck(self) -> bytes:
        raise NotImplementedError  # each family has its own cards
