"""`farfalia compare`: an answer as soon as there is one, and nothing that is called one before."""

import json
import re
import signal
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from statistics import fmean

import pytest
from tests.cli import forked
from tests.cli.bots import LOW, waiting
from tests.cli.command import LIMIT, Command, environment
from tests.server.live import until

import farfalia_engine as engine
from farfalia_server.records import codec, files

#: Plays a few cards and dies.
DIES = """
import os
import farfalia

class Dies(farfalia.Bot):
    asked = 0

    def play(self, view):
        self.asked += 1
        if self.asked > 3:
            os._exit(1)
        return view.legal[0]

farfalia.run(Dies())
"""


@pytest.mark.slow
def test_the_better_one_is_found_before_everything_is_played(farfalia: Command, tmp_path: Path) -> None:
    compare = ("compare", "greedy", "worse=random", "--game", "two", "--most", 1000, "--seed", 1)
    told = farfalia.told(*compare, "--records", "matches", "--json", "out.json")
    assert "greedy is better than worse: +" in told
    out = json.loads((tmp_path / "out.json").read_text())
    found = out["comparison"]
    assert (found["first"], found["second"], found["answer"]) == ("greedy", "worse", "first")
    assert 0 < found["low"] < found["mean"] < found["high"]
    assert out["tournament"]["state"] == "TOURNAMENT_STATE_CANCELLED"
    assert out["tournament"]["finished"] < 2000

    boards: dict[int, list[int]] = defaultdict(list)
    for path in (tmp_path / "matches").glob("*.json"):
        record = json.loads(path.read_text())
        points = dict(zip((seat["name"] for seat in record["seats"]), record["outcome"]["points"], strict=True))
        boards[(int(record["match"]) - 1) // 2].append(points["greedy"] - points["worse"])
    first = [fmean(boards[number]) for number in range(5, found["boards"])]
    assert found["mean"] == pytest.approx(fmean(first)), "after five that set the bound, the first boards decide"


def test_bots_that_do_not_differ_are_equal_within_the_margin(farfalia: Command) -> None:
    arguments = ("--game", "two", "--most", 20, "--margin", 1000)
    told = farfalia.told("compare", "one=greedy", "other=greedy", *arguments)
    assert "one and other are equal within 1000: " in told
    assert not {"adjusted", "relative", "points", "probability"} & set(told.partition("(tournament 1)")[2].split())


def test_two_boards_decide_nothing(farfalia: Command) -> None:
    done = farfalia("compare", "cautious", "greedy", "--game", "two", "--most", 2)
    assert done.returncode == 4, done.stderr
    assert "Undecided after 2 boards, too few to say anything; --most plays more." in done.stdout


@pytest.mark.parametrize("others", [(), ("--with", "cautious")])
def test_both_sit_on_opposite_sides_at_every_board(farfalia: Command, tmp_path: Path, others: tuple[str, ...]) -> None:
    arguments = ("greedy", "random", *others, "--game", "four", "--most", 6, "--records", "matches", "--json", "-")
    done = farfalia("compare", *arguments)
    out = json.loads(done.stdout)
    assert out["tournament"]["finished"] == 24
    assert out["comparison"]["boards"] == 6
    assert done.returncode == 4
    boards: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for path in (tmp_path / "matches").glob("*.json"):
        record = json.loads(path.read_text())
        names = [seat["name"] for seat in record["seats"]]
        boards[record["source"]["board"]].add((names.index("greedy"), names.index("random")))
    assert [{(one - other) % 2 for one, other in seats} for seats in boards.values()] == [{1}] * 6
    assert [{one for one, _ in seats} for seats in boards.values()] == [{0, 1, 2, 3}] * 6


def test_ctrl_c_shows_what_is_known_so_far(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(waiting(LOW, after=4))
    words = "compare one=random two.py --game two --most 40 --limit-ms 600000 --records records --json stopped.json"
    process, told = forked.watched(words.split(), environment(), tmp_path, tmp_path / "out")
    with told:
        until(lambda: len([*(tmp_path / "records").glob("*.json")]) >= 2)
        process.send_signal(signal.SIGINT)
        told.read()
    assert process.wait(LIMIT) == 128 + signal.SIGINT
    out = (tmp_path / "out").read_text()
    assert re.search(r"^one \(house\)  ", out, re.MULTILINE)
    assert re.search(r"Undecided(?!.*--most)", out)
    shown = json.loads((tmp_path / "stopped.json").read_text())
    finished = shown["tournament"]["finished"]
    assert {row["matches"] for row in shown["tournament"]["standings"]} == {finished}
    assert len(list((tmp_path / "records").iterdir())) == finished
    assert shown["comparison"]["boards"] == finished // 2


def test_more_boards_than_a_tournament_holds_are_refused_in_one_sentence(farfalia: Command) -> None:
    assert "expected at most 20000" in farfalia.refused("compare", "greedy", "random", "--most", 9000)


def luck_of(path: Path) -> tuple[Fraction, ...]:
    """What the cards of each seat were worth in the match of a record."""
    found = engine.luck(codec.from_message(files.read(path)))
    assert found is not None
    return found


def test_at_a_table_of_five_each_has_two_seats(farfalia: Command, tmp_path: Path) -> None:
    words = ("new=greedy", "worse=random", "--game", "basic", "--most", 2, "--records", "matches")
    done = farfalia("compare", *words, "--expect", 3, "--json", "-")
    assert done.returncode == 4, done.stderr
    out = json.loads(done.stdout)
    found = out["comparison"]
    assert found["seats"] == [["new", "new-2"], ["worse", "worse-2"]]
    boards: dict[str, list[Fraction]] = defaultdict(list)
    for path in (tmp_path / "matches").glob("*.json"):
        record = json.loads(path.read_text())
        names = [seat["name"] for seat in record["seats"]]
        made = [points - luck for points, luck in zip(record["outcome"]["points"], luck_of(path), strict=True)]
        score = dict(zip(names, made, strict=True))
        difference = score["new"] + score["new-2"] - score["worse"] - score["worse-2"]
        boards[record["source"]["board"]].append(difference / 2)
    assert [len(board) for board in boards.values()] == [5, 5]
    assert found["boards"] == 2
    assert found["mean"] == pytest.approx(float(fmean(map(fmean, boards.values()))), abs=0.002)


def test_an_expected_difference_is_decided_by_its_ratio(farfalia: Command, tmp_path: Path) -> None:
    words = ("greedy", "worse=random", "--game", "two", "--most", 30, "--seed", 1, "--expect", 3, "--json", "out.json")
    told = farfalia.told("compare", *words)
    assert re.search(
        r"greedy is better than worse: \+\d+\.\d points per match, after \d\d boards, LLR .* \[0, 3\], LOS", told
    )
    found = json.loads((tmp_path / "out.json").read_text())["comparison"]
    assert found["answer"] == "first"
    assert found["sprt"]["llr"] >= found["sprt"]["upper"]
    assert (found["low"], found["margin"]) == (None, None)


def test_a_lost_seat_is_said_beside_the_answer(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(DIES)
    done = farfalia("compare", "greedy", "dies.py", "--game", "two", "--most", 2, "--json", "out.json")
    assert done.returncode == 1
    assert "dies lost a seat in 4 matches, where it has no points; that counts in full." in " ".join(
        done.stdout.split()
    )
    found = json.loads((tmp_path / "out.json").read_text())["comparison"]
    assert found["seats_lost"] == {"greedy": 0, "dies": 4}
    assert found["mean"] >= 0


def test_margin_and_expected_difference_are_two_questions(farfalia: Command) -> None:
    said = farfalia.refused("compare", "greedy", "random", "--expect", 3, "--margin", 1, code=2)
    assert "--margin and --expect are two questions" in said
