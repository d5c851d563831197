"""Comments on a first match of Farfalia: what a question asks and why, what a trick and a deal have brought.

All of it follows from what the seat knows at its question. A kind of question is explained when it comes for the first
time in the first deal; those of dealers, when the seat deals for the first time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, cast

from farfalia_engine import DECLINED, NOTHING, POINTS, SUIT, FarfaliaObservation, Kind
from farfalia_engine.farfalia.terms import FarfaliaTerms
from farfalia_server.wording.language import gettext
from farfalia_server.wording.translating import translated

#: Of what a question asks, by what is to be done.
_ASKED: Final = {
    "discard": "As the dealer you have more cards than the others, and discard the surplus face down. Low cards win "
    "little, and a suit of which you keep none you can trump.",
    "declare": "You name the suit that is trumps, or none, before the subjects are turned up. A long suit with high "
    "cards wins the most tricks.",
    "lead": "Any card may begin a trick, and the others follow its suit if they can. A high card often wins it, and a "
    "trump almost always.",
    "follow": "Follow the suit that was led if you can, with a higher card to win, or a low one to save the better. If "
    "you cannot, a trump beats that suit, and any other card loses.",
    "dummy lead": "Now you choose for your dummy, among its cards that lie face up. The card under the one that it "
    "plays is turned up before the next lead.",
    "dummy follow": "You choose for your dummy, too, among its cards that lie face up. You are one side: what your "
    "dummy wins, you collect.",
    "collect": "You may take one card of the trick whose family your side still needs. The first card is worth 1 "
    "point, the fifth another 5: it pays to make all of them.",
}

#: The questions of dealers.
_DEALERS: Final = (Kind.DISCARD, Kind.DECLARE)

_OPENING: Final = (
    "The five subjects in the middle are what both sides collect, each player with a dummy. The first of them decides "
    "about trumps: {trumps}."
)
_SUBJECTS: Final = "The five subjects in the middle are what each side collects (trumps: {trumps})."
_NO_SUBJECTS: Final = "Each side collects the five subjects, which are turned up once trumps are declared."
_ALONE: Final = "You play alone in this deal."
_PARTNER: Final = "In this deal {partner} is your partner."
_DUMMY: Final = "In this deal you have a dummy, whose cards you play, too."
_OWN_DEAL: Final = (
    "Points of the last deal: you {mine}, for {my_cards} of the five subjects; in all you have {my_total} now, the "
    "best of the others {best}."
)
_DEAL: Final = (
    "Points of the last deal: you {mine}, {other} {theirs}, for {my_cards} and {their_cards} of the five subjects. In "
    "all you have {my_total} now, {other} {their_total}."
)
_YOU_WON_TRUMP: Final = "You won the last trick with the highest trump ({card}), and lead next."
_YOU_WON: Final = "You won the last trick with the highest card of the suit led ({card}), and lead next."
_DUMMY_WON_TRUMP: Final = "Your dummy won the last trick with the highest trump ({card}), and leads next."
_DUMMY_WON: Final = "Your dummy won the last trick with the highest card of the suit led ({card}), and leads next."
_OTHER_WON_TRUMP: Final = "{who} won the last trick with the highest trump ({card}), and leads next."
_OTHER_WON: Final = "{who} won the last trick with the highest card of the suit led ({card}), and leads next."
_BARREN: Final = "Nobody collects from the first three tricks of a deal."
_TOOK: Final = "Collected from it: {card}."
_LEFT: Final = "Its winner could have collected a card, and declined."
_NOTHING: Final = "No card of it could be collected."


#: Players of the game in which there are no others than the other one.
_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Comments:
    """What is said beside a question, one thing in a line, and the section of the rules that says more of it."""

    lines: tuple[str, ...]
    section: str


def comments(view: FarfaliaObservation, names: Sequence[str]) -> Comments:
    """Return the comments at a question of a game without wild cards, with the names of the players by seat."""
    lines = [_of_trick(view, names) if view.winners else _of_deal(view, names)]
    kind = _kind(view, view.acting, leads=not view.trick)
    if _is_first(view, kind):
        lines.append(gettext(_ASKED[kind]))
    return Comments(tuple(lines), view.ruleset if kind.startswith("dummy") else "a-deal")


def _kind(view: FarfaliaObservation, position: int, *, leads: bool) -> str:
    if view.kind is Kind.COLLECT and position == view.acting:
        return "collect"
    if view.kind in _DEALERS and position == view.acting:
        return view.kind.name.lower()
    what = "lead" if leads else "follow"
    return f"dummy {what}" if position in view.dummies else what


def _is_first(view: FarfaliaObservation, kind: str) -> bool:
    """Return whether such a question comes for the first time in the match, as far as the first deal shows it.

    Of a dummy's first card nobody can say later whether there was a choice, so the second one is explained, too.
    """
    if view.kind in _DEALERS:
        return not any(_decided(view, kind, deal) for deal in range(1, view.deal))
    return view.deal == 1 and list(_kinds(view)).count(kind) <= kind.startswith("dummy")


def _decided(view: FarfaliaObservation, kind: str, deal: int) -> bool:
    """Return whether the seat was the dealer in an earlier deal, in which dealers decide this, too."""
    before = view.scores[: view.rules.seats * (deal - 1)]
    layout = cast(FarfaliaTerms, view.rules.game).layout(deal, before)
    return layout.seats[0] == view.seat and (kind != "discard" or layout.spare > 0)


def _kinds(view: FarfaliaObservation) -> Iterator[str]:
    """Yield the kinds of questions that the seat has been asked in this deal before, in order."""
    n, held = len(view.seats), bytes(view.hand)
    own = [position for position in range(n) if view.seats[position] == view.seat]
    mine = bytes(card for position, card in _plays(view) if position in own and position not in view.dummies)
    for number, (position, card) in enumerate(_plays(view)):
        trick, place = divmod(number, n)
        if position in own:
            what = "lead" if not place else "follow"
            if position in view.dummies:
                yield f"dummy {what}"
            else:
                at_hand = [other for other in (*held, *mine) if not place or SUIT[other] == SUIT[_led(view, trick)]]
                mine = mine.replace(bytes([card]), b"", 1)
                if len(at_hand) != 1 and len(held) + len(mine) > 0:  # with one card to play nothing is asked
                    yield what
        if place == n - 1 and view.winners[trick : trick + 1] and view.winners[trick] in own:
            taken = view.collected[trick] if trick < len(view.collected) else NOTHING
            if taken != NOTHING:
                yield "collect"


def _plays(view: FarfaliaObservation) -> list[tuple[int, int]]:
    """Return who played each card of the deal, by position, and the card."""
    n = len(view.seats)
    return [((view.leaders[number // n] + number % n) % n, card) for number, card in enumerate(view.plays)]


def _led(view: FarfaliaObservation, trick: int) -> int:
    return view.plays[len(view.seats) * trick]


def _of_deal(view: FarfaliaObservation, names: Sequence[str]) -> str:
    """Say what is to be collected, or, after another deal, what that has brought, and who plays with whom."""
    if view.rules.seats == _TWO:
        return _of_deal_of_two(view, names)
    if view.deal > 1:
        me, mine = view.seat, view.scores[-view.rules.seats :][view.seat]
        others = [total for seat, total in enumerate(view.totals) if seat != me]
        told = gettext(_OWN_DEAL).format(
            mine=mine, my_cards=POINTS.index(mine), my_total=view.totals[me], best=max(others)
        )
        return f"{told} {_company(view, names)}"
    trumps = translated(view.rules.game.wording.trumps(view.trumps)[1])
    told = gettext(_SUBJECTS).format(trumps=trumps) if view.subjects else gettext(_NO_SUBJECTS)
    return f"{_company(view, names)} {told}"


def _company(view: FarfaliaObservation, names: Sequence[str]) -> str:
    """Say with whom the seat plays in this deal."""
    side = view.sides[view.seats.index(view.seat)]
    own = [position for position, other in enumerate(view.sides) if other == side]
    if any(position in view.dummies for position in own):
        return gettext(_DUMMY)
    partners = [names[view.seats[position]] for position in own if view.seats[position] != view.seat]
    return gettext(_PARTNER).format(partner=partners[0]) if partners else gettext(_ALONE)


def _of_deal_of_two(view: FarfaliaObservation, names: Sequence[str]) -> str:
    """Say the same where both players have a dummy."""
    if view.deal == 1:
        return gettext(_OPENING).format(trumps=translated(view.rules.game.wording.trumps(view.trumps)[1]))
    me, other = view.seat, 1 - view.seat
    points = view.scores[-_TWO:]
    return gettext(_DEAL).format(
        other=names[other],
        mine=points[me],
        theirs=points[other],
        my_cards=POINTS.index(points[me]),
        their_cards=POINTS.index(points[other]),
        my_total=view.totals[me],
        their_total=view.totals[other],
    )


def _of_trick(view: FarfaliaObservation, names: Sequence[str]) -> str:
    """Say who has won the last trick, with what, and what was collected from it."""
    number, n = len(view.winners) - 1, len(view.seats)
    winner, faces = view.winners[number], view.rules.game.wording.faces
    card = view.plays[n * number + (winner - view.leaders[number]) % n]
    trump, mine = SUIT[card] == view.trumps - 1, view.seats[winner] == view.seat
    who = names[view.seats[winner]]
    if winner in view.dummies:
        whose = translated(f"{who}'s dummy")
        who = whose if whose.startswith(who) else whose[:1].upper() + whose[1:]
        told = (_DUMMY_WON_TRUMP if trump else _DUMMY_WON) if mine else (_OTHER_WON_TRUMP if trump else _OTHER_WON)
    elif mine:
        told = _YOU_WON_TRUMP if trump else _YOU_WON
    else:
        told = _OTHER_WON_TRUMP if trump else _OTHER_WON
    won = gettext(told).format(who=who, card=translated(faces[card].words))
    if view.deciding:
        return won
    if number < view.rules.game.barren:
        return f"{won} {gettext(_BARREN)}"
    taken = view.collected[number]
    if taken == NOTHING:
        return f"{won} {gettext(_NOTHING)}"
    if taken == DECLINED:
        return f"{won} {gettext(_LEFT)}"
    return f"{won} {gettext(_TOOK).format(card=translated(faces[taken].words))}"
