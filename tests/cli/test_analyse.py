"""`farfalia analyse`: the dearest decisions of a record, and what each bot's decisions cost."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.command import Command, environment, played, write

from farfalia_engine import Cause, Incident

FEW = ("--worlds", 8)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of a match of two bots that play by chance."""
    return write(tmp_path / "one.json", played(game="two"))


def test_the_dearest_mistakes_come_first(farfalia: Command, record: Path) -> None:
    done = farfalia("analyse", record, *FEW, "--most", 3)
    assert done.returncode == 0, done.stderr
    mistake = (
        r"Deal \d+(?:, trick \d+)?: (?:ada|ben) \w+ .+, (\d+\.\d) ± \d+\.\d points dearer than .+\. .*As the cards lay"
    )
    *shown, more = done.stdout.splitlines()[:4]
    prices = [float(found[1]) for line in shown if (found := re.match(mistake, line))]
    assert len(prices) == 3
    assert prices == sorted(prices, reverse=True)
    assert re.fullmatch(r"… and \d+ more", more)


def test_each_bot_has_a_row_for_each_kind_of_decision_and_one_for_all(farfalia: Command, record: Path) -> None:
    lines = farfalia.told("analyse", record, *FEW).splitlines()
    rows = [re.split(r"  +", line.strip()) for line in lines if re.match(r"(ada|ben)  ", line)]
    assert [row[1] for row in rows[: len(rows) // 2]] == ["leading", "following", "collecting", "all"]
    for name in ("ada", "ben"):
        *parts, whole = [[float(figure) for figure in row[2:]] for row in rows if row[0] == name]
        assert whole[0] == sum(part[0] for part in parts)
        assert whole[2] == pytest.approx(sum(part[2] for part in parts), abs=0.2)
        assert whole[4] == sum(part[4] for part in parts)


def test_programs_get_every_action_of_every_decision(farfalia: Command, record: Path) -> None:
    told = json.loads(farfalia.told("analyse", record, *FEW, "--json"))
    ada = json.loads(farfalia.told("analyse", record, *FEW, "--seat", 0, "--json"))
    assert (told["match"], told["worlds"], told["seed"]) == (7, 8, 0)
    assert ada["decisions"] == [one for one in told["decisions"] if one["seat"] == 0]
    first = told["decisions"][0]
    assert first["action"] in [value["action"] for value in first["values"]]
    assert {"kind", "aspect", "price", "error", "open_price", "action_text", "best_text", "mistake"} <= first.keys()


def test_decisions_of_the_last_deal_say_what_they_cost_in_places(farfalia: Command, record: Path) -> None:
    told = json.loads(farfalia.told("analyse", record, *FEW, "--seat", 0, "--json"))["decisions"]
    last = max(one["deal"] for one in told)
    for one in told:
        assert (one["places"] is not None) == (one["deal"] == last)
        assert all((value["place"] is not None) == (one["deal"] == last) for value in one["values"])
    mistakes = [one for one in told if one["mistake"]]
    lines = farfalia.told("analyse", record, *FEW, "--seat", 0, "--most", len(mistakes)).splitlines()
    text = " ".join(line.strip() for line in lines)
    placed = len(re.findall(r"In places it cost \d\.\d\d ± \d\.\d\d\.|It cost no place\.", text))
    assert placed == sum(one["deal"] == last for one in mistakes)


def test_what_a_house_bot_did_is_not_the_bots_fault(farfalia: Command, tmp_path: Path) -> None:
    whole = played(game="two")
    late = next(index for index, one in enumerate(whole.actions) if one.cause is Cause.BOT and one.seat == 0)
    actions = [one._replace(cause=Cause.ILLEGAL) if index == late else one for index, one in enumerate(whole.actions)]
    incident = Incident(0, late, Cause.ILLEGAL, strikes=1, taken_over=False, text="an illegal answer")
    path = write(tmp_path / "late.json", replace(whole, actions=tuple(actions), incidents=(incident,)))
    told = farfalia.told("analyse", path, *FEW, "--seat", 0)
    assert re.search(r"^a house bot for ada  \w+ +1 ", told, re.MULTILINE)


def test_what_cannot_be_analysed_is_refused(farfalia: Command, record: Path, tmp_path: Path) -> None:
    assert "There is no seat 2; the match has 0 (" in farfalia.refused("analyse", record, "--seat", 2, code=2)
    assert "--worlds" in farfalia.refused("analyse", record, "--worlds", 4, code=2)
    wild = write(tmp_path / "wild.json", played(options={"burnin": "on"}))
    assert farfalia.refused("analyse", wild) == (
        "farfalia: Decisions of chinkway with wild cards (burnin=on) are not priced.\n"
    )
    forged = write(tmp_path / "forged.json", played(game="two"), match=8)
    assert "does not hold: " in farfalia.refused("analyse", forged)
    assert farfalia.refused("analyse", tmp_path / "nowhere.json").startswith("farfalia: ")


def test_without_numpy_it_says_what_to_install(record: Path) -> None:
    code = f"""
import sys
sys.modules["numpy"] = None
sys.argv = ["farfalia", "analyse", {str(record)!r}]
from farfalia_server.cli import main
main()
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"farfalia: analyse needs NumPy: {sys.executable} -m pip install 'farfalia[numpy]'\n"
