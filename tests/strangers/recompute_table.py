"""Recomputes the table of a Farfalia tournament from downloads: `python recompute_table.py FOLDER`, and nothing else.

In FOLDER lie `tournament.json` (/api/tournaments/N), `matches.json` (/api/matches?tournament=N&limit=1000) and
`records.ndjson` (/api/records?tournament=N), of a tournament that was played to its planned end, in which everybody
plays alone. What a number means is in docs/strengths.md; TrueSkill, ranks and letters are not recomputed.
"""

# mypy: ignore-errors=True

import json
import sys
from math import copysign, log1p, sqrt
from pathlib import Path
from statistics import NormalDist, fmean

FOLDER, wrong = Path(sys.argv[1]), []


def check(what, said, computed, error=0.0):
    if abs(said - computed) > error:
        wrong.append(f"{what}: published {said}, computed {computed}")


def student(t, degrees):  # Student's t below t, by the bound of Wallace, 1959
    root = sqrt(degrees * log1p(t * t / degrees))
    return NormalDist().cdf(copysign((8 * degrees + 1) / (8 * degrees + 3) * root, t))


def inverse(matrix):  # by Gauss and Jordan
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = [value / rows[i][i] for value in rows[i]]
        rows = [[a - row[i] * b for a, b in zip(row, pivot, strict=True)] if row[i] else row for row in rows]
        rows[i] = pivot
    return [row[size:] for row in rows]


def dot(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


def times(matrix, values):
    return [dot(row, values) for row in matrix]


def quantile(below, probability, low=-1e4, high=1e4):
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < probability else (low, middle)
    return low


tournament = json.loads((FOLDER / "tournament.json").read_text(encoding="utf-8"))
matches = json.loads((FOLDER / "matches.json").read_text(encoding="utf-8"))["matches"]
records = [json.loads(line) for line in (FOLDER / "records.ndjson").read_text(encoding="utf-8").splitlines()]
luck = {one["id"]: one["luck"] or [0.0] * len(one["entrants"]) for one in matches}  # of the cards, in points
model, rows = tournament["strengthModel"], tournament["standings"]
names = [row["entrant"] for row in rows if row["matches"]]  # of the others nothing is known; they come last
boards = [record["source"]["board"] for record in records]
now = {former: row["entrant"] for row in rows for former in row.get("formerly", [])}  # who plays for whom was replaced

# What was counted, and the equations: score = strength - mean of the table + hand + block + luck, of each seat.
COUNTED = ("points", "strikes", "forfeits", "missed")
sums = {row["entrant"]: dict.fromkeys(COUNTED, 0) | {"relative": 0.0, "places": []} for row in rows}
unknown = {("strength", name): number for number, name in enumerate(names)}
tables, charges = [], dict.fromkeys(names, 0.0)
for record in records:
    outcome, board = record["outcome"], record["source"]["board"]
    seats = [now.get(one["name"], one["name"]) for one in record["seats"]]
    answered = {one["seat"] for one in record["actions"] if one["cause"] == "CAUSE_BOT"}
    taken = [one for one in record["incidents"] if one["takenOver"]] if record["format"] > 1 else []
    missed = {one["seat"] for one in taken if not one["strikes"]} - answered
    for seat, name in enumerate(list(seats)):
        row, lost = sums[name], seat in outcome["forfeits"]  # a house bot has made the points of a lost seat
        row["forfeits"] += lost
        if seat in missed:  # the house bot has played the whole match: one that is not in the table
            row["missed"] += 1
            seats[seat] = ("house bot", sorted(missed).index(seat))
            continue
        row["points"] += 0 if lost else outcome["points"][seat]
        row["relative"] += (0 if lost else outcome["points"][seat]) - fmean(outcome["points"])
        row["places"].append(outcome["places"][seat])
        row["strikes"] += max((one["strikes"] for one in record["incidents"] if one["seat"] == seat), default=0)
        charges[name] += outcome["points"][seat] / (1 - 1 / len(seats)) if lost else 0
    terms = [[("strength", name)] for name in seats]
    for seat, name in enumerate(seats if boards.count(board) > 1 else []):  # only these have cards in common
        terms[seat] += [("hand", board, seat)] if model["hand"] else []
        terms[seat] += [("block", board, *sorted(map(str, seats)), name)] if model["block"] else []
    made = [points - cards for points, cards in zip(outcome["points"], luck[str(record["match"])], strict=True)]
    tables.append(
        ([[unknown.setdefault(key, len(unknown)) for key in own] for own in terms], [a - fmean(made) for a in made])
    )
square, right, total = [[0.0] * len(unknown) for _ in unknown], [0.0] * len(unknown), 0.0
for terms, scores in tables:
    for seat, own in enumerate(terms):
        total += scores[seat] ** 2
        for i in own:
            right[i] += scores[seat]
            for other, there in enumerate(terms):
                for j in there:
                    square[i][j] += (seat == other) - 1 / len(terms)

size = len(names)


def mixture(model):  # for each spread of the field: weight, strengths, covariances, degrees of freedom of Student's t
    return [part(model, prior) for prior in model["priors"]]


def part(model, prior):
    precision = [*prior["precisions"][:size], *[0.0] * (len(unknown) - size)]
    shared = {}  # of two of one family, since the mean of a family is unknown
    for family, common in zip(model["families"], prior["families"], strict=True):
        of = family["rows"]
        whole = common + sum(precision[i] for i in of)
        shared |= {(i, j): precision[i] * precision[j] / whole for i in of for j in of}
    for key, i in list(unknown.items())[size:]:
        precision[i] = 1 / (model[key[0]] if key[0] != "strength" else 1.5**2 * (1 + model["hand"] + model["block"]))
    rest = [  # all equations but those of what a ladder knew
        [a + (i == j) * precision[i] - shared.get((i, j), 0.0) for j, a in enumerate(row)]
        for i, row in enumerate(square)
    ]
    told, ladder = [[0.0] * len(unknown) for _ in unknown], [0.0] * len(unknown)
    for one, a in zip(model["known"], prior["known"], strict=True):  # mean = strength + an offset of the ladder + error
        ladder[one["row"]] = one["mean"]
        for other, b in zip(model["known"], prior["known"], strict=True):
            told[one["row"]][other["row"]] = (one is other) * a - a * b / sum(prior["known"])
    covered = inverse([[a + b for a, b in zip(*both, strict=True)] for both in zip(rest, told, strict=True)])
    found = times(covered, [a + b for a, b in zip(right, times(told, ladder), strict=True)])
    # Luck's variance follows from scores and strengths; a ladder's errors say nothing of it, but fix some strengths.
    degrees = sum(len(scores) - 1 for _, scores in tables) + 1 + sum(map(dot, covered, told))
    variance = (total - 2 * dot(found, right) + dot(found, times(rest, found)) + 1) / degrees
    means = [fmean(row[:size]) for row in covered[:size]]
    spread = [
        [variance * (covered[i][j] - means[i] - means[j] + fmean(means)) for j in range(size)] for i in range(size)
    ]
    own = [found[i] - fmean(found[:size]) - charges[name] / len(sums[name]["places"]) for i, name in enumerate(names)]
    return prior["weight"], own, spread, degrees


parts = mixture(model)
strength = [sum(weight * own[i] for weight, own, _, _ in parts) for i in range(size)]
for said, column in [(said, column) for said in rows for column in COUNTED]:
    check(f"{said['entrant']}, {column}", said[column], sums[said["entrant"]][column])
for i, said in enumerate(rows[:size]):
    name, row = said["entrant"], sums[said["entrant"]]
    check(f"{name}, matches", said["matches"], len(row["places"]))
    check(f"{name}, relative", said["relative"], row["relative"] / len(row["places"]), 1e-9)
    for place, often in enumerate(said["places"], start=1):
        check(f"{name}, placed {place}", often, row["places"].count(place))
    check(f"{name}, adjusted", said["adjusted"], strength[i], 1e-5)
    check(f"{name}, place", said["place"], 1 + sum(other > strength[i] + 1e-6 for other in strength))
    below = lambda x, i=i: sum(w * student((x - own[i]) / sqrt(c[i][i]), d) for w, own, c, d in parts)  # noqa: E731
    margin = (quantile(below, 0.975) - quantile(below, 0.025)) / 2
    check(f"{name}, ±", said["margin"], margin, 1e-4)
if tournament.get("pairModel"):  # what a ladder knew counts for pairs, and for nothing else
    parts = mixture(tournament["pairModel"])
for said in tournament["pairs"]:
    i, j = said["row"], said["column"]
    stronger = sum(w * student((own[i] - own[j]) / sqrt(c[i][i] + c[j][j] - 2 * c[i][j]), d) for w, own, c, d in parts)
    check(f"{names[i]} is stronger than {names[j]}", said["stronger"], stronger, 1e-5)
print(*wrong or [f"the table of {len(records)} matches agrees"], sep="\n")
sys.exit(bool(wrong))
