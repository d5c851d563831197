import json
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_engine import BadKey, Deals, board_key, card_text, cards_in, commitment, mix
from farfalia_engine.deals import WordStream
from farfalia_engine.farfalia.cards import BIT
from farfalia_engine.farfalia.dealing import deal_hands

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "playthroughs/deals.json").read_text("utf-8"))
NONCES = st.lists(st.binary(min_size=8, max_size=64), max_size=5)


def shuffled_by_the_book(key: bytes, label: str, n: int) -> list[int]:
    """The published algorithm, word by word."""

    def words() -> Any:
        block = 0
        while True:
            data = sha256(key + b"\0" + label.encode() + b"\0" + block.to_bytes(8, "big")).digest()
            yield from (int.from_bytes(data[at : at + 4], "big") for at in range(0, 32, 4))
            block += 1

    stream = words()
    deck = list(range(n))
    for i in range(n - 1, 0, -1):
        word = next(stream)
        while word >= 2**32 - 2**32 % (i + 1):
            word = next(stream)
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_commitments_are_the_published_ones(vector: dict[str, Any]) -> None:
    assert commitment(bytes.fromhex(vector["secret"])).hex() == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS["mixes"])
def test_mixes_are_the_published_ones(vector: dict[str, Any]) -> None:
    assert mix(map(bytes.fromhex, vector["nonces"])).hex() == vector["mix"]


@pytest.mark.parametrize("vector", VECTORS["board_keys"])
def test_board_keys_are_the_published_ones(vector: dict[str, Any]) -> None:
    nonces = [bytes.fromhex(nonce) for nonce in vector["nonces"]]
    assert board_key(bytes.fromhex(vector["secret"]), nonces, vector["board"]).hex() == vector["board_key"]


@pytest.mark.parametrize("vector", VECTORS["words"])
def test_words_are_the_published_ones(vector: dict[str, Any]) -> None:
    stream = WordStream(Deals(bytes.fromhex(vector["board_key"])), vector["label"])
    assert [f"{stream.word():08x}" for _ in vector["words"]] == vector["words"]


@pytest.mark.parametrize("vector", VECTORS["uniforms"])
def test_a_word_that_would_favour_small_numbers_is_rejected(vector: dict[str, Any]) -> None:
    stream = WordStream(Deals(bytes.fromhex(vector["board_key"])), vector["label"])
    assert [stream.uniform(vector["n"]) for _ in vector["values"]] == vector["values"]


@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_shuffles_are_the_published_ones(vector: dict[str, Any]) -> None:
    deals = Deals(bytes.fromhex(vector["board_key"]))
    assert deals.shuffle(vector["label"], vector["n"]) == vector["list"]


@pytest.mark.parametrize("vector", VECTORS["five_player_deals"])
def test_deals_are_the_published_ones(vector: dict[str, Any]) -> None:
    deals = Deals(bytes.fromhex(vector["board_key"]))
    hands = deal_hands(deals.shuffled(f"deal/{vector['deal']}/cards", BIT[:52]), 5, 10)
    assert [" ".join(map(card_text, cards_in(hand))) for hand in hands] == vector["hands"]
    subjects = deals.shuffle(f"deal/{vector['deal']}/subjects", 25)[:5]
    assert " ".join("BSLFO"[element // 5] for element in subjects) == vector["proposal"]


def test_the_first_published_deck_begins_with_fish_thirteen() -> None:
    key = board_key(bytes(range(32)), [], "board-1")
    deck = Deals(key).shuffle("deal/1/cards", 52)
    assert " ".join(map(card_text, deck[:6])) == "F13 O3 L5 O5 L1 O6"


@given(st.binary(min_size=32, max_size=32), st.text("deal/1234567890 é✓", max_size=20), st.integers(1, 80))
def test_a_shuffle_is_what_the_published_algorithm_gives(key: bytes, label: str, n: int) -> None:
    assert Deals(key).shuffle(label, n) == shuffled_by_the_book(key, label, n)


@pytest.mark.parametrize(
    ("label", "rejected"),
    [
        ("deal/10347834/cards", True),  # found by trying: of its words one is rejected
        ("deal/53461/cards", False),  # and here are three bytes in a row, across two words, that look like it
    ],
)
def test_a_deck_with_a_rejected_word_is_what_the_published_algorithm_gives(label: str, rejected: bool) -> None:
    deals = Deals(bytes(32))
    stream = WordStream(deals, label)
    words = [stream.word() for _ in range(51)]
    assert any(word >= 2**32 - 2**32 % n for word, n in zip(words, range(52, 1, -1), strict=True)) == rejected
    assert b"\xff\xff\xff" in b"".join(word.to_bytes(4, "big") for word in words)
    assert deals.shuffle(label, 52) == shuffled_by_the_book(bytes(32), label, 52)


@pytest.mark.parametrize("n", [1, 256, 257, 60_000])
def test_a_deck_of_any_size_is_what_the_published_algorithm_gives(n: int) -> None:
    assert Deals(bytes(32)).shuffle("a", n) == shuffled_by_the_book(bytes(32), "a", n)


def test_things_are_shuffled_as_their_numbers_are() -> None:
    deals = Deals(bytes(32))
    assert deals.shuffled("a", "abcdefgh") == ["abcdefgh"[number] for number in deals.shuffle("a", 8)]


def test_every_order_of_four_comes_up_equally_often() -> None:
    deals = Deals(bytes(32))
    orders = Counter(tuple(deals.shuffle(f"test/{number}", 4)) for number in range(4800))
    chi_square = sum((orders[order] - 200) ** 2 / 200 for order in orders)
    assert len(orders) == 24
    assert chi_square < 49.7  # 23 degrees of freedom: passed by 999 of 1000 fair shuffles, and this one is fixed


def test_a_deck_of_one_takes_no_word() -> None:
    stream = WordStream(Deals(bytes(32)), "x")
    assert stream.uniform(1) == 0
    assert stream.word() == WordStream(Deals(bytes(32)), "x").word()


@given(NONCES, st.randoms())
def test_the_order_of_nonces_does_not_matter(nonces: list[bytes], random: Any) -> None:
    shuffled = random.sample(nonces, len(nonces))
    assert mix(nonces) == mix(shuffled)


def test_without_nonces_the_mix_is_empty() -> None:
    assert mix([]) == b""


@pytest.mark.parametrize("nonce", [b"", b"1234567", bytes(65)])
def test_a_nonce_of_the_wrong_length_is_refused(nonce: bytes) -> None:
    with pytest.raises(BadKey, match="expected 8 to 64"):
        mix([bytes(8), nonce])


@pytest.mark.parametrize("size", [0, 31, 33])
def test_keys_and_secrets_have_32_bytes(size: int) -> None:
    for call in (Deals, commitment, lambda secret: board_key(secret, [], "board-1")):
        with pytest.raises(BadKey, match=f"has {size} bytes, expected 32"):
            call(bytes(size))


def test_one_label_never_moves_another() -> None:
    deals = Deals(bytes(32))
    before = deals.shuffle("deal/2/cards", 52)
    deals.shuffle("deal/1/cards", 52)
    assert deals.shuffle("deal/2/cards", 52) == before
