"""`farfalia bench calibration`: fields of known strength, luck, and what was said held against the truth."""

from dataclasses import asdict
from functools import cache
from random import Random
from statistics import fmean, variance
from xml.etree import ElementTree

import pytest

from farfalia_tools.bench.calibration.benchmark import ALL, Scale, run, table
from farfalia_tools.bench.calibration.fields import FIELDS, KNOWN_FIELDS, TWINS, SimulatedField
from farfalia_tools.bench.calibration.finals import Way
from farfalia_tools.bench.calibration.finals import run as run_finals
from farfalia_tools.bench.calibration.finals import table as finals_table
from farfalia_tools.bench.calibration.looks import run as run_looks
from farfalia_tools.bench.calibration.looks import table as looks_table
from farfalia_tools.bench.calibration.luck import BANKS, DrawnLuck, PlayedBank, PlayedLuck, play_board
from farfalia_tools.bench.calibration.picture import picture
from farfalia_tools.bench.calibration.statements import Statements
from farfalia_tools.bench.calibration.tournaments import REAL_BOTS, REAL_LUCK, Format, TournamentBatch, judge, play
from farfalia_tournaments.schedules import Boards, Match

SMALL = Format(5, 5, 3, Boards.ROTATIONS)
ALL_SURE = {(0, 1): 0.9, (0, 2): 0.9, (1, 2): 0.9, (1, 0): 0.1, (2, 0): 0.1, (2, 1): 0.1}


@cache
def bank(boards: int = 3) -> PlayedBank:
    return PlayedBank(BANKS[0], tuple(play_board(BANKS[0], f"one/{board}") for board in range(boards)))


def test_the_truth_of_a_field_is_relative_to_its_middle_and_styles_count_in_it() -> None:
    assert SimulatedField((3.0, 1.0, -1.0)).truth == (2, 0, -2)
    styles = ((0.0, 2.0, 2.0), (-2.0, 0.0, 2.0), (-2.0, -2.0, 0.0))
    assert SimulatedField((0.0, 0.0, 0.0), styles).truth == (2, 0, -2)
    assert SimulatedField((0.0, 0.0, 0.0), styles).at((1, 2)) == [2, -2]


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_is_drawn_the_same_again_and_its_mean_is_the_middle(name: str) -> None:
    field = FIELDS[name](10, Random(4))
    assert field == FIELDS[name](10, Random(4)) != FIELDS[name](10, Random(5))
    if not field.styles:
        assert fmean(field.truth) == pytest.approx(0)
    assert len(field.level()) == (5 if name == TWINS else 0)


@pytest.mark.parametrize("name", KNOWN_FIELDS)
def test_a_field_with_something_known_is_drawn_the_same_again_and_says_what_is_known(name: str) -> None:
    field = KNOWN_FIELDS[name](10, Random(4))
    assert field == KNOWN_FIELDS[name](10, Random(4)) != KNOWN_FIELDS[name](10, Random(5))
    assert field.families or field.ladder
    for family in set(field.families):
        members = [one for one, own in zip(field.strengths, field.families, strict=True) if own == family]
        assert max(members) - min(members) < 5


@pytest.mark.slow
def test_one_field_alone_can_be_asked_for() -> None:
    report = run(Scale(1, 1, (SMALL,), (SMALL,), (SMALL,), ("two families",)), 3, processes=1)
    assert [row.kind for row in report.fields] == ["two families"]
    assert "two families, 5 bots in fives" in table(report)


def test_drawn_luck_has_the_variance_of_real_matches_and_equal_boards_share_hands() -> None:
    matches = [
        Match(1, number, table, f"board-{number}", 1, (0, 1, 2, 3, 4)) for number in range(1500) for table in (1, 2)
    ]
    luck = DrawnLuck(Random(3)).of(matches)
    relative = [[one - fmean(points) for one in points] for points in luck]
    assert variance([one for points in relative for one in points]) ** 0.5 == pytest.approx(13.3, rel=0.03)
    # 65 % of a score's variance are the hand, 3 % the bot on the board.
    shared = fmean(
        one * other for a, b in zip(relative[::2], relative[1::2], strict=True) for one, other in zip(a, b, strict=True)
    )
    assert shared / 13.3**2 == pytest.approx(0.68, abs=0.04)


def test_played_luck_is_what_real_matches_had_and_one_board_has_the_same_cards() -> None:
    known = bank()
    made = {tuple(sorted(points)) for board in known.boards for points in board}
    matches = [
        Match(1, number, table, f"board-{number}", 1, (0, 1, 2, 3, 4)) for number in range(3) for table in range(5)
    ]
    luck = PlayedLuck(known, Random(1)).of(matches)
    for round_ in range(3):
        tables = []
        for points in luck[5 * round_ : 5 * round_ + 5]:
            rotation = next(
                turn
                for turn in range(5)
                if (
                    found := tuple(
                        sorted(round(points[(bot + turn) % 5] + known.strengths[bot], 6) for bot in range(5))
                    )
                )
                in made
            )
            tables.append((rotation, found))
        assert len(set(tables)) == 5


def test_bots_of_the_same_name_have_the_same_strength_and_the_weak_one_is_last() -> None:
    greedy, cautious, again, _, weak = PlayedBank(
        BANKS[1], tuple(play_board(BANKS[1], f"one/{board}") for board in range(4))
    ).strengths
    assert greedy == again
    assert weak < min(greedy, cautious) - 10


def test_what_is_said_is_judged_by_what_is_true() -> None:
    said = Statements(
        order=(0, 1, 2),
        probability=ALL_SURE,
        known=frozenset(ALL_SURE),
        intervals={0: (1.0, 3.0), 1: (-3.0, -1.0), 2: (-9.0, 9.0)},
        ranks={0: (1, 2), 1: (2, 3), 2: (1, 1)},
        brackets=(frozenset({0}), frozenset({1, 2})),
    )
    judged = judge(SimulatedField((2.0, 0.0, -2.0)), said)
    assert list(judged.pairs) == [4]
    assert judged.pairs[4] == pytest.approx((3, 2.7, 3))
    assert judged.intervals == (3, 2)
    assert judged.first == (1, 1)
    assert judged.ranks == (1, 0)
    assert judged.level == (0, 0)
    level = judge(SimulatedField((2.0, 2.0, -4.0)), said)
    assert level.level == (1, 1)
    assert level.pairs[4] == pytest.approx((2, 1.8, 2))


def test_a_tournament_is_the_same_again_and_the_next_is_another_one() -> None:
    for field in (*FIELDS, REAL_LUCK, *REAL_BOTS):
        batch = TournamentBatch(field, SMALL, range(2), 7, (bank(), bank()))
        assert play(batch, 0) == play(batch, 0) != play(batch, 1)
        assert len(play(batch, 0)[1]) == 15


@pytest.mark.slow
def test_the_report_is_the_same_again_and_has_every_field_and_format() -> None:
    scale = Scale(1, 1, (SMALL, Format(6, 3, 2, Boards.DATUM)), (SMALL,), (SMALL,))
    told: list[tuple[int, int]] = []
    report = run(scale, 3, processes=2, done=lambda done, total: told.append((done, total)))
    assert asdict(report) == asdict(run(scale, 3, processes=1))
    assert told[-1] == (19, 19)
    assert [row.kind for row in report.fields] == [ALL, *FIELDS, REAL_LUCK, *REAL_BOTS, *KNOWN_FIELDS]
    assert [row.kind for row in report.formats] == [
        "5 bots in fives, 3 rounds, rotations",
        "6 bots in threes, 2 rounds, datum",
    ]
    pairs = sum(row.was.of for row in report.bins if row.field == ALL)
    level = next(row.told_apart for row in report.fields if row.kind == ALL)
    assert level is not None
    # Bins leave out the pairs of which no percentage is shown.
    assert 0 < pairs < 9 * 10 + 6 * 15 - level.of
    assert {row.field for row in report.known} == {f"{field}, {SMALL}" for field in KNOWN_FIELDS}
    text = table(report)
    assert all(name in text for name in (*FIELDS, REAL_LUCK, *REAL_BOTS))
    drawn = ElementTree.fromstring(picture(report))
    words = [element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {ALL, *FIELDS} <= set(words)


@pytest.mark.slow
def test_what_is_shown_meanwhile_is_right_more_often_than_what_is_for_a_fixed_end() -> None:
    rows = run_looks(6, 5, formats=[Format(3, 3, 20, Boards.FRESH)], processes=2)
    assert [row.field for row in rows] == list(FIELDS)
    assert all(row.tournaments == 6 and row.fixed <= row.lasting for row in rows)
    assert fmean(row.lasting for row in rows) > 0.9 > fmean(row.fixed for row in rows)
    assert fmean(row.ranks_lasting for row in rows) > 0.9
    assert fmean(row.ranks_lasting for row in rows) >= fmean(row.ranks_fixed for row in rows)
    assert all(name in looks_table(rows) for name in FIELDS)


def test_stages_that_end_early_are_the_same_again_in_each_way() -> None:
    rows = run_finals(2, 3, sizes={5: 8}, leaders=["as drawn"], processes=2)
    assert rows == run_finals(2, 3, sizes={5: 8}, leaders=["as drawn"], processes=1)
    assert [row.way for row in rows] == list(Way)
    assert all(row.stages == 2 and 1 <= row.matches <= 8 and row.wrong <= row.ended for row in rows)
    assert all(row.way in finals_table(rows) for row in rows)
