"""A table as text: every hand, the trick, who is to act."""

from collections.abc import Iterable

from farfalia.learning.observation_text import cards_text, families_text, trumps_text, types_text
from farfalia_engine import CARDS, Observation, State


def table_text(state: State) -> str:
    """Return the whole table as somebody sees it who may look into every hand; what lies face down stays unseen."""
    views = [state.observation(seat) for seat in range(state.rules.seats)]
    observation = views[0]
    lines = [", ".join(_deal(observation))]
    for position, seat in enumerate(observation.seats):
        lines.append(", ".join(_place(observation, position, views[seat])))
    if observation.trick:
        lines.append(f"trick {len(observation.leaders)}: {_trick(observation)}")
    if state.pending is None:
        lines.append("the match is over")
    else:
        kind = state.pending.kind.name.lower().replace("_", " ")
        lines.append(f"{_seats(state.pending.seats)} to decide: {kind}")
    return "\n".join(lines)


def _deal(observation: Observation) -> Iterable[str]:
    yield f"deal {observation.deal}" + (f" of {observation.deals}" if observation.deals else "")
    if len(observation.types) == observation.deal:
        yield types_text(observation.types[-1:])
    if observation.trumps:
        yield f"trumps {trumps_text(observation)}"
    if observation.subjects:
        yield f"proposal {families_text(observation.subjects)}"


def _place(observation: Observation, position: int, view: Observation) -> Iterable[str]:
    seat = observation.seats[position]
    if position in observation.dummies:
        face_up = observation.face_up[observation.dummies.index(position)]
        yield f"dummy of seat {seat}: {cards_text(observation, face_up)}"
    else:
        yield f"seat {seat}: {cards_text(observation, view.hand)}"
        yield f"total {observation.totals[seat]}"
        if seat in observation.doubled:
            yield "doubles"
    collected = [
        card for winner, card in zip(observation.winners, observation.collected, strict=False) if winner == position
    ]
    cards = cards_text(observation, [card for card in collected if card < CARDS])
    if cards:
        yield f"collected {cards}"
    yield f"tricks {observation.winners.count(position)}"


def _trick(observation: Observation) -> str:
    n, leader = len(observation.seats), observation.leaders[-1]
    places = [(leader + step) % n for step in range(len(observation.trick))]
    names = [
        f"{'dummy of ' if place in observation.dummies else ''}seat {observation.seats[place]}" for place in places
    ]
    return ", ".join(
        f"{name} {observation.rules.card_text(card)}" for name, card in zip(names, observation.trick, strict=True)
    )


def _seats(seats: Iterable[int]) -> str:
    return "seat " + ", ".join(map(str, seats))
