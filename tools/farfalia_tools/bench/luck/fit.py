"""Fitting the value function of luck: what the cards of a deal were worth to each side, by ridge regression.

`farfalia bench luck --fit FILE` writes the module of the engine that holds the weights. It needs NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from farfalia_engine import SUIT_MASKS, Deals, cards_in, ruleset
from farfalia_engine.farfalia.deal_luck import KINDS, SCALE, DealtCards, table_name
from farfalia_engine.farfalia.game import Farfalia
from farfalia_engine.farfalia.hand_values import LONGEST
from farfalia_tools.bench.luck.fields import PlayedMatch, play_fit
from farfalia_tools.bench.worker_pool import WorkerPool

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Games that are played for it: among them they have every table that a game of Farfalia has.
GAMES: Final = ("chinkway", "five-hand", "four", "three", "three-short", "two")
#: The first line of the text of weights: the name of the method.
METHOD: Final = "FARFALIA-LUCK-1"
#: What a squared weight costs, in squared points of one deal; the mean of all deals is fitted without cost.
RIDGE: Final = 30.0
_RANKS: Final = 13
_KIND: Final = _RANKS + LONGEST

_MODULE: Final = '''\
"""The weights of the value function of luck, in thousandths of a point, as `farfalia bench luck --fit` has made them.

A line has the table (the sides of the positions, d for a dummy, -s if the first subject makes trumps), the side whose
value it is about, the position of a hand, T for the likely trumps, O for another suit or N for a suit where nothing is
trumps, and then what a card of rank 1 … 13 is worth, and what 1 … {longest} cards are worth, or more.
{how}
"""

from typing import Final

HAND_WEIGHTS: Final = """\\
{text}"""
'''


def module(text: str, how: str) -> str:
    """Return the source of the module that holds these weights."""
    return _MODULE.format(longest=LONGEST, how=how, text=text)


def fit(matches: int, seed: str, done: Callable[[int, int], None] = lambda *_: None) -> str:
    """Return the weights as text, fitted on this many matches of each game."""
    import numpy as np

    sums: dict[str, _Sums] = {}
    for name, played in _play(matches, seed, done):
        rules = ruleset(name)
        game = rules.game
        assert isinstance(game, Farfalia)  # they know who sits on which side
        rows: dict[str, tuple[list[NDArray[np.float64]], list[list[int]]]] = {}
        for match in played:
            scores: list[int] = []
            for deal, made in enumerate(match.deals, 1):
                layout = game.layout(deal, scores)
                features, worth = rows.setdefault(table_name(layout), ([], []))
                features.append(_features(DealtCards.of(Deals(match.key), deal, layout)))
                worth.append([made[layout.seats[layout.sides.index(side)]] for side in range(layout.side_count)])
                scores += made
        for table, (features, worth) in rows.items():
            sums.setdefault(table, _Sums(len(features[0]), len(worth[0]))).add(np.array(features), np.array(worth))
    lines = [METHOD]
    for table, found in sorted(sums.items()):
        lines += _lines(table, found.weights())
    return "\n".join(lines) + "\n"


def _play(matches: int, seed: str, done: Callable[[int, int], None]) -> Iterator[tuple[str, list[PlayedMatch]]]:
    """Yield the matches in parts, in their order, whatever process has played them."""
    parts = [(name, range(first, min(matches, first + 50))) for name in GAMES for first in range(0, matches, 50)]
    with WorkerPool() as pool:
        for number, (part, played) in enumerate(
            zip(parts, pool.results(_play_part, parts, [seed] * len(parts)), strict=True), 1
        ):
            done(number, len(parts))
            yield part[0], played


def _play_part(part: tuple[str, range], seed: str) -> list[PlayedMatch]:
    return play_fit(ruleset(part[0]), part[1], seed)


class _Sums:
    """Sums over deals at one table: enough for the regression."""

    def __init__(self, features: int, sides: int) -> None:
        import numpy as np

        self._deals = 0
        self._feature = np.zeros(features)
        self._value = np.zeros(sides)
        self._squares = np.zeros((features, features))
        self._products = np.zeros((features, sides))

    def add(self, features: NDArray[np.float64], values: NDArray[np.int64]) -> None:
        """Take in deals, a row each."""
        self._deals += len(features)
        self._feature += features.sum(axis=0)
        self._value += values.sum(axis=0)
        # Whole numbers below 2 ** 53: the order in which they are added makes no difference.
        self._squares += features.T @ features
        self._products += features.T @ values

    def weights(self) -> NDArray[np.float64]:
        """Return the weights of the features, a column for each side; 0 for what never occurs."""
        import numpy as np

        mean, value = self._feature / self._deals, self._value / self._deals
        squares = self._squares - self._deals * np.outer(mean, mean)
        products = self._products - self._deals * np.outer(mean, value)
        return np.asarray(np.linalg.solve(squares + RIDGE * np.eye(len(mean)), products), dtype=np.float64)


def _features(dealt: DealtCards) -> NDArray[np.float64]:
    """Return what weights are multiplied with: by position and kind of suit, how many cards of each rank, and how many
    suits with at least 1 … LONGEST cards.
    """
    import numpy as np

    found = np.zeros((len(dealt.hands), len(KINDS), _KIND))
    for position, hand in enumerate(dealt.hands):
        for suit, mask in enumerate(SUIT_MASKS):
            cards = cards_in(hand & mask)
            kind = found[position, KINDS.index("N" if dealt.trumps is None else "T" if suit == dealt.trumps else "O")]
            for card in cards:
                kind[card % _RANKS] += 1
            kind[_RANKS : _RANKS + len(cards)] += 1
    return found.ravel()


def _lines(table: str, weights: NDArray[Any]) -> Iterator[str]:
    """Yield the lines of one table; none for a kind of suit that it never has."""
    import numpy as np

    for side, column in enumerate(weights.T):
        for row, kind in enumerate(np.rint(column * SCALE).astype(int).reshape(-1, _KIND)):
            if kind.any():
                numbers = [*kind[:_RANKS], *np.cumsum(kind[_RANKS:])]
                position, which = divmod(row, len(KINDS))
                yield f"{table} {side} {position} {KINDS[which]} {' '.join(map(str, numbers))}"
