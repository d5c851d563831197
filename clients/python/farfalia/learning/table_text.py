"""A table as text: every hand, the trick, who is to act."""

from collections.abc import Iterable

from farfalia.learning.observation_text import cards_text, families_text, trumps_text, types_text
from farfalia_engine import CARDS, Observation, State


def table_text(state: State) -> str:
    """Return the whole table as somebody sees it who may look into every hand; what lies face down stays unseen."""
    views = [state.observation(seat) for seat in range(state.rules.seats)]
    seen = views[0]
    lines = [", ".join(_deal(seen))]
    for position, seat in enumerate(seen.seats):
        lines.append(", ".join(_place(seen, position, views[seat])))
    if seen.trick:
        lines.append(f"trick {len(seen.leaders)}: {_trick(seen)}")
    if state.pending is None:
        lines.append("the match is over")
    else:
        kind = state.pending.kind.name.lower().replace("_", " ")
        lines.append(f"{_seats(state.pending.seats)} to decide: {kind}")
    return "\n".join(lines)


def _deal(seen: Observation) -> Iterable[str]:
    yield f"deal {seen.deal}" + (f" of {seen.deals}" if seen.deals else "")
    if len(seen.types) == seen.deal:
        yield types_text(seen.types[-1:])
    if seen.trumps:
        yield f"trumps {trumps_text(seen)}"
    if seen.subjects:
        yield f"proposal {families_text(seen.subjects)}"


def _place(seen: Observation, position: int, view: Observation) -> Iterable[str]:
    seat = seen.seats[position]
    if position in seen.dummies:
        yield f"dummy of seat {seat}: {cards_text(seen, seen.face_up[seen.dummies.index(position)])}"
    else:
        yield f"seat {seat}: {cards_text(seen, view.hand)}"
        yield f"total {seen.totals[seat]}"
        if seat in seen.doubled:
            yield "doubles"
    collected = [card for winner, card in zip(seen.winners, seen.collected, strict=False) if winner == position]
    cards = cards_text(seen, [card for card in collected if card < CARDS])
    if cards:
        yield f"collected {cards}"
    yield f"tricks {seen.winners.count(position)}"


def _trick(seen: Observation) -> str:
    n, leader = len(seen.seats), seen.leaders[-1]
    places = [(leader + step) % n for step in range(len(seen.trick))]
    names = [f"{'dummy of ' if place in seen.dummies else ''}seat {seen.seats[place]}" for place in places]
    return ", ".join(f"{name} {seen.rules.card_text(card)}" for name, card in zip(names, seen.trick, strict=True))


def _seats(seats: Iterable[int]) -> str:
    return "seat " + ", ".join(map(str, seats))
