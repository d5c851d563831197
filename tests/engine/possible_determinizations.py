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


def ways_at_most(observation: Observation) -> int:
    """A bound on the number of determinizations that costs nothing."""
    holders = _wild_holders(observation, _plays(observation))
    left, ways = len(observation.unseen), len(_wilds(observation, len(holders)))
    for position, held in enumerate(observation.held):
        if position in observation.dummies:
            size = held - len(observation.face_up[observation.dummies.index(position)])
            ways *= perm(left, size)
            left -= size
        elif position != observation.position:
            size = min(left, held - (position in holders))
            ways *= comb(left, size)
            left -= size
    return ways


def possible_determinizations(observation: Observation) -> Counter[Determinization]:
    """The determinizations that agree with the observation, each with the number of ways to lay the cards that give it.

    That number differs from 1 in `burnin` only, where two wild cards look the same.
    """
    plays = _plays(observation)
    holders = _wild_holders(observation, plays)
    found: Counter[Determinization] = Counter()
    for hands, discards, covered in _ordinary(observation, plays, holders):
        for dealt in _wilds(observation, len(holders)):
            whole = list(hands)
            for position, wild in zip(holders, dealt, strict=True):
                whole[position] = whole[position] | {wild}
            found[tuple(map(frozenset, whole)), discards, covered] += 1
    return found


def _burnin(observation: Observation) -> bool:
    return observation.options.get("burnin") == "on"


def _wild_holders(observation: Observation, plays: dict[int, list[tuple[int, int]]]) -> list[int]:
    """The other positions that still hold the wild card of theirs."""
    if not _burnin(observation):
        return []
    played = {position for position, cards in plays.items() for card, _ in cards if card >= WILD}
    return [
        position
        for position in range(len(observation.seats))
        if position not in observation.dummies and position != observation.position and position not in played
    ]


def _plays(observation: Observation) -> dict[int, list[tuple[int, int]]]:
    """By position what it has played, and the card that was led to that trick."""
    n = len(observation.seats)
    plays: dict[int, list[tuple[int, int]]] = {position: [] for position in range(n)}
    for index, card in enumerate(observation.plays):
        plays[(observation.leaders[index // n] + index % n) % n].append((card, observation.plays[index - index % n]))
    return plays


def _wilds(observation: Observation, holders: int) -> list[tuple[int, ...]]:
    if not holders:
        return [()]
    left = [WILD + family for family in range(5) for _ in range(2)]
    for card in (*observation.plays, *observation.hand):
        if card >= WILD:
            left.remove(card)
    return list(permutations(left, holders))


def _ordinary(
    observation: Observation, plays: dict[int, list[tuple[int, int]]], holders: Sequence[int]
) -> Iterator[tuple[list[set[int]], frozenset[int], frozenset[tuple[int, int, int]]]]:
    farrago = isinstance(observation, FarragoObservation)
    deck = range(observation.pack.size) if isinstance(observation, FarragoObservation) else range(CARDS)
    known = {
        *observation.hand,
        *observation.discarded,
        *observation.plays,
        *(card for face_up in observation.face_up for card in face_up),
    }
    unseen = [card for card in deck if card not in known]
    n, own, suits = len(observation.seats), observation.position, observation._suit_of
    shown = (
        {position: card for position, card in enumerate(observation.shown) if card not in observation.plays}
        if farrago
        else {}
    )
    others = [position for position in range(n) if position != own and position not in observation.dummies]

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
        size = observation.held[position] - (position in holders)
        for cards in combinations(left, size):
            if shown.get(position, -1) in (-1, *cards) and legal(position, cards):
                taken = [*hands]
                taken[position] = set(cards)
                yield from lay(places[1:], taken, [card for card in left if card not in cards])

    start = [set[int]() for _ in range(n)]
    start[own] = set(observation.hand)
    for dummy, face_up in zip(observation.dummies, observation.face_up, strict=True):
        start[dummy] = set(face_up)
    upper = [
        (dummy, card)
        for index, dummy in enumerate(observation.dummies)
        for card in _covering(observation, plays, index, dummy)
    ]
    for hands, left in lay(others, start, unseen):
        if upper:
            for below in permutations(left, len(upper)):
                discards = frozenset(left) - set(below)
                yield hands, discards, frozenset((*top, under) for top, under in zip(upper, below, strict=True))
        else:
            yield hands, frozenset(left) or frozenset(observation.discarded), frozenset()


def _covering(
    observation: Observation, plays: dict[int, list[tuple[int, int]]], index: int, dummy: int
) -> tuple[int, ...]:
    """The cards under which another lies: one that was just played still covers its own until the trick is over."""
    above = tuple(observation.covering[index])
    face_down = observation.held[dummy] - len(observation.face_up[index])
    return above if len(above) == face_down else (*above, plays[dummy][-1][0])
