"""`farfalia tournament plan`, which needs no server."""

import json

import pytest
from tests.cli.command import Command


def test_a_plan_says_how_even_how_long_and_how_sure(farfalia: Command) -> None:
    done = farfalia("tournament", "plan", "--entrants", 11, "--rounds", 5, "--decision-ms", 100, "--tables", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert "round-robin:rounds=5,boards=datum" in done.stdout
    assert "10 matches, about" in done.stdout
    assert "100 ms per decision and 2 tables at a time." in done.stdout
    assert "min diff" in done.stdout


def test_a_plan_of_stages_as_json(farfalia: Command) -> None:
    stages = "swiss:rounds=3,qualifiers=4 knockout:advance=1"
    told = farfalia.told("tournament", "plan", "--entrants", 8, "--game", "two", "--stages", stages, "--json")
    plan = json.loads(told)
    assert plan["matches"] == 3 * 4 + 2 + 1
    assert [stage["entrants"] for stage in plan["stages"]] == [8, 4]
    assert [stage["rounds"] for stage in plan["stages"]] == [3, 2]
    assert plan["stages"][0]["minimum_detectable_difference"] > 0
    assert plan["seconds"] > 0
    assert [stage["balance"]["kind"] for stage in plan["stages"]] == ["trial", "knockout"]
    assert plan["stages"][1]["balance"]["text"] == "4 at 2 tables; then 2 at 1 table."


def test_a_small_field_is_filled_with_house_bots(farfalia: Command) -> None:
    done = farfalia("tournament", "plan", "--entrants", 3, "--rounds", 3, "--game", "farrago")
    assert "House bots take 1 of the 4 seats of a table." in done.stdout
    assert "Both are those of adjusted scores, measured with sample bots." in " ".join(done.stdout.split())


def test_a_plan_knows_the_noise_of_the_game_and_that_luck_is_taken_out(farfalia: Command) -> None:
    def planned(*more: str) -> tuple[float, str]:
        arguments = ("tournament", "plan", "--entrants", "10", "--rounds", "20", "--boards", "fresh", *more)
        (stage,) = json.loads(farfalia(*arguments, "--json").stdout)["stages"]
        return 1.96 * stage["standard_error"], " ".join(farfalia(*arguments).stdout.split())

    margin, text = planned()
    assert margin == pytest.approx(3.9, abs=0.3)
    assert "Both are those of adjusted scores, without the luck of the cards, measured with sample bots." in text
    other, text = planned("--game", "four", "--option", "hands=8")
    assert other != pytest.approx(margin, abs=0.1)
    assert "measured with sample bots in four with its default options: with others they are a guess." in text
