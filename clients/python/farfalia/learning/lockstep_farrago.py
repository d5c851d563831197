"""Many positions of Farrago at once, each played on as `cautious` plays; the sister of `lockstep_cautious`.

All positions are of one type of deal and one moment; arrays have the positions ("rows") along their last axis.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from farfalia.bots import farrago_estimates as estimates
from farfalia.learning.card_sets import Bytes, Places, Sets
from farfalia.learning.lockstep_policy import Floats, PolicyTable, listed, none_of
from farfalia_engine.farrago.card_chances import AVOIDING, GOING
from farfalia_engine.farrago.deal_types import DealType
from farfalia_engine.farrago.heuristic_playout import strengths
from farfalia_engine.farrago.packs import Pack
from farfalia_engine.farrago.terms import ABOVE_PAR, BELOW_PAR, FarragoTerms

_ONE: Final = np.uint64(1)
#: Trumps as states number them: none found yet, four suits, none at all.
_TRUMPS: Final = 6
_CARDS: Final = 61
_HELD: Final = 21
_NONE_OF: Final = none_of(_CARDS, _HELD)
_BY_SOME: Final = _CARDS * _HELD


@dataclass(frozen=True)
class FarragoTables:
    """A type of deal with its pack as arrays, each by trumps and cards."""

    suit: Bytes
    rank: Bytes
    suits: Sets
    #: By trumps, card led and card: how strong the card is, and the cards that then beat it.
    strength: Bytes
    beating: Sets
    #: By card led: by how much a card must be stronger to win.
    enough: Bytes
    #: By trumps and card: those that win more often, those that it is compared with, how often all of these win.
    stronger: Sets
    rivals: Sets
    compared: NDArray[np.intp]
    chance: Floats


@dataclass(frozen=True, slots=True)
class FarragoEstimates:
    """What cautious thinks of the legal cards, ascending: `values`, how likely each holds this trick and wins a later
    one, all (choices, rows); and by row whether the hand goes for tricks, and how many it promises.
    """

    cards: Bytes
    values: Floats
    hold: Floats
    luck: Floats
    going: NDArray[np.bool_]
    promised: Floats


@cache
def tables_of(pack: Pack, seats: int, kind: DealType) -> FarragoTables:
    """Return the arrays of a type of deal."""
    size = pack.size
    rank, suit = np.array(list(pack.rank), np.int16), np.array(list(pack.suit), np.int16)
    strength = np.zeros((_TRUMPS, size, size), np.uint8)
    enough = np.zeros(size, np.uint8)
    beating = np.zeros((_TRUMPS, size, size), np.uint64)
    stronger = np.zeros((_TRUMPS, size), np.uint64)
    rivals = np.zeros((_TRUMPS, size), np.uint64)
    compared = np.zeros((_TRUMPS, size), np.intp)
    chance = np.zeros((_TRUMPS, size, size))
    bits = _ONE << np.arange(size, dtype=np.uint64)
    for trumps in range(_TRUMPS):
        for card, (above, among, often) in estimates.ranking(pack, seats, kind, trumps).items():
            stronger[trumps, card], rivals[trumps, card] = above, among
            compared[trumps, card] = len(often) - 1
            chance[trumps, card, : len(often)] = often
        for led in range(size):
            if kind is DealType.SECONDS:
                beats = _second(rank, suit, led)
            else:
                found, enough[led] = strengths(pack, kind, trumps, led)
                strong = np.array(list(found), np.int16)
                strength[trumps, led] = strong
                beats = (strong[np.newaxis] >= strong[:, np.newaxis] + enough[led]) & (strong > 0)
                if kind is DealType.SURPRISE and not trumps:
                    beats[suit != suit[led]] = suit != suit[led]
            beats[np.arange(size), np.arange(size)] = False
            beats[:, led] = False
            beating[trumps, led] = (beats * bits).sum(axis=1, dtype=np.uint64)
    return FarragoTables(
        suit.astype(np.uint8),
        rank.astype(np.uint8),
        np.array(pack.suit_masks, np.uint64),
        strength.reshape(-1),
        beating.reshape(-1),
        enough,
        stronger.reshape(-1),
        rivals.reshape(-1),
        compared.reshape(-1),
        chance.reshape(-1),
    )


def _second(rank: NDArray[np.int16], suit: NDArray[np.int16], led: int) -> NDArray[np.bool_]:
    """Return, by best card and card, whether the card wins a trick of seconds of these three, or two."""
    r, b, c = rank[led], rank[:, np.newaxis], rank[np.newaxis]
    follows = suit == suit[led]
    within = np.where(follows[:, np.newaxis], (r > c).astype(int) + (b > c) == 1, c < r) & follows
    # Nobody follows: the rank in second place, of equals the second card.
    middle = np.sort(np.stack(np.broadcast_arrays(r, b, c)), axis=0)[1]
    alone = ~follows & ~follows[:, np.newaxis] & (c == middle) & ~((r == c) & (b == c))
    beats: NDArray[np.bool_] = within | alone
    beats[led] = np.where(follows, rank < r, rank <= r)
    return beats


class FarragoTable(PolicyTable):
    """Rows of a deal of Farrago: `won` is (positions, rows), the tricks of each so far, `trumps` (rows,)."""

    by_row = (*PolicyTable.by_row, "trumps", "won", "best", "owner")

    def __init__(
        self,
        terms: FarragoTerms,
        kind: DealType,
        *,
        hands: Sets,
        trumps: Bytes,
        played: Sets,
        voids: Bytes,
        leader: Places,
        won: NDArray[np.intp],
        left: int,
    ) -> None:
        super().__init__(hands=hands, played=played, voids=voids, leader=leader, left=left)
        self.trumps, self.won = trumps, won
        self.tables = tables_of(terms.pack, terms.seats, kind)
        self.kind, self.par, self.low = kind, terms.par, terms.pack.low
        self._size = np.intp(terms.pack.size)
        self._all = np.uint64((1 << terms.pack.size) - 1)
        self._worth = np.array([terms.points(tricks) for tricks in range(terms.pack.size // terms.seats + 1)], np.int16)
        self._clear()

    def _clear(self) -> None:
        self.step = 0
        #: The cards on the table as they were played; the best of them, and whose it is.
        self.trick: list[Bytes] = []
        self.best = np.zeros(len(self.rows), np.uint8)
        self.owner = self.leader.copy()

    def chosen(self, rows: Places) -> Self:
        """Return a table of its own with these rows, in this order, each as often as it is named."""
        other = super().chosen(rows)
        other.trick = [cards[rows] for cards in self.trick]
        return other

    @property
    def points(self) -> NDArray[np.int16]:
        """Points by position and row."""
        points: NDArray[np.int16] = self._worth[self.won]
        return points

    @property
    def shown(self) -> Sets:
        """Nothing."""
        return np.zeros(len(self.rows), np.uint64)

    def legal(self) -> Sets:
        """Return what may be played, by row."""
        hand = self.hands[self.acting, self.rows]
        if not self.step:
            return hand
        following = hand & self.tables.suits[self.tables.suit[self.trick[0]]]
        return np.where(following, following, hand)

    def play(self, cards: Bytes) -> None:
        """Play these cards, one in each row."""
        tables, acting = self.tables, self.acting
        self._take(cards)
        if not self.step:
            self.best, self.owner = cards, acting
            self.trick.append(cards)
        else:
            wins = self.would_win(cards)
            led, suit = tables.suit[self.trick[0]], tables.suit[cards]
            out = suit != led
            self._show_void(out, led)
            self.trick.append(cards)
            if self.kind is DealType.SECONDS:
                trick = np.array(self.trick)
                index = _second_of(tables, trick)
                self.owner = (self.leader + index) % self.positions
                self.best = trick[index, self.rows]
            else:
                self.best = np.where(wins, cards, self.best)
                self.owner = np.where(wins, acting, self.owner)
            if self.kind is DealType.SURPRISE:
                self.trumps = np.where(out & (self.trumps == 0), suit + 1, self.trumps).astype(np.uint8)
        self.step += 1
        if self.step == self.positions:
            self.won[self.owner, self.rows] += 1
            self.left -= 1
            self.leader = self.owner
            self._clear()

    def would_win(self, cards: Bytes) -> NDArray[np.bool_]:
        """Return whether these cards, one a row or (choices, rows), would win the trick that was led to."""
        tables = self.tables
        if self.kind is DealType.SECONDS:
            if cards.ndim == 1:
                last: NDArray[np.bool_] = _second_of(tables, np.array([*self.trick, cards])) == self.step
                return last
            return np.array([self.would_win(each) for each in cards])
        led = self.trick[0].astype(np.intp)
        base = (self.trumps * self._size + led) * self._size
        wins: NDArray[np.bool_] = (
            tables.strength[base + cards] >= tables.strength[base + self.best] + tables.enough[led]
        ) & (tables.strength[base + cards] > 0)
        return wins

    def values(self) -> tuple[Bytes, Floats]:
        """Return the legal cards of each row and what cautious thinks of them: see `farrago_estimates`."""
        found = self.estimates()
        return found.cards, found.values

    def unseen(self) -> Sets:
        """Return the cards that the others hold, as far as the seat that is to play can know, by row."""
        unseen: Sets = self._all & ~(self.played | self.hands[self.acting, self.rows])
        return unseen

    def estimates(self) -> FarragoEstimates:
        """Return what cautious thinks of the legal cards, and what that follows from."""
        tables, rows, acting, n = self.tables, self.rows, self.acting, self.positions
        hand = self.hands[acting, rows]
        unseen = self.unseen()
        count = np.maximum(np.bitwise_count(unseen), 1).astype(np.intp)
        held_cards, held_real = listed(hand)
        lucks = self._luck(held_cards, unseen)
        total = np.where(held_real, lucks, 0.0).sum(axis=0)
        won = self.won[acting, rows]
        left = np.bitwise_count(hand)
        going = self._expected(won + np.minimum(GOING * total, left)) > self._expected(won + AVOIDING * total)
        cards, real = listed(self.legal())
        luck = self._luck(cards, unseen)
        led = self.trick[0] if self.step else cards
        suit = tables.suit[led]
        mask = tables.suits[suit]
        beating = unseen & tables.beating[(self.trumps * self._size + led) * self._size + cards]
        following = np.bitwise_count(unseen & mask).astype(np.intp)
        within = np.bitwise_count(beating & mask).astype(np.intp) * _BY_SOME + count * _HELD
        rest = np.maximum(count - following, 1)
        outside = np.bitwise_count(beating & ~mask).astype(np.intp) * _BY_SOME + rest * _HELD
        none_follows = following * _BY_SOME + count * _HELD
        # From here on with those who play later to the trick along a first axis.
        place = (acting + np.arange(1, n - self.step)[:, np.newaxis]) % n
        held = np.bitwise_count(self.hands[place, rows]).astype(np.intp)[:, np.newaxis]
        out = self.voids[place, rows][:, np.newaxis] >> suit & 1
        void = np.where(out, 1.0, _NONE_OF[none_follows + held])
        beat = (1 - _NONE_OF[within + held]) * (out ^ 1) + void * (1 - _NONE_OF[outside + held])
        hold: Floats = (1 - estimates.EAGER * np.minimum(beat, 1.0)).prod(axis=0)
        if self.step:
            otherwise = luck if self.kind is DealType.SECONDS and len(place) else 0.0
            hold = np.where(self.would_win(cards), hold, otherwise)
        value = np.where(going, hold - estimates.KEPT * luck, estimates.RID * luck - hold)
        value[~real] = -np.inf
        return FarragoEstimates(cards, value, hold, luck, going, total)

    def _luck(self, cards: Bytes, unseen: Sets) -> Floats:
        tables = self.tables
        index = self.trumps * self._size + cards
        left = np.bitwise_count(unseen & tables.rivals[index]).astype(np.intp)
        above = np.bitwise_count(unseen & tables.stronger[index])
        place = np.rint(above * tables.compared[index] / np.maximum(left, 1)).astype(np.intp)
        luck: Floats = tables.chance[index * self._size + np.where(left > 0, place, 0)]
        return luck

    def _expected(self, tricks: Floats) -> Floats:
        above = tricks - self.par
        return np.where(above > 0, ABOVE_PAR * above, -BELOW_PAR * above)


def _second_of(tables: FarragoTables, trick: Bytes) -> Places:
    """Return which card of each trick, (cards, rows), wins it in seconds."""
    count = len(trick)
    keys = tables.rank[trick].astype(np.int16) * 8 + np.arange(count, dtype=np.int16)[:, np.newaxis]
    follows = tables.suit[trick] == tables.suit[trick[0]]
    within = np.sort(np.where(follows, keys, np.int16(-1)), axis=0)
    if count == 1:
        return np.zeros(trick.shape[1], np.intp)
    ranks = np.sort(tables.rank[trick], axis=0)[-2]
    of_rank = tables.rank[trick] == ranks
    # The second of those of this rank, if there are two, else the first.
    order = of_rank.cumsum(axis=0)
    twice = order[-1] > 1
    alone = np.where(twice, (order == 2).argmax(axis=0), of_rank.argmax(axis=0))
    second: Places = np.where(follows.sum(axis=0) > 1, within[-2] % 8, alone).astype(np.intp)
    return second
