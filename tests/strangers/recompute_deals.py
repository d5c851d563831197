"""Recomputes the deals of a Farfalia tournament from downloads: `python recompute_deals.py FOLDER`, and nothing else.

In FOLDER lie `records.ndjson` (/api/records?tournament=N) and `events-M.ndjson` (/api/matches/M/events) of each match M
whose deals are to be looked at, of a game of Farfalia in which everybody plays alone and has one hand, such as basic.
The method is FARFALIA-DEAL-1 of docs/deals.md.
"""

# mypy: ignore-errors=True

import json
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

FOLDER, wrong, looked = Path(sys.argv[1]), [], 0


def check(what, said, computed):
    if said != computed:
        wrong.append(f"{what}: published {said}, computed {computed}")


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def hashed(name, data):
    return sha256(b"FARFALIA-DEAL-1/" + name.encode() + b"\0" + data).digest()


def with_length(data):
    return len(data).to_bytes(4, "big") + data


def shuffle(key, label, n):
    blocks = (sha256(key + b"\0" + label.encode() + b"\0" + i.to_bytes(8, "big")).digest() for i in range(n))
    words = (int.from_bytes(block[k : k + 4], "big") for block in blocks for k in range(0, 32, 4))
    deck = list(range(n))
    for i in range(n - 1, 0, -1):
        j = next(word for word in words if word < 2**32 - 2**32 % (i + 1)) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


records = lines("records.ndjson")
for record in records:
    source, match, seats = record["source"], record["match"], len(record["seats"])
    secret, nonces = b64decode(source["secret"]), [b64decode(one) for one in source["nonces"]]
    check(f"match {match}, commitment", b64decode(source["commitment"]).hex(), hashed("commit", secret).hex())
    mix = hashed("mix", b"".join(map(with_length, sorted(nonces)))) if nonces else b""
    key = hashed("board", with_length(secret) + with_length(mix) + with_length(source["board"].encode()))
    check(f"match {match}, board key", b64decode(source["boardKey"]).hex(), key.hex())
    events = FOLDER / f"events-{match}.ndjson"
    for event in lines(events.name) if events.exists() else []:
        if event["type"] == "hands":
            looked += 1
            deck = shuffle(key, f"deal/{event['number']}/cards", 52)
            cards = [f"{'SLFO'[card // 13]}{card % 13 + 1}" for card in deck]
            dealt = 52 // seats * seats  # the rest is the dealer's, who sits in position 0
            hands = [set(cards[(position - 1) % seats : dealt : seats]) for position in range(seats)]
            hands[0] |= set(cards[dealt:])
            hands[0] &= set(event["hands"][0])  # the dealer has discarded some
            for position, hand in enumerate(event["hands"]):
                check(f"match {match}, deal {event['number']}, hand {position}", sorted(hand), sorted(hands[position]))
print(*wrong or [f"the keys of {len(records)} matches and {looked} deals agree"], sep="\n")
sys.exit(bool(wrong))
