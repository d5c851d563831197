"""Sharing cards out at random among places that may not hold every suit."""

from collections.abc import Collection, Sequence
from random import Random


def share(
    cards: list[int], sizes: Sequence[int], barred: Sequence[Collection[int]], suit: bytes, random: Random
) -> list[list[int]]:
    """These cards, all of them, at random to places of these sizes, none of a suit that is barred there.

    All ways are equally likely if no suit is barred. Otherwise cards that fell where they may not lie are
    exchanged, through as many places as it takes; there must be a way to share them.
    """
    draw = random.random
    cards = sorted(cards, key=lambda _: draw())
    places = []
    start = 0
    for size in sizes:
        places.append(cards[start : start + size])
        start += size
    for place, suits in enumerate(barred):
        if suits:
            for index, card in enumerate(places[place]):
                if suit[card] in suits:
                    _exchange(places, barred, suit, place, index, random)
    return places


def _exchange(
    places: list[list[int]], barred: Sequence[Collection[int]], suit: bytes, place: int, index: int, random: Random
) -> None:
    """Pass a card on to a place that may hold it, a card from there further on …, and the last one back to here."""
    card = places[place][index]
    others = [other for other in range(len(places)) if other != place]
    random.shuffle(others)
    # By place that a card can reach: the place where it comes from, and which card of that place it is.
    came = {other: (place, index) for other in others if suit[card] not in barred[other]}
    reached = list(came)
    for here in reached:
        for number, passed in enumerate(places[here]):
            if suit[passed] not in barred[place]:
                _rotate(places, came, place, here, number)
                return
            for other in others:
                if other not in came and suit[passed] not in barred[other]:
                    came[other] = (here, number)
                    reached.append(other)
    raise ValueError("the cards cannot be shared so that no place holds a suit that is barred there")


def _rotate(places: list[list[int]], came: dict[int, tuple[int, int]], place: int, last: int, number: int) -> None:
    chain = [(last, number)]
    while chain[-1][0] != place:
        chain.append(came[chain[-1][0]])
    cards = [places[here][index] for here, index in chain]
    for (here, index), card in zip(chain, [*cards[1:], cards[0]], strict=True):
        places[here][index] = card
