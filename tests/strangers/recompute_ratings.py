"""Recomputes a ladder of Farfalia from downloads: `python recompute_ratings.py FOLDER`, and nothing else.

In FOLDER lie `ladder.ndjson` (/api/records?ladder=GAME), `chain.ndjson` (/api/ladders/GAME/chain) and `ratings.json`
(/api/ratings?ladder=GAME&all_versions=true&limit=1000), of a game in which everybody plays alone. The method is
TrueSkill (R. Herbrich, T. Minka and T. Graepel, NeurIPS 2006), with the constants of docs/ladders.md, and by points
less luck as docs/records.md says. Luck is taken from the chain: it follows from the cards, and is not computed here.
"""

# mypy: ignore-errors=True

import json
import sys
from base64 import b64decode
from hashlib import sha256
from itertools import combinations
from math import erfc, exp, pi, sqrt
from pathlib import Path
from statistics import NormalDist

MU, SIGMA, BETA, DRAW, LUCK_LEFT, DRAW_LESS_LUCK = 25.0, 25 / 3, 25.0, 0.02, 0.75, 0.001
YOUNG, SETTLED = 100, 50
FOLDER, wrong = Path(sys.argv[1]), []


def check(what, said, computed, error=0.0):
    if not (abs(said - computed) <= error if error else said == computed):
        wrong.append(f"{what}: published {said}, computed {computed}")


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


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


# Of [(place, mu, sigma)], best first, the new (mu, sigma): messages between neighbours, ten times there and back
def trueskill(ranked, beta, draw):
    if len(ranked) < 2:
        return [(mu, sigma) for _, mu, sigma in ranked]
    margin = NormalDist().inv_cdf((draw + 1) / 2) * sqrt(2) * beta
    last = len(ranked) - 2  # pairs of neighbours are numbered by the better one; all below is precision, times mean
    above, below, seen = ([(0.0, 0.0)] * len(ranked) for _ in range(3))
    plays = [(1 / (s * s + beta * beta), m / (s * s + beta * beta)) for _, m, s in ranked]

    def without(pair, player):  # what is known of a performance without what this pair says
        rest = above if player == pair else below
        return plays[player][0] + rest[player][0], plays[player][1] + rest[player][1]

    def compare(pair):
        (lp, lt), (rp, rt) = without(pair, pair), without(pair, pair + 1)
        variance, mean = 1 / lp + 1 / rp, lt / lp - rt / rp
        tied = ranked[pair][0] == ranked[pair + 1][0]
        v, w = truncated(mean / sqrt(variance), margin / sqrt(variance), tied)
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
        a, q = 1 / (1 + beta * beta * p), 1 / sigma**2
        skills.append(((q * mu + a * t) / (q + a * p), 1 / sqrt(q + a * p)))
    return skills


# How much of a match's noise is left without luck: by how the differences of pairs have changed since they met last
def noise(seats):
    for one, other in combinations(sorted(seats), 2):
        played, left = one[2] - other[2], one[3] - other[3]
        if (then := last.get((one[:2], other[:2]))) is not None:
            sums[:] = sums[0] + (left - then[1]) ** 2, sums[1] + (played - then[0]) ** 2, sums[2] + 1
        last[one[:2], other[:2]] = played, left


# From whom a seat learns: who is settled, who missed the match, and for a new one who has half as much behind it
def learns(seat, other):
    if other in settled or other not in counted:
        return True
    return seat not in settled and 2 * counted[other] >= counted[seat]


known, newest, before, luck_left, last, sums = {}, {}, "", LUCK_LEFT, {}, [0, 0, 0]
parts = {}  # what matches have counted, in fifths, by bot and version
chain, records = lines("chain.ndjson"), {record["match"]: record for record in lines("ladder.ndjson")}
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
    answered = {one["seat"] for one in record["actions"] if one["cause"] == "CAUSE_BOT"}
    taken = [one for one in record["incidents"] if one["takenOver"]] if record["format"] > 1 else []
    missed = {one["seat"] for one in taken if not one["strikes"]} - answered
    luck = [who.get("luck", 0) for who in entry["seats"]]  # in thousandths of a point
    made = [1000 * points - own for points, own in zip(record["outcome"]["points"], luck, strict=True)]
    stayed = [seat for seat in old if seat not in lost]
    if "beta" in entry:
        check(f"entry {number}, beta", float(entry["beta"]), BETA * luck_left)
        for seat in stayed:
            places[seat] = 1 + sum(made[other] > made[seat] for other in stayed)
        noise([(*(entry["seats"][s][key] for key in ("id", "version")), made[s] + luck[s], made[s]) for s in stayed])
    noisy = float(entry.get("beta", BETA)), DRAW_LESS_LUCK if "beta" in entry else DRAW
    if number % 1000 == 0 or (number < 1000 and number % 100 == 0):
        luck_left = max(0.2, round(sqrt(sums[0] / sums[1]), 3)) if sums[2] >= 300 and sums[1] else LUCK_LEFT
    if number % 1000 == 0:
        last, sums = {}, [0, 0, 0]
    order = sorted(stayed, key=lambda s: (places[s], entry["seats"][s]["id"]))
    there = {s: who for s, who in enumerate(entry["seats"]) if "mu" in who or who["bot"].startswith("house-")}
    old_hands = {s for s, who in there.items() if number <= YOUNG or who["bot"].startswith("house-")}
    counted = {s: parts.get((who["id"], who["version"]), 0) for s, who in there.items() if s not in old_hands}
    settled = old_hands | {s for s, fifths in counted.items() if fifths >= SETTLED}
    new = {}
    for seat in order:
        told = [one for one in order if one == seat or learns(seat, one)]
        new[seat] = trueskill([(places[one], *old[one]) for one in told], *noisy)[told.index(seat)]
    for seat in [one for one in lost if one not in missed]:
        others = order or [one for one in old if one != seat and one not in missed]
        rest = [(places[one] if order else 1, *old[one]) for one in others]
        mu, sigma = trueskill([*rest, (len(old) + 1, *old[seat])], *noisy)[-1]
        new[seat] = min(mu, old[seat][0]), sigma
    for seat, who in enumerate(entry["seats"]):
        if "mu" in who:
            known[who["id"], who["version"]], newest[who["id"]] = new[seat], (who["id"], who["version"])
            those, others = len(settled - {seat}), len(counted.keys() - settled - {seat})
            counts = 5 if those >= max(1, others) else 0 if settled else 1
            parts[who["id"], who["version"]] = parts.get((who["id"], who["version"]), 0) + counts
            check(f"entry {number}, mu of {who['bot']}", float(who["mu"]), new[seat][0], 1e-4)
            check(f"entry {number}, sigma of {who['bot']}", float(who["sigma"]), new[seat][1], 1e-4)
names = {(who["bot"], who["version"]): who["id"] for entry in chain for who in entry["seats"]}
for row in json.loads((FOLDER / "ratings.json").read_text(encoding="utf-8"))["bots"]:
    version = row["rating"]["version"]
    mu, sigma = known[names[row["bot"], version], version]
    check(f"ladder, mu of {row['bot']} {version}", row["rating"]["mu"], mu, 1e-4)
    check(f"ladder, sigma of {row['bot']} {version}", row["rating"]["sigma"], sigma, 1e-4)
print(*wrong or [f"{len(chain)} matches of a ladder agree"], sep="\n")
sys.exit(bool(wrong))
