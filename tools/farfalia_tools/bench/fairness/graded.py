"""Bots whose strength is known in advance, and quick enough for many thousand matches: alike but for their errors."""

from collections.abc import Sequence
from random import Random

from farfalia import bots
from farfalia_engine import COLLECT_NONE, FAMILY, RANK, SUIT, Deals, Kind, Ruleset, State, best_card

#: What opens a deal, which is rare, is decided as this sample bot does.
_OPENING = bots.create("greedy")
#: Where bots err. A random declaration would be a mistake that no bot makes, and large enough to hide all others.
_ERRING = frozenset((Kind.PLAY, Kind.COLLECT))


def play_graded(rules: Ruleset, key: bytes, errors: Sequence[float], random: Random) -> tuple[int, ...]:
    """Return the points by seat of a match of Farfalia with the board of this key.

    Each seat errs in its share of the cards that it plays and collects: it then takes any legal action, and otherwise
    the greedy one, as it does with what opens a deal. It looks at nothing that it may not know.
    """
    state, chance = rules.new_match(Deals(key)), random.random
    while (pending := state.pending) is not None:
        legal = state.legal_actions()
        if len(legal) == 1:
            action = legal[0]
        elif pending.kind in _ERRING and chance() < errors[pending.seats[0]]:
            action = legal[int(chance() * len(legal))]
        elif pending.kind is Kind.PLAY:
            action = _card(state, legal, rules.seats, pending.position)
        elif pending.kind is Kind.COLLECT:
            action = min(legal)
            assert action != COLLECT_NONE
        else:
            action = _OPENING.decide(state.observation(pending.seats[0]))
        state.apply(action)
    assert state.outcome is not None
    return state.outcome.points


def _card(state: State, legal: Sequence[int], seats: int, position: int) -> int:
    """Lead the highest card; win a trick in which there is something to collect; otherwise get rid of a low card."""
    trick = state.plays[seats * len(state.winners) :]
    if not trick:
        return max(legal, key=RANK.__getitem__)
    trumps = state.trumps
    cheapest = min(legal, key=lambda card: (SUIT[card] == trumps - 1, RANK[card]))
    if not any(FAMILY[card] in state.subjects for card in trick):
        return cheapest
    winning = [card for card in legal if best_card(trick + bytes((card,)), trumps) == len(trick)]
    if not winning:
        return cheapest
    last = len(trick) == seats - 1
    price = [(SUIT[card] == trumps - 1, RANK[card]) for card in winning]
    return winning[price.index(min(price) if last else max(price))]
