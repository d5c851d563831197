"""Every full state that one seat's observation leaves possible, found by trying all of them.

A second opinion of `Observation.sample`: it reads nothing but what is public and the seat's own cards, and asks of
each way to lay the unseen cards only whether the play so far would have been legal.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb, perm

from farfalia_engine import CARDS, WILD, Observation, State
from farfalia_engine.farrago.observation import FarragoObservation

#: What is hidden from a seat: hands by position, what the dealer has discarded, and what lies under which card.
Determinization = tuple[tuple[frozenset[int], ...], frozenset[int], frozenset[tuple[int, int, int]]]


def determinization_of(state: State) -> Determinization:
    """What a full state says about everything that is hidden."""
    hands = tuple(frozenset(card for card in range(60) if hand >> card & 1) for hand in state._hands)
    discards = getattr(state, "_discarded", 0)
    return (
        hands,
        frozenset(card for card in range(60) if discards >> card & 1),
        frozenset(getattr(state, "_covered", ())),
    )


def ways_at_most(seen: Observation) -> int:
    """A bound on the number of determinizations that costs nothing."""
    holders = _wild_holders(seen, _plays(seen))
    left, ways = len(seen.unseen), len(_wilds(seen, len(holders)))
    for position, held in enumerate(seen.held):
        if position in seen.dummies:
            size = held - len(seen.face_up[seen.dummies.index(position)])
            ways *= perm(left, size)
            left -= size
        elif position != seen.position:
            size = min(left, held - (position in holders))
            ways *= comb(left, size)
            left -= size
    return ways


def possible_determinizations(seen: Observation) -> Counter[Determinization]:
    """The determinizations that agree with the observation, each with the number of ways to lay the cards that give it.

    That number differs from 1 in `burnin` only, where two wild cards look the same.
    """
    plays = _plays(seen)
    holders = _wild_holders(seen, plays)
    found: Counter[Determinization] = Counter()
    for hands, discards, covered in _ordinary(seen, plays, holders):
        for dealt in _wilds(seen, len(holders)):
            whole = list(hands)
            for position, wild in zip(holders, dealt, strict=True):
                whole[position] = whole[position] | {wild}
            found[tuple(map(frozenset, whole)), discards, covered] += 1
    return found


def _burnin(seen: Observation) -> bool:
    return seen.options.get("burnin") == "on"


def _wild_holders(seen: Observation, plays: dict[int, list[tuple[int, int]]]) -> list[int]:
    """The other positions that still hold the wild card of theirs."""
    if not _burnin(seen):
        return []
    played = {position for position, cards in plays.items() for card, _ in cards if card >= WILD}
    return [
        position
        for position in range(len(seen.seats))
        if position not in seen.dummies and position != seen.position and position not in played
    ]


def _plays(seen: Observation) -> dict[int, list[tuple[int, int]]]:
    """By position what it has played, and the card that was led to that trick."""
    n = len(seen.seats)
    plays: dict[int, list[tuple[int, int]]] = {position: [] for position in range(n)}
    for index, card in enumerate(seen.plays):
        plays[(seen.leaders[index // n] + index % n) % n].append((card, seen.plays[index - index % n]))
    return plays


def _wilds(seen: Observation, holders: int) -> list[tuple[int, ...]]:
    if not holders:
        return [()]
    left = [WILD + family for family in range(5) for _ in range(2)]
    for card in (*seen.plays, *seen.hand):
        if card >= WILD:
            left.remove(card)
    return list(permutations(left, holders))


def _ordinary(
    seen: Observation, plays: dict[int, list[tuple[int, int]]], holders: Sequence[int]
) -> Iterator[tuple[list[set[int]], frozenset[int], frozenset[tuple[int, int, int]]]]:
    farrago = isinstance(seen, FarragoObservation)
    deck = range(seen.pack.size) if isinstance(seen, FarragoObservation) else range(CARDS)
    known = {*seen.hand, *seen.discarded, *seen.plays, *(card for face_up in seen.face_up for card in face_up)}
    unseen = [card for card in deck if card not in known]
    n, own, suits = len(seen.seats), seen.position, seen._suit_of
    shown = {position: card for position, card in enumerate(seen.shown) if card not in seen.plays} if farrago else {}
    others = [position for position in range(n) if position != own and position not in seen.dummies]

    def legal(position: int, hand: Sequence[int]) -> bool:
        """Whether everything that this position played was legal, if this is what it still holds."""
        later = {suits[card] for card in hand}
        for card, led in reversed(plays[position]):
            if card < WILD or farrago:
                if suits[card] != suits[led] and suits[led] in later:
                    return False
                later.add(suits[card])
        return True

    def lay(places: list[int], hands: list[set[int]], left: list[int]) -> Iterator[tuple[list[set[int]], list[int]]]:
        if not places:
            yield hands, left
            return
        position = places[0]
        size = seen.held[position] - (position in holders)
        for cards in combinations(left, size):
            if shown.get(position, -1) in (-1, *cards) and legal(position, cards):
                taken = [*hands]
                taken[position] = set(cards)
                yield from lay(places[1:], taken, [card for card in left if card not in cards])

    start = [set[int]() for _ in range(n)]
    start[own] = set(seen.hand)
    for dummy, face_up in zip(seen.dummies, seen.face_up, strict=True):
        start[dummy] = set(face_up)
    upper = [(dummy, card) for index, dummy in enumerate(seen.dummies) for card in _covering(seen, plays, index, dummy)]
    for hands, left in lay(others, start, unseen):
        if upper:
            for below in permutations(left, len(upper)):
                discards = frozenset(left) - set(below)
                yield hands, discards, frozenset((*top, under) for top, under in zip(upper, below, strict=True))
        else:
            yield hands, frozenset(left) or frozenset(seen.discarded), frozenset()


def _covering(seen: Observation, plays: dict[int, list[tuple[int, int]]], index: int, dummy: int) -> tuple[int, ...]:
    """The cards under which another lies: one that was just played still covers its own until the trick is over."""
    above = tuple(seen.covering[index])
    face_down = seen.held[dummy] - len(seen.face_up[index])
    return above if len(above) == face_down else (*above, plays[dummy][-1][0])
