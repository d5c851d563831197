"""Sharing cards out at random among places that may not hold every suit, every way equally likely."""

from bisect import bisect
from collections.abc import Collection, Iterator, Sequence
from math import comb, factorial, prod
from random import Random

#: How many cards of a class go to which group: stops within the class, by group; and what follows.
_Choice = tuple[tuple[tuple[int, int], ...], "_Node | None"]
#: Choices, and the number of ways up to and including each.
_Node = tuple[list[int], list[_Choice]]
#: A split of a class among groups: the cards of each group, a byte for each; in how many ways; and stops as above.
_Split = tuple[int, int, tuple[tuple[int, int], ...]]


class Sharing:
    """All ways to share cards among places of given sizes, none of a suit that is barred there.

    They are counted when this is made, which costs some milliseconds at the worst; `draw` is cheap. Cards may be
    numbers of any kind; `suits` has the suit of each. Sizes add up to the number of cards. ValueError if there is no
    way.
    """

    __slots__ = ("_classes", "_groups", "_places", "_root", "ways")

    def __init__(
        self, cards: Sequence[int], suits: Sequence[int], sizes: Sequence[int], barred: Sequence[Collection[int]]
    ) -> None:
        present = set(suits)
        # Places that bar the same suits are one group, and suits that the same groups take are one class.
        members: dict[frozenset[int], list[int]] = {}
        for place, size in enumerate(sizes):
            if size:
                members.setdefault(frozenset(present.intersection(barred[place])), []).append(place)
        groups = list(members)
        classes: dict[tuple[int, ...], list[int]] = {}
        class_of = {
            suit: classes.setdefault(tuple([n for n, group in enumerate(groups) if suit not in group]), [])
            for suit in present
        }
        for card, suit in zip(cards, suits, strict=True):
            class_of[suit].append(card)
        ordered = sorted(classes.items(), key=lambda item: len(item[0]))
        capacities = [sum(sizes[place] for place in members[group]) for group in groups]
        self._places = len(sizes)
        self._classes = [found for _, found in ordered]
        self._groups = [_slices(members[group], sizes, shuffled=not group) for group in groups]
        self._root = _counted([(len(found), takers) for takers, found in ordered], capacities)
        ways = self._root[0][-1] if self._root[0] else int(not cards)
        if not ways:
            raise ValueError("the cards cannot be dealt: some place would hold a suit that is barred there")
        #: How many ways there are, a place being a set of cards.
        self.ways = ways * prod(
            factorial(capacity) // prod(factorial(sizes[place]) for place in members[group])
            for group, capacity in zip(groups, capacities, strict=True)
        )

    def draw(self, random: Random) -> list[list[int]]:
        """Return one of the ways, each as likely as the others;
        the cards of a place that takes all suits in random order.
        """
        number = random.random
        held: list[list[int]] = [[] for _ in self._groups]
        node: _Node | None = self._root
        for cards in self._classes:
            assert node is not None
            cumulative, choices = node
            index = bisect(cumulative, random.randrange(cumulative[-1])) if len(choices) > 1 else 0
            stops, node = choices[index]
            if len(stops) > 1:
                cards = sorted(cards, key=lambda _: number())
            start = 0
            for group, stop in stops:
                held[group] += cards[start:stop]
                start = stop
        places: list[list[int]] = [[] for _ in range(self._places)]
        for cards, (shuffled, slices) in zip(held, self._groups, strict=True):
            if shuffled:
                cards = sorted(cards, key=lambda _: number())
            for place, start, stop in slices:
                places[place] = cards[start:stop]
        return places


def _slices(places: Sequence[int], sizes: Sequence[int], *, shuffled: bool) -> tuple[bool, list[tuple[int, int, int]]]:
    """Return whether the cards of a group have to be shuffled, and which of them go where."""
    slices, start = [], 0
    for place in places:
        slices.append((place, start, start + sizes[place]))
        start += sizes[place]
    return shuffled or len(places) > 1, slices


def _counted(classes: Sequence[tuple[int, tuple[int, ...]]], capacities: Sequence[int]) -> _Node:
    """Return the first node of the graph of all ways: class by class, by how much room each group has left.

    Room is a number with a byte for each group. No group has room for 128 cards, so that subtraction of what
    does not fit shows in the highest bit of a byte.
    """
    if not classes:
        return [], []
    high = sum(0x80 << 8 * group for group in range(len(capacities)))
    splits = [list(_splits(size, takers, capacities)) for size, takers in classes[:-1]]
    last = len(splits)
    nodes: dict[tuple[int, int], _Node] = {}

    def node(level: int, room: int) -> _Node:
        found = nodes.get((level, room))
        if found is not None:
            return found
        cumulative: list[int] = []
        choices: list[_Choice] = []
        total = 0
        if level == last:
            for _, total, stops in _splits(*classes[last], room.to_bytes(len(capacities), "little")):
                cumulative.append(total)
                choices.append((stops, None))
        else:
            lifted = room | high
            for packed, ways, stops in splits[level]:
                if (lifted - packed) & high == high:
                    following = node(level + 1, room - packed)
                    if following[0]:
                        total += ways * following[0][-1]
                        cumulative.append(total)
                        choices.append((stops, following))
        found = nodes[level, room] = cumulative, choices
        return found

    return node(0, sum(capacity << 8 * group for group, capacity in enumerate(capacities)))


def _splits(size: int, takers: tuple[int, ...], capacities: Sequence[int], start: int = 0) -> Iterator[_Split]:
    """Yield all ways to split this number of cards among the groups."""
    if not takers:
        return
    group, *others = takers
    room, elsewhere = capacities[group], sum([capacities[other] for other in others])
    for count in range(max(0, size - elsewhere), min(size, room) + 1):
        here = ((group, start + count),) if count else ()
        if count == size:
            yield size << 8 * group, 1, here
            continue
        chosen = comb(size, count)
        for packed, ways, stops in _splits(size - count, tuple(others), capacities, start + count):
            yield packed | count << 8 * group, chosen * ways, (*here, *stops)
