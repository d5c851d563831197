"""The ten types of deal of Farrago.

`RULES` has all that a type is: who wins a trick, how trumps come about and how that is said, which ranks are compared.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from farfalia_engine.farrago.packs import ACE, Pack


class DealType(IntEnum):
    """A type of deal, with the contract's numbers.

    >>> DealType(9).text
    'ups-downs'
    """

    SKINT = 1
    BARRED = 2
    MAJORITY = 3
    SURPRISE = 4
    RED_BLACK = 5
    TOP_SUIT = 6
    TOP_RANK = 7
    SECONDS = 8
    UPS_DOWNS = 9
    SNAP = 10

    @property
    def text(self) -> str:
        """Its name, as in `ups-downs`."""
        return self.name.lower().replace("_", "-")

    @property
    def rules(self) -> "DealRules":
        """All that makes this type."""
        return RULES[self]


#: All types by their names.
TYPES: Final = {each.text: each for each in DealType}

#: Cards of a trick as they were played, the first of them led.
Trick = Sequence[int]


class TrumpsSource(Enum):
    """How the trumps of a deal come about."""

    #: There are none, or the type has its own way.
    NONE = 0
    #: The player with fewest points names them.
    NAMED = 1
    #: Three suits are barred; the one that is left is trumps.
    BARRED = 2
    #: Everyone shows a card.
    SHOWN = 3
    #: The first suit that does not follow (G6).
    FOUND = 4

    @property
    def chosen(self) -> bool:
        """Whether players choose them before the first lead."""
        return self in (TrumpsSource.NAMED, TrumpsSource.BARRED, TrumpsSource.SHOWN)


@dataclass(frozen=True, slots=True)
class DealRules:
    """What makes a type of deal."""

    #: From pack, trick and trumps to the index within the trick of the card that wins it so far.
    winner: "Callable[[Pack, Trick, int], int]"
    trumps: TrumpsSource = TrumpsSource.NONE
    #: Whether the ranks of different suits are compared.
    ranks_meet: bool = False
    #: Whether low cards win among themselves, and the ace always.
    low_wins: bool = False
    #: How trumps came about, in words; `named_by` and `trick` are filled in.
    trumps_words: str = ""


def trick_winner(kind: DealType, pack: Pack, trick: Trick, trumps: int) -> int:
    """Return the index within the trick of the card that wins it so far; `trumps` is a suit plus one,
    if there is one.
    """
    return RULES[kind].winner(pack, trick, trumps)


def _highest(pack: Pack, trick: Trick, suit: int) -> int:
    """Return the highest card of a suit, of twins the later one (G1); -1 if there is none."""
    suits, ranks = pack.suit, pack.rank
    found, highest = -1, 0
    for index, card in enumerate(trick):
        if suits[card] == suit and ranks[card] >= highest:
            found, highest = index, ranks[card]
    return found


def _highest_trump(pack: Pack, trick: Trick, trumps: int) -> int:
    """Return the highest trump, or else the highest card of the suit that was led."""
    trump = _highest(pack, trick, trumps - 1)
    return trump if trump >= 0 else _highest(pack, trick, pack.suit[trick[0]])


def _red_black(pack: Pack, trick: Trick, trumps: int) -> int:
    """Let spades and hearts trump each other, diamonds and clubs too."""
    del trumps
    counterpart = pack.suit[trick[0]] ^ 1
    return _highest_trump(pack, trick, counterpart + 1)


def _top_suit(pack: Pack, trick: Trick, trumps: int) -> int:
    """Return the highest card of the highest suit, in the order spades, hearts, diamonds, clubs."""
    del trumps
    return _highest(pack, trick, min(pack.suit[card] for card in trick))


def _top_rank(pack: Pack, trick: Trick, trumps: int) -> int:
    """Return the highest rank; of equals the last."""
    del trumps
    return max(range(len(trick)), key=lambda index: (pack.rank[trick[index]], index))


def _seconds(pack: Pack, trick: Trick, trumps: int) -> int:
    """Return the second-highest card of the suit led; if that stands alone, the rank in second place of all (G7)."""
    del trumps
    led = [index for index, card in enumerate(trick) if pack.suit[card] == pack.suit[trick[0]]]
    if len(led) > 1:
        return sorted(led, key=lambda index: (pack.rank[trick[index]], index))[-2]
    if len(trick) == 1:
        return 0
    ranks = [pack.rank[card] for card in trick]
    second = sorted(ranks)[-2]
    of_rank = [index for index, rank in enumerate(ranks) if rank == second]
    return of_rank[1] if len(of_rank) > 1 else of_rank[0]


def _ups_downs(pack: Pack, trick: Trick, trumps: int) -> int:
    """Return the highest card of the suit led if a high one was led, otherwise the lowest; its ace always."""
    del trumps
    led = pack.suit[trick[0]]
    highest = _highest(pack, trick, led)
    if pack.rank[trick[0]] >= pack.low or pack.rank[trick[highest]] == ACE:
        return highest
    of_suit = [index for index, card in enumerate(trick) if pack.suit[card] == led]
    return min(of_suit, key=lambda index: (pack.rank[trick[index]], index))


def _snap(pack: Pack, trick: Trick, trumps: int) -> int:
    """Return the last card of another suit and the rank that was led; otherwise the highest of the suit led."""
    del trumps
    suit, rank = pack.suit[trick[0]], pack.rank[trick[0]]
    snaps = [index for index, card in enumerate(trick) if pack.rank[card] == rank and pack.suit[card] != suit]
    return snaps[-1] if snaps else _highest(pack, trick, suit)


#: What makes each type.
RULES: Final[Mapping[DealType, DealRules]] = {
    DealType.SKINT: DealRules(_highest_trump, TrumpsSource.NAMED, trumps_words="named by {named_by}"),
    DealType.BARRED: DealRules(_highest_trump, TrumpsSource.BARRED),
    DealType.MAJORITY: DealRules(_highest_trump, TrumpsSource.SHOWN),
    DealType.SURPRISE: DealRules(
        _highest_trump, TrumpsSource.FOUND, trumps_words="the first suit that did not follow, in trick {trick}"
    ),
    DealType.RED_BLACK: DealRules(
        _red_black, trumps_words="spades and hearts trump each other, diamonds and clubs too"
    ),
    DealType.TOP_SUIT: DealRules(_top_suit),
    DealType.TOP_RANK: DealRules(_top_rank, ranks_meet=True),
    DealType.SECONDS: DealRules(_seconds, ranks_meet=True),
    DealType.UPS_DOWNS: DealRules(_ups_downs, low_wins=True),
    DealType.SNAP: DealRules(_snap, ranks_meet=True),
}


def majority(pack: Pack, shown: Sequence[int]) -> int:
    """Return the suit that the cards shown make trumps, by position: the most shown.

    Of suits shown equally often the one with the higher cards, rank by rank from the highest; then
    the one shown first clockwise from the dealer's left (G5). If three players show three
    suits, the fourth is trumps.
    """
    suits = [pack.suit[card] for card in shown]
    if len(shown) == 3 and len(set(suits)) == 3:
        return ({0, 1, 2, 3} - set(suits)).pop()

    def merit(suit: int) -> tuple[int, list[int], int]:
        ranks = sorted((pack.rank[card] for card in shown if pack.suit[card] == suit), reverse=True)
        first = min((position - 1) % len(shown) for position, other in enumerate(suits) if other == suit)
        return len(ranks), ranks, -first

    return max(set(suits), key=merit)
