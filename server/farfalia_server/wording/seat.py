"""What a person at the table is asked, in one sentence, and what each answer means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from farfalia_engine import BAR_SUIT, PICK_TYPE, DealType, Kind, Observation, cards_discarded
from farfalia_engine.actions import COLLECT_CARD, COLLECT_NONE, DECLARE_SUIT, DOUBLE_NO, NAME_SUIT, SHOW_CARD
from farfalia_server.wording.language import gettext
from farfalia_server.wording.translating import translated

#: By kind of decision, what is asked.
_ASKED: Final[dict[Kind | None, str]] = {
    Kind.DISCARD: "You deal: choose what you discard, face down.",
    Kind.DECLARE: "You deal: declare trumps.",
    Kind.PLAY: "Play a card: follow suit if you can.",
    Kind.COLLECT: "You won the trick: collect one of its cards for your side, or none.",
    Kind.DOUBLE: "Spend a wild card to double your points of this deal, or keep it.",
    Kind.PICK_TYPE: "Pick the type of this deal.",
    Kind.BAR: "Bar a suit from being trumps in this deal.",
    Kind.NAME_TRUMPS: "Name trumps for this deal.",
    Kind.SHOW: "Show a card of the suit that you propose as trumps.",
}
_LEADS: Final = "You lead: play any card to begin the trick."
_DUMMY_LEADS: Final = "Your dummy leads: play one of its cards that lie face up."
_DUMMY_PLAYS: Final = "Play a card of your dummy: it follows suit if it can."
_DECIDE: Final = "Decide."
#: House bots as opponents, the weakest first.
_OPPONENTS: Final = {
    "random": "random: plays any card",
    "greedy": "greedy: wins what it can",
    "cautious": "cautious: weighs what a card may bring",
    "learned": "learned: plays as it has learned from itself",
    "flat-monte-carlo": "flat-monte-carlo: plays each card out many times",
    "expert": "expert: the strongest here",
}
#: Answers that are not a card alone.
_DISCARD: Final = "Discard {cards}"
_COLLECT_NONE: Final = "Collect none"
_SPEND: Final = "Spend a wild card"
_KEEP: Final = "Keep it"


def asked(view: Observation) -> str:
    """Return what the seat is asked, in one sentence."""
    if view.kind is Kind.PLAY:
        dummy = view.acting in view.dummies
        if view.trick:
            return gettext(_DUMMY_PLAYS if dummy else _ASKED[Kind.PLAY])
        return gettext(_DUMMY_LEADS if dummy else _LEADS)
    return gettext(_ASKED.get(view.kind, _DECIDE))


def answer_words(view: Observation, action: int) -> str:
    """Return an action in words: a card by its name, suits and types of deals by theirs."""
    wording = view.rules.game.wording
    match view.kind:
        case Kind.PLAY:
            return wording.faces[action].words
        case Kind.COLLECT if action != COLLECT_NONE:
            return wording.faces[action - COLLECT_CARD].words
        case Kind.COLLECT:
            return gettext(_COLLECT_NONE)
        case Kind.SHOW:
            return wording.faces[action - SHOW_CARD].words
        case Kind.DISCARD:
            return gettext(_DISCARD).format(
                cards=", ".join(translated(wording.faces[card].words) for card in cards_of(view, action))
            )
        case Kind.DECLARE:
            return wording.trumps(action - DECLARE_SUIT + 1)[1]
        case Kind.NAME_TRUMPS:
            return wording.trumps(action - NAME_SUIT + 1)[1]
        case Kind.BAR:
            return wording.trumps(action - BAR_SUIT + 1)[1]
        case Kind.PICK_TYPE:
            return DealType(action - PICK_TYPE + 1).text
        case Kind.DOUBLE:
            return gettext(_KEEP if action == DOUBLE_NO else _SPEND)
        case _:
            return view.text(action)


def cards_of(view: Observation, action: int) -> tuple[int, ...]:
    """Return the cards that an action plays, collects, shows or discards; none of any other."""
    match view.kind:
        case Kind.PLAY:
            return (action,)
        case Kind.COLLECT if action != COLLECT_NONE:
            return (action - COLLECT_CARD,)
        case Kind.SHOW:
            return (action - SHOW_CARD,)
        case Kind.DISCARD:
            return cards_discarded(action)
        case _:
            return ()


def opponents(kinds: Iterable[str]) -> dict[str, str]:
    """Return house bots with words for what they do, the weakest first."""
    order = list(_OPPONENTS)
    known = sorted(kinds, key=lambda kind: (order.index(kind) if kind in order else len(order), kind))
    return {kind: gettext(_OPPONENTS[kind]) if kind in _OPPONENTS else kind for kind in known}
