"""FARFALIA-DEAL-1: every deck of a match from one key, by SHA-256 and nothing else.

`docs/deals.md` describes it so that any language can check a deal.
"""

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from struct import Struct, unpack
from typing import Final, TypeVar

from farfalia_engine.errors import BadKey

PREFIX: Final = b"FARFALIA-DEAL-1/"
KEY_BYTES: Final = 32
NONCE_BYTES: Final = range(8, 65)
_WORDS_IN_BLOCK = 8
_WORD_RANGE = 2**32
#: Largest deck that may be shuffled at once, unless their words have these bytes.
_SHORT = 256
_HIGH = b"\xff\xff\xff"

T = TypeVar("T")


def commitment(secret: bytes) -> bytes:
    """Return what is published before play; BadKey unless the secret has 32 bytes.

    >>> commitment(bytes(32)).hex()[:8]
    '926355f9'
    """
    return _hash(b"commit", _sized(secret, "secret"))


def mix(nonces: Iterable[bytes]) -> bytes:
    """Return what the entrants' nonces add to the secret, in whatever order they came; empty if there are none.

    BadKey if a nonce has fewer than 8 or more than 64 bytes.

    >>> mix([b"a nonce!", b"b nonce!"]) == mix([b"b nonce!", b"a nonce!"])
    True
    """
    ordered = sorted(nonces)
    for nonce in ordered:
        if len(nonce) not in NONCE_BYTES:
            raise BadKey(f"nonce {nonce.hex() or '(empty)'} has {len(nonce)} bytes, expected 8 to 64")
    return _hash(b"mix", b"".join(map(_prefixed, ordered))) if ordered else b""


def board_key(secret: bytes, nonces: Iterable[bytes], board: str) -> bytes:
    """Return the key of all decks of a match on this board; BadKey if the secret or a nonce has the wrong length.

    >>> board_key(bytes(32), [b"a nonce!"], "board-1").hex()[:8]
    'ed8eb3d1'
    """
    return _hash(b"board", b"".join(map(_prefixed, (_sized(secret, "secret"), mix(nonces), board.encode()))))


class Deals:
    """All decks of a match, each drawn when it is asked for; BadKey unless the key has 32 bytes.

    >>> Deals(bytes(32)).shuffle("deal/1/cards", 5)
    [2, 1, 0, 4, 3]
    """

    __slots__ = ("key",)

    def __init__(self, board_key: bytes) -> None:
        self.key: Final = _sized(board_key, "board key")

    def shuffle(self, label: str, n: int) -> list[int]:
        """Return the numbers below n in an order that is the same whenever key and label are, each equally likely."""
        return self.shuffled(label, range(n))

    def shuffled(self, label: str, things: Iterable[T]) -> list[T]:
        """Return these things in that order: where `shuffle` has k, thing k."""
        deck = list(things)
        size = len(deck)
        if size > _SHORT:
            return self._shuffle_carefully(label, deck)
        blocks, first_words = _reading(size - 1)
        prefix = self._prefix(label)
        data = b"".join([sha256(prefix + block).digest() for block in blocks])
        # A word that is rejected for a size up to 256 begins with 24 ones. Once in 80 000 decks there are such three
        # bytes, mostly across two words: then go step by step.
        if _HIGH in data:
            return self._shuffle_carefully(label, deck)
        for word in first_words(data):
            other = word % size
            size -= 1
            deck[size], deck[other] = deck[other], deck[size]
        return deck

    def _shuffle_carefully(self, label: str, deck: list[T]) -> list[T]:
        stream = WordStream(self, label)
        for i in range(len(deck) - 1, 0, -1):
            j = stream.uniform(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return deck

    def _prefix(self, label: str) -> bytes:
        return self.key + b"\0" + label.encode() + b"\0"


class WordStream:
    """The unlimited stream of words for one label."""

    __slots__ = ("_block", "_prefix", "_words")

    def __init__(self, deals: Deals, label: str) -> None:
        self._prefix = deals._prefix(label)
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next 32 bits."""
        if not self._words:
            self._words = list(reversed(_block(self._prefix, self._block)))
            self._block += 1
        return self._words.pop()

    def uniform(self, n: int) -> int:
        """Return a number below n, each equally likely; takes no word if n is 1."""
        if n == 1:
            return 0
        limit = _WORD_RANGE - _WORD_RANGE % n
        while (word := self.word()) >= limit:
            pass
        return word % n


@cache
def _reading(count: int) -> tuple[tuple[bytes, ...], Callable[[bytes], tuple[int, ...]]]:
    """Return the numbers of the blocks that hold this many words, and what reads the words from the blocks joined."""
    blocks = range(-(-count // _WORDS_IN_BLOCK))
    return tuple(block.to_bytes(8) for block in blocks), Struct(f">{count}I").unpack_from


def _block(prefix: bytes, index: int) -> tuple[int, ...]:
    return unpack(">8I", sha256(prefix + index.to_bytes(8)).digest())


def _hash(purpose: bytes, data: bytes) -> bytes:
    return sha256(PREFIX + purpose + b"\0" + data).digest()


def _prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(4) + data


def _sized(data: bytes, what: str) -> bytes:
    if len(data) != KEY_BYTES:
        raise BadKey(f"the {what} has {len(data)} bytes, expected {KEY_BYTES}")
    return data
