"""What a person's page shows of a question: all that the seat may know, and nothing else, as the question has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from farfalia.view import View
from farfalia_engine import DECLINED, FAMILIES, Kind, cards_discarded
from farfalia_engine.wording import CardFace
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.wording.seat import answer_words, asked, cards_of
from farfalia_server.wording.translating import translated


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A legal action: what it means, and the cards that it is about, if any."""

    action: int
    words: str
    faces: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in the hand, and the action that plays it, None if that is not legal now."""

    face: CardFace
    card: int
    action: int | None = None


@dataclass(frozen=True, slots=True)
class TrickCard:
    """A card of a trick: who played it, and whether it wins so far."""

    who: str
    face: CardFace
    wins: bool


@dataclass(frozen=True, slots=True)
class PlaceView:
    """Who plays at a position, with what lies before it for all to see; points are those of the deals before."""

    who: str
    mine: bool
    dealer: bool
    dummy: bool
    side: int
    held: int
    points: int
    collected: tuple[CardFace, ...]
    tricks: int
    up: tuple[HandCard, ...]
    doubles: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """A question as a page shows it."""

    match: int
    number: int
    game: str
    deal: int
    deals: int
    asked: str
    choices: tuple[SeatChoice, ...]
    #: How many cards are discarded together; 0 where nothing is.
    discards: int
    hand: tuple[HandCard, ...]
    places: tuple[PlaceView, ...]
    trick: tuple[TrickCard, ...]
    last: tuple[TrickCard, ...]
    #: What was collected from the last trick.
    taken: CardFace | None
    type: str
    trumps: str
    trumps_words: str
    subjects: str
    open: str
    wilds: tuple[tuple[str, int], ...]
    collecting: bool

    @property
    def plays(self) -> bool:
        """Whether the answer is a card of the hand, or of the dummy's."""
        return any(one.action is not None for one in self.hand) or any(
            one.action is not None for place in self.places for one in place.up
        )


def seat_view(view: View, names: Sequence[str]) -> SeatView:
    """Return what is shown of a question, with the names of all entrants by seat."""
    return _Shown(view, names).whole()


def discarded(view: View, cards: Sequence[int]) -> int:
    """Return the action that discards these cards; InvalidArgument, with what is expected, if none does."""
    found = {cards_discarded(action): action for action in view.legal} if view.kind is Kind.DISCARD else {}
    action = found.get(tuple(sorted(cards)))
    if action is None:
        count = len(next(iter(found), ()))
        named = ", ".join(view.rules.card_text(card) for card in sorted(cards) if card in view.hand) or "no card"
        raise InvalidArgument(
            "cards",
            said("you chose %(named)s; expected %(count)s of your cards", named=named, count=count)
            if count
            else said("choose again"),
        )
    return action


def seat_data(shown: SeatView) -> dict[str, Any]:
    """Return what a script needs to offer the same choices: `cards` are the texts of those that an action is about."""
    return {
        "match": shown.match,
        "number": shown.number,
        "asked": shown.asked,
        "deal": shown.deal,
        "hand": [one.face.text for one in shown.hand],
        "choices": [
            {"action": one.action, "text": translated(one.words), "cards": [face.text for face in one.faces]}
            for one in shown.choices
        ],
    }


class _Shown:
    def __init__(self, view: View, names: Sequence[str]) -> None:
        self._view = view
        self._names = names
        self._faces = view.rules.game.wording.faces

    def whole(self) -> SeatView:
        view, wording = self._view, self._view.rules.game.wording
        letter, words = wording.trumps(view.trumps)
        discards = len(cards_discarded(view.legal[0])) if view.kind is Kind.DISCARD and view.legal else 0
        last, taken = self._last()
        mine = view.kind is Kind.PLAY and view.acting not in view.dummies
        return SeatView(
            view.match,
            view.number,
            view.ruleset,
            view.deal,
            view.deals,
            asked(view),
            tuple(map(self._choice, view.legal)),
            discards,
            self._cards(view.hand, playable=mine),
            tuple(map(self._place, range(len(view.seats)))),
            self._trick(view.leaders[-1], view.trick, view.best_position) if view.trick else (),
            last,
            taken,
            wording.deal_type(view),
            letter,
            words,
            "".join(FAMILIES[family] for family in view.subjects),
            "".join(FAMILIES[family] for family in view.open),
            tuple((self._names[seat], left) for seat, left in enumerate(view.wilds)),
            view.rules.game.collecting,
        )

    def _choice(self, action: int) -> SeatChoice:
        faces = tuple(self._faces[card] for card in cards_of(self._view, action))
        return SeatChoice(action, answer_words(self._view, action), faces)

    def _cards(self, cards: Iterable[int], *, playable: bool) -> tuple[HandCard, ...]:
        legal = self._view.legal if playable else ()
        return tuple(HandCard(self._faces[card], card, card if card in legal else None) for card in cards)

    def _place(self, position: int) -> PlaceView:
        view = self._view
        seat, side, dummy = view.seats[position], view.sides[position], position in view.dummies
        up: tuple[HandCard, ...] = ()
        if dummy:
            acts = view.kind is Kind.PLAY and view.acting == position
            up = self._cards(view.face_up[view.dummies.index(position)], playable=acts)
        mine = [card for at, card in self._collected() if view.sides[at] == side]
        return PlaceView(
            self._names[seat],
            seat == view.seat,
            position == 0,
            dummy,
            side,
            view.held[position],
            view.totals[seat],
            tuple(self._faces[card] for card in mine),
            view.winners.count(position),
            up,
            seat in view.doubled,
        )

    def _collected(self) -> list[tuple[int, int]]:
        """Return who won each trick from which a card was collected, and the card."""
        view = self._view
        return [(won, card) for won, card in zip(view.winners, view.collected, strict=False) if card < DECLINED]

    def _last(self) -> tuple[tuple[TrickCard, ...], CardFace | None]:
        """Return the last trick that is over, and what was collected from it."""
        view, n = self._view, len(self._view.seats)
        number = len(view.winners) - (2 if view.deciding else 1)
        if number < 0:
            return (), None
        cards = view.plays[n * number : n * (number + 1)]
        taken = view.collected[number] if number < len(view.collected) else DECLINED
        trick = self._trick(view.leaders[number], cards, view.winners[number])
        return trick, self._faces[taken] if taken < DECLINED else None

    def _trick(self, leader: int, cards: bytes, winner: int | None) -> tuple[TrickCard, ...]:
        n = len(self._view.seats)
        positions = [(leader + step) % n for step in range(len(cards))]
        return tuple(
            TrickCard(self._names[self._view.seats[at]], self._faces[card], at == winner)
            for at, card in zip(positions, cards, strict=True)
        )
