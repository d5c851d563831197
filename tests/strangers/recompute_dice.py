"""Recomputes what the house bot `random` answered, from downloads: `python recompute_dice.py FOLDER`, and nothing else.

In FOLDER lies `records.ndjson` (/api/records?tournament=N), with matches of basic. Where chance decides for a seat, it
draws from the board key, as docs/deals.md says, one of the legal actions; which these are follows from docs/rules.md.
"""

# mypy: ignore-errors=True

import json
import sys
from base64 import b64decode
from hashlib import sha256
from itertools import combinations
from pathlib import Path

FOLDER, wrong, looked = Path(sys.argv[1]), [], 0
SIDES = (0, 1, 2, 1, 2)  # by position, the dealer's first
COLLECT, NONE, DECLARE, DISCARD = 64, 116, 120, 256  # the first action of each kind
PAIRS = list(combinations(range(52), 2))


def words(key, label):
    for i in range(1 << 32):
        block = sha256(key + b"\0" + label.encode() + b"\0" + i.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(block[k : k + 4], "big") for k in range(0, 32, 4))


def below(n, stream):
    return 0 if n == 1 else next(word for word in stream if word < 2**32 - 2**32 % n) % n


def shuffle(key, label, n):
    deck, stream = list(range(n)), words(key, label)
    for i in range(n - 1, 0, -1):
        j = below(i + 1, stream)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def suit(card):
    return card // 13


def family(card):  # butterflies are 0; otherwise that of the suit
    return 0 if card % 13 + 1 in (8, 10, 12) else suit(card) + 1


def decisions(key):
    """Yield the place that decides, counted from the dealer, and its legal actions; take the action that was chosen."""
    for deal in (1, 2, 3):
        deck = shuffle(key, f"deal/{deal}/cards", 52)
        hands = [set(deck[(position - 1) % 5 : 50 : 5]) for position in range(5)]
        hands[0] |= set(deck[50:])
        action = yield 0, [DISCARD + PAIRS.index(pair) for pair in combinations(sorted(hands[0]), 2)]
        hands[0] -= set(PAIRS[action - DISCARD])
        trumps = (yield 0, [DECLARE + number for number in range(5)]) - DECLARE  # 4 is no trumps
        proposal = [card // 5 for card in shuffle(key, f"deal/{deal}/subjects", 25)[:5]]
        missing, leader = {side: [*proposal] for side in SIDES}, 1
        for _ in range(10):
            trick = []
            for position in (*range(leader, 5), *range(leader)):
                following = [card for card in hands[position] if trick and suit(card) == suit(trick[0])]
                card = yield position, sorted(following or hands[position])
                hands[position].remove(card)
                trick.append(card)
            best = max(trick, key=lambda card: (suit(card) == trumps, suit(card) == suit(trick[0]), card))
            leader = (leader + trick.index(best)) % 5
            wanted = missing[SIDES[leader]]
            useful = sorted(card for card in trick if family(card) in wanted)
            if useful:
                action = yield leader, [*(COLLECT + card for card in useful), NONE]
                if action != NONE:
                    wanted.remove(family(action - COLLECT))


for record in (json.loads(line) for line in (FOLDER / "records.ndjson").read_text(encoding="utf-8").splitlines()):
    key, match = b64decode(record["source"]["boardKey"]), decisions(b64decode(record["source"]["boardKey"]))
    asked, dealer = next(match), 0
    for number, made in enumerate(record["actions"]):
        (position, legal), action, seat = asked, made.get("action", 0), made.get("seat", 0)
        dealer = seat if action >= DISCARD else dealer  # only the dealer discards
        where = f"match {record['match']}, action {number}"
        if seat != (dealer + position) % 5 or action not in legal:
            wrong.append(f"{where}: {action} of seat {seat}, expected one of {legal} of {(dealer + position) % 5}")
            break
        if len(legal) > 1 and record["seats"][seat]["bot"].startswith("house-random-"):
            looked += 1
            drawn = legal[below(len(legal), words(key, f"house/{seat}/{number}"))]
            if action != drawn:
                wrong.append(f"{where}: published {action}, computed {drawn}")
        asked = match.send(action) if number < len(record["actions"]) - 1 else None
print(*wrong or [f"{looked} answers of house bots agree with their dice"], sep="\n")
sys.exit(bool(wrong))
