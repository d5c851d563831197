"""A question in words, for those who read: people, and language models that play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from farfalia_engine import DECLINED, FAMILIES, Kind, Observation, cards_discarded
from farfalia_engine.actions import COLLECT_CARD, COLLECT_NONE, DECLARE_SUIT, DOUBLE_NO, NAME_SUIT, SHOW_CARD

#: What each kind of decision asks for.
_ASKED = {
    Kind.DISCARD: "Discard, face down",
    Kind.DECLARE: "Declare trumps",
    Kind.PLAY: "Play a card",
    Kind.COLLECT: "You won the trick. Collect one of its cards, or none",
    Kind.DOUBLE: "Spend a wild card to double your points of this deal, or keep it",
    Kind.PICK_TYPE: "Pick the type of this deal",
    Kind.BAR: "Bar a suit from being trumps",
    Kind.NAME_TRUMPS: "Name trumps",
    Kind.SHOW: "Show a card of the suit that you propose as trumps",
}


def question_words(view: Observation) -> str:
    """Return what the seat knows that is asked, what it is asked, and a line for each legal action with its text.

    >>> from farfalia_engine import Deals, ruleset
    >>> print(question_words(ruleset("two").new_match(Deals(bytes(32))).observation(0)).splitlines()[0])
    Two, deal 1 of 4. You are seat 0.
    """
    return "\n".join(_lines(view))


def _lines(view: Observation) -> Iterator[str]:
    game, wording = view.ruleset.replace("-", " "), view.rules.game.wording
    of = f" of {view.deals}" if view.deals else ""
    yield f"{game.capitalize()}, deal {view.deal}{of}. You are seat {view.seat}."
    points = (f"{'you' if seat == view.seat else f'seat {seat}'} {total}" for seat, total in enumerate(view.totals))
    yield f"Points before this deal: {', '.join(points)}."
    partners = sorted({view.seats[place] for place in view.partners} - {view.seat})
    if partners:
        yield f"Your partners: {_seats(partners)}."
    if deal_type := wording.deal_type(view):
        yield f"Type of deal: {deal_type}."
    yield f"Trumps: {wording.trumps(view.trumps)[1]}."
    if view.subjects:
        wanted, still = _families(view.subjects), _families(view.open)
        yield f"To collect (B butterflies, or the suit): {wanted}. Open for you: {still}."
    if view.wilds:
        yield f"Wild cards left: {', '.join(f'seat {seat} {left}' for seat, left in enumerate(view.wilds))}."
    if view.doubled:
        yield f"Points of this deal are doubled for {_seats(view.doubled)}."
    for dummy, up in zip(view.dummies, view.face_up, strict=True):
        yield f"{_upper(_place(view, dummy))} shows {_cards(view, up)}."
    if view.winners and not (view.deciding and len(view.winners) == 1):
        yield _last_trick(view)
    if view.trick:
        best = view.best_position
        assert best is not None, "a card lies on the table"
        yield f"On the table: {_trick(view, view.leaders[-1], view.trick)}. Winning so far: {_place(view, best)}."
    yield f"Your hand: {_cards(view, view.hand)}."
    asked = "Decide" if view.kind is None else _ASKED[view.kind]
    acting = " for your dummy" if view.acting in view.dummies else ""
    yield f"{asked}{acting}. You may:"
    yield from (f"- {view.text(action)}{_meaning(view, action)}" for action in view.legal)


def _last_trick(view: Observation) -> str:
    n = len(view.seats)
    number = len(view.winners) - (2 if view.deciding else 1)
    cards = view.plays[n * number : n * (number + 1)]
    winner = _upper(_place(view, view.winners[number]))
    said = f"Trick {number + 1}: {_trick(view, view.leaders[number], cards)}. {winner} won it"
    card = view.collected[number] if number < len(view.collected) else DECLINED
    return f"{said} and collected {view.rules.card_text(card)}." if card < DECLINED else f"{said}."


def _meaning(view: Observation, action: int) -> str:
    """Return what an action's text means, where that does not go without saying."""
    faces, wording = view.rules.game.wording.faces, view.rules.game.wording
    match view.kind:
        case Kind.PLAY:
            return f": {faces[action].words}"
        case Kind.COLLECT if action != COLLECT_NONE:
            return f": {faces[action - COLLECT_CARD].words}"
        case Kind.SHOW:
            return f": {faces[action - SHOW_CARD].words}"
        case Kind.DISCARD:
            return f": {' and '.join(faces[card].words for card in cards_discarded(action))}"
        case Kind.DECLARE:
            return f": {wording.trumps(action - DECLARE_SUIT + 1)[1]}"
        case Kind.NAME_TRUMPS:
            return f": {wording.trumps(action - NAME_SUIT + 1)[1]}"
        case Kind.DOUBLE:
            return ": keep it" if action == DOUBLE_NO else ": spend it"
        case _:
            return ""


def _trick(view: Observation, leader: int, cards: bytes) -> str:
    n = len(view.seats)
    return ", ".join(
        f"{_place(view, (leader + step) % n)} {view.rules.card_text(card)}" for step, card in enumerate(cards)
    )


def _place(view: Observation, position: int) -> str:
    seat = view.seats[position]
    if position in view.dummies:
        return "your dummy" if seat == view.seat else f"the dummy of seat {seat}"
    return "you" if seat == view.seat else f"seat {seat}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _cards(view: Observation, cards: Iterable[int]) -> str:
    return " ".join(map(view.rules.card_text, cards)) or "nothing"


def _families(families: Sequence[int]) -> str:
    return " ".join(FAMILIES[family] for family in families) or "nothing"


def _seats(seats: Iterable[int]) -> str:
    return ", ".join(f"seat {seat}" for seat in seats)
