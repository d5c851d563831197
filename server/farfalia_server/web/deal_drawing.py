"""A deal as plain data, from which the script of the pages draws a table card by card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from farfalia.v1 import record_pb2
from farfalia_engine import CardFace
from farfalia_engine.farfalia.wording import FAMILY_WORDS
from farfalia_server.conduct import REPLACED
from farfalia_server.records.deal_views import DealView, TrickView
from farfalia_server.wording.phrases import cause, side_name


class DrawnCard(TypedDict):
    """A card: its short name, the symbol it shows, and its name in words."""

    text: str
    suit: str
    butterfly: bool
    words: str


class DrawnPlay(TypedDict):
    """A card that a position played, and the milliseconds it took; `instead` says why it was not its bot's answer."""

    at: int
    card: DrawnCard
    ms: int
    instead: str


class DrawnTrick(TypedDict):
    """A trick in the order in which it was played; `winner` is a position, None as long as it is not complete.

    `burned` are cards that wild ones keep from being collected.
    """

    plays: list[DrawnPlay]
    winner: int | None
    collected: DrawnCard | None
    declined: bool
    burned: list[DrawnCard]


class DrawnSeat(TypedDict):
    """Who plays at a position; `before` and `points` are the points before the deal and in it.

    Of a dummy, `down` are the cards that lie face down at first.
    """

    name: str
    side: str
    dummy: bool
    down: list[str]
    hand: list[DrawnCard]
    before: int
    points: int | None


class DrawnDeal(TypedDict):
    """A deal; seats by position, the dealer (who discards) first. `proposal` has letter and word of each subject."""

    match: int
    deal: int
    deals: int
    collecting: bool
    trumps: str
    proposal: list[tuple[str, str]]
    discarded: list[str]
    seats: list[DrawnSeat]
    tricks: list[DrawnTrick]


def drawn(match: int, record: record_pb2.Record, deals: Sequence[DealView], number: int) -> DrawnDeal:
    """Return deal `number` of a match that is over, counted from 1."""
    deal, names = deals[number - 1], [seat.name for seat in record.seats]
    before = [sum(earlier.scores[seat] for earlier in deals[: number - 1]) for seat in range(len(names))]
    return DrawnDeal(
        match=match,
        deal=number,
        deals=len(deals),
        collecting=deal.collecting,
        trumps=deal.trumps_words,
        proposal=[(letter, FAMILY_WORDS[letter]) for letter in deal.subjects],
        discarded=[face.text for face in deal.discarded],
        seats=[
            DrawnSeat(
                name=deal.who(position, names),
                side=side_name(deal.sides[position]) if deal.collecting else "",
                dummy=position in deal.dummies,
                down=[face.text for face in deal.face_down if face in deal.hands[position]],
                hand=[_card(face) for face in deal.hands[position]],
                before=before[seat],
                points=deal.scores[seat] if deal.scores and position not in deal.dummies else None,
            )
            for position, seat in enumerate(deal.seats)
        ],
        tricks=[_trick(record, trick) for trick in deal.tricks],
    )


def has_card(deal: DealView, trick: int, card: int) -> bool:
    """Return whether a deal has this card of this trick, both counted from 1."""
    return 1 <= trick <= len(deal.tricks) and 1 <= card <= len(deal.tricks[trick - 1].plays)


def _trick(record: record_pb2.Record, trick: TrickView) -> DrawnTrick:
    plays = []
    for play in trick.plays:
        action = record.actions[play.index]
        replaced = action.cause in REPLACED and not record.seats[action.seat].house
        instead = cause(action.cause) if replaced else ""
        plays.append(DrawnPlay(at=play.position, card=_card(play.card), ms=action.took_ms, instead=instead))
    collected = _card(trick.collected) if trick.collected is not None else None
    burned = [_card(face) for face in trick.burned]
    return DrawnTrick(plays=plays, winner=trick.winner, collected=collected, declined=trick.declined, burned=burned)


def _card(face: CardFace) -> DrawnCard:
    return DrawnCard(text=face.text, suit=face.suit, butterfly=face.butterfly, words=face.words)
