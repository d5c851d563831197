"""Why a house bot would do what it would do in a person's place, in words, and what other choices are behind it.

The reason follows from what the seat knows and what the search has found: nothing is looked at that the seat may not
see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from farfalia_engine import (
    COLLECT_CARD,
    COLLECT_NONE,
    FAMILY,
    SUIT,
    WILD,
    DealType,
    FarfaliaObservation,
    FarragoObservation,
    Kind,
    Observation,
    SearchResult,
)
from farfalia_engine.actions import BAR_SUIT, DECLARE_NONE, DECLARE_SUIT, DOUBLE_NO, NAME_SUIT, SHOW_CARD
from farfalia_server.wording.language import gettext, ngettext
from farfalia_server.wording.phrases import decimal
from farfalia_server.wording.seat import answer_words, cards_of
from farfalia_server.wording.translating import translated

#: Choices that are shown beside the best one.
_OTHERS: Final = 5
#: A difference that is written as none.
_NOTHING: Final = 0.05

_SAME: Final = "{other} comes to about the same."
_BETTER: Final = "On average it brings {points} points more than {other}, the next best."
_FEWEST_LOST: Final = "It loses the fewest points, as far as a search can see."

#: Of a card that is led.
_DRAWS_LAST: Final = "It draws the last trump that the others may hold."
_DRAWS_AND_WINS: Final = "It draws trumps, and none that is still out beats it."
_DRAWS: Final = "It draws trumps, before they beat your other cards."
_LEADS_WINNER: Final = "No card that is still out beats it."
_LEADS_HIGH: Final = "No card of its suit that is still out beats it: only a trump could."
_LEADS_BARREN: Final = "Nothing may be collected from this trick yet: it keeps the better cards for later."
_LEADS_LOW: Final = "It keeps the cards that may win a trick later."
#: Of a card that takes the trick, or goes to it.
_COMPLETES: Final = "It wins the trick for certain, and with it a card that completes the proposal."
_WINS_NEEDED: Final = "It wins the trick for certain, and your side still needs {card}."
_LAST_WINS: Final = "You play last to this trick, and it wins."
_UNBEATABLE: Final = "No one behind you can beat it."
_TAKES_NEEDED: Final = "It is ahead in the trick so far, and your side still needs {card}."
_TAKES: Final = "It is ahead in the trick so far."
_GIVES_PARTNER: Final = "Your side is ahead in the trick: it adds a card that your side still needs."
_LETS_PARTNER: Final = "Your side is ahead in the trick already: it keeps the better cards."
_GIVES_NOTHING: Final = "It does not win, and gives the others no card that they still need."
_SAVES: Final = "It does not win: the trick is not worth a better card."
_BURNS: Final = "It burns what the others could collect from this trick."
_STAYS_BELOW: Final = "It leaves the trick to another player: your hand does better without it."
#: Of everything else.
_COLLECT_LAST: Final = "It completes the proposal: your side makes all of its points."
_COLLECT_OUT: Final = (
    "Your side still needs its family, of which {number} other card is out.",
    "Your side still needs its family, of which {number} other cards are out.",
)
_COLLECT_ALL_GONE: Final = "No other card of its family is still out."
_COLLECT_NONE: Final = "What the trick has may come again: declining keeps the place free."
_DISCARD_VOID: Final = "You hold no more {suit} then, and may trump when that suit is led."
_DISCARD_WEAK: Final = "These cards are the least likely to win a trick."
_LONG: Final = ("You hold {number} card of that suit.", "You hold {number} cards of that suit.")
_NO_TRUMPS: Final = "No suit of yours is long enough to be trumps."
_BAR_SHORT: Final = "It is the suit that you could use the least as trumps."
_PICK: Final = "Of the types that are left it suits your hand best."
_SPEND: Final = "This deal promises you more than a later one."
_KEEP: Final = "A later deal promises you more than this one."


@dataclass(frozen=True, slots=True)
class HintedChoice:
    """A legal action in words, and how many points it is behind the best one on average."""

    words: str
    behind: float


@dataclass(frozen=True, slots=True)
class Hint:
    """What a house bot would do, why, what that brings against the next best choice, and the best of the others."""

    answer: str
    reason: str
    value: str
    others: tuple[HintedChoice, ...]


def hint_words(view: Observation, found: SearchResult) -> Hint:
    """Return what a search has found for a seat that is asked."""
    best = found.values.get(found.best, 0.0)
    tried = sorted(
        (best - value, action)
        for action, value in found.values.items()
        if found.visits[action] and action != found.best
    )
    others = tuple(HintedChoice(_words(view, action), max(0.0, behind)) for behind, action in tried[:_OTHERS])
    return Hint(_words(view, found.best), reason(view, found.best), _value(others), others)


def reason(view: Observation, action: int) -> str:
    """Return in one sentence why an action is good that a search has found to be the best."""
    match view.kind:
        case Kind.PLAY if isinstance(view, FarfaliaObservation | FarragoObservation):
            return _Card(view, action).reason()
        case Kind.COLLECT if isinstance(view, FarfaliaObservation):
            return _collects(view, action)
        case Kind.DISCARD:
            return _discards(view, action)
        case Kind.DECLARE | Kind.NAME_TRUMPS | Kind.SHOW:
            return _trumps(view, action)
        case Kind.BAR:
            held = [_held(view, other - BAR_SUIT) for other in view.legal]
            return gettext(_BAR_SHORT if _held(view, action - BAR_SUIT) == min(held) else _FEWEST_LOST)
        case Kind.PICK_TYPE:
            return gettext(_PICK)
        case Kind.DOUBLE:
            return gettext(_KEEP if action == DOUBLE_NO else _SPEND)
        case _:
            return gettext(_FEWEST_LOST)


def _words(view: Observation, action: int) -> str:
    return translated(answer_words(view, action))


def _value(others: tuple[HintedChoice, ...]) -> str:
    if not others:
        return ""
    first = others[0]
    if first.behind < _NOTHING:
        return gettext(_SAME).format(other=first.words)
    return gettext(_BETTER).format(points=decimal(first.behind, 1), other=first.words)


class _Card:
    """A card of Farfalia or Farrago that may be played, as the seat sees the trick."""

    def __init__(self, view: FarfaliaObservation | FarragoObservation, card: int) -> None:
        self._view, self._card = view, card
        self._faces = view.rules.game.wording.faces
        self._voids, n = view.voids, len(view.seats)
        self._later = [(view.acting + step) % n for step in range(1, n - len(view.trick))]

    def reason(self) -> str:
        """Return why it is good."""
        view, card = self._view, self._card
        if isinstance(view, FarfaliaObservation) and card >= WILD:
            return gettext(_BURNS)
        if isinstance(view, FarragoObservation) and self._all_alike():
            return gettext(_FEWEST_LOST)
        if not view.trick:
            return gettext(self._led())
        if not view.would_win(card):
            return gettext(self._lost())
        needed = self._needed()
        if not self._beaten(card):
            if needed is not None and len(view.missing(view.sides[view.acting])) == 1:
                return gettext(_COMPLETES)
            if needed is not None:
                return gettext(_WINS_NEEDED).format(card=translated(self._faces[needed].words))
            return gettext(_UNBEATABLE if self._later else _LAST_WINS)
        if needed is not None:
            return gettext(_TAKES_NEEDED).format(card=translated(self._faces[needed].words))
        return gettext(_TAKES)

    def _led(self) -> str:
        view = self._view
        others = [up for at, up in zip(view.dummies, view.face_up, strict=True) if view.seats[at] != view.seat]
        out = [card for card in b"".join((view.unseen, *others)) if self._is_trump(card)]
        beaten = self._beaten(self._card)
        if self._is_trump(self._card):
            if len(out) == 1:
                return _DRAWS_LAST
            return _DRAWS_AND_WINS if out and not beaten else _DRAWS if out else _LEADS_WINNER
        if not beaten:
            return _LEADS_WINNER
        if all(self._is_trump(card) for card in beaten):
            return _LEADS_HIGH
        if view.barren and isinstance(view, FarfaliaObservation):
            return _LEADS_BARREN
        return _LEADS_LOW if isinstance(view, FarfaliaObservation) else _FEWEST_LOST

    def _lost(self) -> str:
        view, winner = self._view, self._view.best_position or 0
        if isinstance(view, FarragoObservation):
            return _STAYS_BELOW
        if view.barren:
            return _LEADS_BARREN
        family, mine = FAMILY[self._card], view.sides[view.acting]
        if view.sides[winner] == mine:
            return _GIVES_PARTNER if family in view.missing(mine) else _LETS_PARTNER
        return _SAVES if family in view.missing(view.sides[winner]) else _GIVES_NOTHING

    def _needed(self) -> int | None:
        """Return a card of the trick, or this one, that the seat's side could collect; None if there is none."""
        view = self._view
        if not isinstance(view, FarfaliaObservation) or view.barren:
            return None
        missing, burned = view.missing(view.sides[view.acting]), view.burned
        cards = (card for card in (*view.trick, self._card) if card < WILD and card not in burned)
        return next((card for card in cards if FAMILY[card] in missing), None)

    def _all_alike(self) -> bool:
        """Return whether each card that is legal does what this one does: then winning or losing is no choice."""
        view = self._view
        if view.trick:
            return len({view.would_win(card) for card in view.legal}) == 1
        return len({not self._beaten(card) for card in view.legal}) == 1

    def _beaten(self, card: int) -> list[int]:
        """Return cards by which the others may take the trick from one that is played, each of them alone."""
        view, after = self._view, self._view.with_card(card)
        if isinstance(view, FarragoObservation) and view.type is DealType.SECONDS and self._later:
            return list(view.unseen)  # two cards together may take what neither would alone
        mine, found = view.sides[view.acting], set[int]()
        for position in self._later:
            if view.sides[position] != mine:
                found.update(other for other in self._may_play(position, after) if after.would_win(other))
        return sorted(found)

    def _may_play(self, position: int, after: Observation) -> list[int]:
        """Return the cards that another position may play to the trick, as far as the seat knows."""
        view = self._view
        if position in view.dummies:
            held = view.face_up[view.dummies.index(position)]
            return [card for card in held if self._suit(card) == after.led] or list(held)
        voids = self._voids[position]
        return [card for card in view.unseen if self._suit(card) not in voids]

    def _suit(self, card: int) -> int:
        view = self._view
        return view.pack.suit[card] if isinstance(view, FarragoObservation) else SUIT[card]

    def _is_trump(self, card: int) -> bool:
        return self._suit(card) == self._view.trumps - 1


def _collects(view: FarfaliaObservation, action: int) -> str:
    if action == COLLECT_NONE:
        return gettext(_COLLECT_NONE)
    card = action - COLLECT_CARD
    if len(view.missing(view.sides[view.winners[-1]])) == 1:
        return gettext(_COLLECT_LAST)
    out = sum(FAMILY[other] == FAMILY[card] for other in (*view.unseen, *view.hand))
    if not out:
        return gettext(_COLLECT_ALL_GONE)
    return ngettext(*_COLLECT_OUT, out).format(number=out)


def _discards(view: Observation, action: int) -> str:
    """Say which suit is gone with the cards, if one is."""
    cards, faces = cards_of(view, action), view.rules.game.wording.faces
    kept = {faces[card].suit for card in view.hand if card not in cards}
    gone = next((card for card in cards if faces[card].suit not in kept), None)
    if gone is None or not isinstance(view, FarfaliaObservation):
        return gettext(_DISCARD_WEAK)
    words = view.rules.game.wording.trumps(SUIT[gone] + 1)[1]
    return gettext(_DISCARD_VOID).format(suit=translated(words))


def _trumps(view: Observation, action: int) -> str:
    """Say how long the suit is that is declared, named or proposed."""
    if view.kind is Kind.DECLARE:
        if action == DECLARE_NONE:
            return gettext(_NO_TRUMPS)
        suit = action - DECLARE_SUIT
    elif view.kind is Kind.NAME_TRUMPS:
        suit = action - NAME_SUIT
    else:
        suit = cast(FarragoObservation, view).pack.suit[action - SHOW_CARD]
    held = _held(view, suit)
    return ngettext(*_LONG, held).format(number=held)


def _held(view: Observation, suit: int) -> int:
    """Return how many cards of a suit the seat holds, with those of its dummy that lie face up."""
    suits = view.pack.suit if isinstance(view, FarragoObservation) else SUIT
    own = [cards for at, cards in zip(view.dummies, view.face_up, strict=True) if view.seats[at] == view.seat]
    return sum(card < len(suits) and suits[card] == suit for card in b"".join((view.hand, *own)))
