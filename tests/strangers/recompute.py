"""Recomputes what a Farfalia server published, from downloads and the standard library: `python recompute.py FOLDER`.

In FOLDER lie `tournament.json` (/api/tournaments/N), `matches.json` (/api/matches?tournament=N&limit=1000),
`records.ndjson` (/api/records?tournament=N), `ladder.ndjson` (/api/records?ladder=GAME), `chain.ndjson`
(/api/ladders/GAME/chain), `ratings.json` (/api/ratings?ladder=GAME&all_versions=true&limit=1000), and `events-N.ndjson`
(/api/matches/N/events) of each match whose deals are to be looked at. It is for games of Farfalia in which everybody
plays alone and has one hand, such as basic, and for boards that are fresh, rotated or at several tables.
"""

# mypy: ignore-errors=True

import json
import sys
from base64 import b64decode
from hashlib import sha256
from math import erfc, exp, pi, sqrt
from pathlib import Path
from statistics import NormalDist, fmean

MU, SIGMA, BETA, DRAW = 25.0, 25 / 3, 25.0, 0.02
MARGIN = NormalDist().inv_cdf((DRAW + 1) / 2) * sqrt(2) * BETA
FOLDER = Path(sys.argv[1])
wrong = []


def check(what, said, computed, error=0.0):
    if not (abs(said - computed) <= error if error else said == computed):
        wrong.append(f"{what}: published {said}, computed {computed}")


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def document(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def table(tournament, records):  # points, relative, places, strikes and forfeits, as docs/tournaments.md says
    rows = {}
    for record in records:
        outcome, strikes = record["outcome"], [0] * len(record["seats"])
        for one in record["incidents"]:
            strikes[one["seat"]] = max(strikes[one["seat"]], one["strikes"])
        for seat, who in enumerate(record["seats"]):
            lost = seat in outcome["forfeits"]
            row = rows.setdefault(who["name"], {"points": 0, "relative": [], "places": [], "strikes": 0, "forfeits": 0})
            points = 0 if lost else outcome["points"][seat]
            row["points"] += points
            row["relative"].append(points - fmean(outcome["points"]))
            row["places"].append(outcome["places"][seat])
            row["strikes"] += strikes[seat]
            row["forfeits"] += lost
    for said in tournament["standings"]:
        name, row = said["entrant"], rows[said["entrant"]]
        check(f"{name}, matches", said["matches"], len(row["places"]))
        check(f"{name}, relative", said["relative"], fmean(row["relative"]), 1e-9)
        check(f"{name}, places", said["places"], [row["places"].count(n + 1) for n in range(len(said["places"]))])
        for column in ("points", "strikes", "forfeits"):
            check(f"{name}, {column}", said[column], row[column])


def strengths(tournament, records, luck):  # score = strength - mean of the table + hand + block + luck, all at once
    model, rows = tournament["strengthModel"], tournament["standings"]
    number = {("bot", row["entrant"]): place for place, row in enumerate(rows)}
    boards, matches = [record["source"]["board"] for record in records], []
    for record in records:
        seats, board = [who["name"] for who in record["seats"]], record["source"]["board"]
        own = [[("bot", who)] for who in seats]
        for seat, who in enumerate(seats if boards.count(board) > 1 else ()):
            own[seat] += [("hand", board, seat)] if model["hand"] else []
            own[seat] += [("block", board, *sorted(seats), who)] if model["block"] else []
            for key in own[seat]:
                number.setdefault(key, len(number))
        made = [a - b for a, b in zip(record["outcome"]["points"], luck[str(record["match"])], strict=True)]
        matches.append((record, [[number[key] for key in keys] for keys in own], [one - fmean(made) for one in made]))
    square, right = [[0.0] * len(number) for _ in number], [0.0] * len(number)
    charges, count = {row["entrant"]: 0.0 for row in rows}, {row["entrant"]: 0 for row in rows}
    for record, own, scores in matches:
        for seat, keys in enumerate(own):
            name = record["seats"][seat]["name"]
            count[name] += 1
            if seat in record["outcome"]["forfeits"]:  # its points are a house bot's
                charges[name] += record["outcome"]["points"][seat] / (1 - 1 / len(own))
            for i in keys:
                right[i] += scores[seat]
                for other, there in enumerate(own):
                    for j in there:
                        square[i][j] += (seat == other) - 1 / len(own)
    means = dict.fromkeys(charges, 0.0)
    for prior in model["priors"]:
        for key, i in number.items():
            square[i][i] += prior["precisions"][i] if key[0] == "bot" else 1 / model[key[0]]
        found = solution(square, right)[: len(rows)]
        for key, i in number.items():
            square[i][i] -= prior["precisions"][i] if key[0] == "bot" else 1 / model[key[0]]
        for row, strength in zip(rows, found, strict=True):
            means[row["entrant"]] += prior["weight"] * (strength - fmean(found))
    means = {name: mean - charges[name] / count[name] for name, mean in means.items()}
    for row in rows:
        check(f"{row['entrant']}, adjusted", row["adjusted"], means[row["entrant"]], 1e-5)
        better = sum(mean > means[row["entrant"]] + 1e-6 for mean in means.values())
        check(f"{row['entrant']}, place", row["place"], 1 + better)


def solution(square, right):  # Gauss and Jordan
    rows = [[*row, value] for row, value in zip(square, right, strict=True)]
    for i in range(len(rows)):
        pivot = [value / rows[i][i] for value in rows[i]]
        rows = [[a - row[i] * b for a, b in zip(row, pivot, strict=True)] for row in rows]
        rows[i] = pivot
    return [row[-1] for row in rows]


def lp(data):
    return len(data).to_bytes(4, "big") + data


def deals(record):  # FARFALIA-DEAL-1, as docs/deals.md says
    source, number = record["source"], record["match"]
    secret, nonces = b64decode(source["secret"]), [b64decode(one) for one in source["nonces"]]
    check(f"match {number}, commitment", b64decode(source["commitment"]).hex(), hashed("commit", secret).hex())
    mix = hashed("mix", b"".join(map(lp, sorted(nonces)))) if nonces else b""
    key = hashed("board", lp(secret) + lp(mix) + lp(source["board"].encode()))
    check(f"match {number}, board key", b64decode(source["boardKey"]).hex(), key.hex())
    events, seats = FOLDER / f"events-{number}.ndjson", len(record["seats"])
    for event in lines(events.name) if events.exists() else ():
        if event["type"] == "hands":
            deck = shuffle(key, f"deal/{event['number']}/cards", 52)
            cards = [f"{'SLFO'[card // 13]}{card % 13 + 1}" for card in deck]
            each = 52 // seats * seats
            hands = [set(cards[(position - 1) % seats : each : seats]) for position in range(seats)]
            hands[0] |= set(cards[each:])
            for position, hand in enumerate(event["hands"]):
                dealt = hands[position] if position else hands[0] & set(hand)  # the dealer has discarded some
                check(f"match {number}, deal {event['number']}, hand {position}", sorted(hand), sorted(dealt))


def hashed(name, data):
    return sha256(b"FARFALIA-DEAL-1/" + name.encode() + b"\0" + data).digest()


def shuffle(key, label, n):
    blocks = (sha256(key + b"\0" + label.encode() + b"\0" + i.to_bytes(8, "big")).digest() for i in range(n))
    words = (int.from_bytes(block[k : k + 4], "big") for block in blocks for k in range(0, 32, 4))
    deck = list(range(n))
    for i in range(n - 1, 0, -1):
        j = next(word for word in words if word < 2**32 - 2**32 % (i + 1)) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def pdf(x):
    return exp(-x * x / 2) / sqrt(2 * pi)


def cdf(x):
    return erfc(-x / sqrt(2)) / 2


def truncated(t, e, tied):  # v and w of Herbrich, Minka and Graepel: a difference above e, or within e of 0
    if not tied:
        v = pdf(t - e) / cdf(t - e)
        return v, v * (v + t - e)
    inside = cdf(e - t) - cdf(-e - t)
    v = (pdf(-e - t) - pdf(e - t)) / inside
    return v, v * v + ((e - t) * pdf(e - t) + (e + t) * pdf(e + t)) / inside


def trueskill(
    ranked,
):  # [(place, mu, sigma)], best first: messages between neighbours, at most ten times there and back
    if len(ranked) < 2:
        return [(mu, sigma) for _, mu, sigma in ranked]
    last = len(ranked) - 2  # pairs of neighbours are numbered by the better one; all below is precision, times mean
    above, below, seen = ([(0.0, 0.0)] * len(ranked) for _ in range(3))
    plays = [(1 / (s * s + BETA * BETA), m / (s * s + BETA * BETA)) for _, m, s in ranked]

    def without(pair, player):  # what is known of a performance without what this pair says
        rest = above if player == pair else below
        return plays[player][0] + rest[player][0], plays[player][1] + rest[player][1]

    def compare(pair):
        (lp, lt), (rp, rt) = without(pair, pair), without(pair, pair + 1)
        variance, mean = 1 / lp + 1 / rp, lt / lp - rt / rp
        tied = ranked[pair][0] == ranked[pair + 1][0]
        v, w = truncated(mean / sqrt(variance), MARGIN / sqrt(variance), tied)
        p, t = 1 / (variance * (1 - w)), (mean + sqrt(variance) * v) / (variance * (1 - w))
        change = max(abs(mean / variance + seen[pair][1] - t), sqrt(abs(1 / variance + seen[pair][0] - p)))
        seen[pair] = p - 1 / variance, t - mean / variance
        return change

    def tell(pair, player):
        (p, t), (op, ot) = seen[pair], without(pair, 2 * pair + 1 - player)
        q = 1 / (1 / op + 1 / p)
        (below if player == pair else above)[player] = q, q * (ot / op + (t / p if player == pair else -t / p))

    for _ in range(10):
        changes = [compare(0)] if last == 0 else []
        for pair, player in [(k, k + 1) for k in range(last)] + [(k, k) for k in range(last, 0, -1)]:
            changes.append(compare(pair))
            tell(pair, player)
        if max(changes) <= 0.0001:
            break
    tell(0, 0)
    tell(last, last + 1)
    skills = []
    for (_, mu, sigma), up, down in zip(ranked, above, below, strict=True):
        p, t = up[0] + down[0], up[1] + down[1]
        a, q = 1 / (1 + BETA * BETA * p), 1 / sigma**2
        skills.append(((q * mu + a * t) / (q + a * p), 1 / sqrt(q + a * p)))
    return skills


def ratings(
    chain, records
):  # TrueSkill from its beginning, match by match, and a lost seat as docs/tournaments.md says
    known, newest, before = {}, {}, ""
    for number, entry in enumerate(chain, start=1):
        said = entry.pop("hash")
        text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        check(f"entry {number}, hash", said, sha256(text.encode()).hexdigest())
        check(f"entry {number}, hash before", entry["before"], before)
        check("number of an entry", entry["entry"], number)
        before, record = said, records[str(entry["match"])]
        check(f"entry {number}, digest", entry["digest"], b64decode(record["digest"]).hex())
        places, lost, old = record["outcome"]["places"], record["outcome"]["forfeits"], {}
        for seat, who in enumerate(entry["seats"]):
            check(f"entry {number}, bot", who["bot"], record["seats"][seat]["bot"])
            fresh = (known[newest[who["id"]]][0], SIGMA) if who["id"] in newest else (MU, SIGMA)
            old[seat] = known.get((who["id"], who["version"]), fresh)
        order = sorted((seat for seat in old if seat not in lost), key=lambda s: (places[s], entry["seats"][s]["id"]))
        new = dict(zip(order, trueskill([(places[seat], *old[seat]) for seat in order]), strict=True))
        for seat in lost:
            others = order or [one for one in old if one != seat]
            rest = [(places[one] if order else 1, *old[one]) for one in others]
            mu, sigma = trueskill([*rest, (len(old) + 1, *old[seat])])[-1]
            new[seat] = min(mu, old[seat][0]), sigma
        for seat, who in enumerate(entry["seats"]):
            if "mu" in who:
                known[who["id"], who["version"]], newest[who["id"]] = new[seat], (who["id"], who["version"])
                check(f"entry {number}, mu of {who['bot']}", float(who["mu"]), new[seat][0], 1e-4)
                check(f"entry {number}, sigma of {who['bot']}", float(who["sigma"]), new[seat][1], 1e-4)
    names = {(who["bot"], who["version"]): who["id"] for entry in chain for who in entry["seats"]}
    for row in document("ratings.json")["bots"]:
        version = row["rating"]["version"]
        mu, sigma = known[names[row["bot"], version], version]
        check(f"ladder, mu of {row['bot']} {version}", row["rating"]["mu"], mu, 1e-4)
        check(f"ladder, sigma of {row['bot']} {version}", row["rating"]["sigma"], sigma, 1e-4)


records, tournament = lines("records.ndjson"), document("tournament.json")
table(tournament, records)
luck = {one["id"]: one["luck"] or [0] * len(one["entrants"]) for one in document("matches.json")["matches"]}
strengths(tournament, records, luck)
for record in records:
    deals(record)
chain = lines("chain.ndjson")
ratings(chain, {record["match"]: record for record in lines("ladder.ndjson")})
print(*wrong or [f"{len(records)} matches of a tournament and {len(chain)} of a ladder agree"], sep="\n")
sys.exit(bool(wrong))
