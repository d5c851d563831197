"""Hands and blocks taken out, against dense algebra on the whole covariance and against published values."""

import math
import random

import numpy
import pytest

from farfalia_tournaments import MatchResult
from farfalia_tournaments.results import ordered
from farfalia_tournaments.statistics.strengths.information import Information
from farfalia_tournaments.statistics.strengths.tables import boards_of

#: Diameters of O. L. Davies and P. L. Goldsmith, "Statistical Methods in Research and Production", 1972, section 6.6:
#: 24 plates with six samples of penicillin each, in the order of the plates.
PENICILLIN = """
272326232321 272326232321 252125242420 262325232320 252226222320 242225232219 242023212219 262226242421
242124222220 242124232219 262326242421 252226242420 262426242522 262326232320 262325242422 252225232320
252124232320 252224232319 242123212119 262326242421 252124222218 252225222220 242124222419 242124222118
"""

Played = list[MatchResult[str]]
#: The members of a side, and what its block is known by.
Members = tuple[str, ...]
Block = tuple[str, frozenset[Members], Members]


def single(names: str, board: str, rng: random.Random) -> MatchResult[str]:
    return MatchResult(tuple(names), tuple(rng.randint(0, 40) for _ in names), (1,) * len(names), board=board)


def teams(names: str, board: str, rng: random.Random) -> MatchResult[str]:
    made = rng.randint(0, 40), rng.randint(0, 40)
    return MatchResult(tuple(names), (*made, *made), (1,) * 4, sides=(0, 1, 0, 1), board=board)


def fields(rng: random.Random) -> dict[str, Played]:
    """Results of every kind of board."""
    turns = ["abc", "bca", "cab"]
    return {
        "cards of their own": [single("abc", "", rng), single("dba", "", rng), single("dc", "", rng)],
        "several tables": [single("abc", "x", rng), single("def", "x", rng), single("fab", "y", rng)],
        "rotations": [*(single(one, "x", rng) for one in turns), *(single(one, "y", rng) for one in turns)],
        "rotations at two tables": [single(one, "x", rng) for one in (*turns, "def", "efd", "fde")],
        "rotations that are not over": [single(one, "x", rng) for one in (*turns, "def", "efd", "gha")],
        "a table alone with a baseline": [single("abc", "worth", rng), single("abd", "x", rng)],
        "partners": [teams("abcd", "x", rng), teams("bcda", "x", rng), teams("aebf", "x", rng), teams("afce", "", rng)],
        "no connection": [single("ab", "x", rng), single("cd", "y", rng), single("cd", "y", rng)],
    }


BASELINES = {"worth": (30, 20, 4)}


@pytest.mark.parametrize("kind", fields(random.Random(0)))
@pytest.mark.parametrize(("hand", "block"), [(0.0, 0.0), (1.7, 0.0), (0.6, 0.2)])
def test_the_terms_are_those_of_the_whole_covariance(kind: str, hand: float, block: float) -> None:
    results = fields(random.Random(kind))[kind]
    entrants = ordered({one for result in results for one in result.entrants})
    numbers = {one: number for number, one in enumerate(entrants)}
    found = Information.of(boards_of(results, numbers, BASELINES), len(entrants))
    if not found.knows_blocks:
        block = 0.0
    terms = found.at(hand, block)
    design, scores, covariance = dense(results, numbers, hand, block)
    known = numpy.linalg.inv(covariance)
    assert found.contrasts == len(scores)
    numpy.testing.assert_allclose(terms.precision, design.T @ known @ design, atol=1e-9)
    numpy.testing.assert_allclose(terms.right, design.T @ known @ scores, atol=1e-9)
    assert terms.square == pytest.approx(scores @ known @ scores)
    assert terms.log_determinant == pytest.approx(numpy.linalg.slogdet(covariance)[1], abs=1e-9)


def dense(
    results: Played, numbers: dict[str, int], hand: float, block: float
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Return design, scores and covariance of orthonormal contrasts of every table, written down as the model says."""
    rows: list[tuple[list[tuple[Members, int, Block | None]], str, list[float]]] = []
    for board in sorted({result.board for result in results} & BASELINES.keys()):
        rows.append(([((), seat, None) for seat in range(3)], board, [float(made) for made in BASELINES[board]]))
    for number, result in enumerate(results):
        shared = sides_of(result)
        table = frozenset(members for members, _ in shared)
        board = result.board or f"own {number}"
        rows.append(([(m, h, (board, table, m)) for h, (m, _) in enumerate(shared)], board, [p for _, p in shared]))
    hands = sorted({(board, h) for sides, board, _ in rows for _, h, _ in sides})
    blocks = list({b for sides, _, _ in rows for _, _, b in sides if b is not None})
    designs, effects, scores, turned = [], [], [], []
    for number, (sides, board, made) in enumerate(rows):
        size = len(sides)
        basis = numpy.linalg.svd(numpy.eye(size) - 1 / size)[0][:, : size - 1].T
        strength = numpy.zeros((size, len(numbers)))
        effect = numpy.zeros((size, len(hands) + len(blocks) + len(rows) * 9))
        for place, (members, h, b) in enumerate(sides):
            for member in members:
                strength[place, numbers[member]] = 1 / len(members)
            effect[place, hands.index((board, h))] = math.sqrt(hand)
            if b is not None:
                effect[place, len(hands) + blocks.index(b)] = math.sqrt(block)
            else:
                effect[place, len(hands) + len(blocks) + number * 9 + place] = math.sqrt(block)
        designs.append(basis @ strength)
        effects.append(basis @ effect)
        scores.append(basis @ numpy.array(made))
        turned.append(basis)
    together = numpy.vstack(effects)
    return numpy.vstack(designs), numpy.concatenate(scores), numpy.eye(len(together)) + together @ together.T


def sides_of(result: MatchResult[str]) -> list[tuple[tuple[str, ...], float]]:
    sides: dict[int, list[int]] = {}
    for seat, side in enumerate(result.sides):
        sides.setdefault(side, []).append(seat)
    return [
        (
            tuple(sorted(result.entrants[seat] for seat in seats)),
            sum(result.points[seat] for seat in seats) / len(seats),
        )
        for seats in sides.values()
    ]


def test_variances_are_those_that_lme4_publishes_for_its_data_on_penicillin() -> None:
    # A plate is a table, whose mean is taken off, and a sample is a hand; lmer(diameter ~ (1 | plate) + (1 | sample))
    # gives standard deviations of 1.9316 for samples and 0.5499 for the residual.
    plates = [[int(row[at : at + 2]) for at in range(0, 12, 2)] for row in PENICILLIN.split()]
    results = [
        MatchResult(tuple(f"{plate} {sample}" for sample in range(6)), tuple(made), (1,) * 6, board="x")
        for plate, made in enumerate(plates)
    ]
    numbers = {one: number for number, one in enumerate(one for result in results for one in result.entrants)}
    information = Information.of(boards_of(results, numbers), len(numbers))

    def criterion(hand: float) -> float:
        terms = information.at(hand, 0.0)
        return terms.log_determinant + information.contrasts * math.log(terms.square)

    published = (1.9316 / 0.5499) ** 2
    grid = [published * (1 + step / 1000) for step in range(-20, 21)]
    assert min(grid, key=criterion) == pytest.approx(published, rel=0.0025)
    luck = math.sqrt(information.at(published, 0.0).square / information.contrasts)
    assert luck == pytest.approx(0.5499, abs=0.0001)
