"""What `farfalia run` says first: how one's own programs did, in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.bots import LOW
from tests.cli.command import Command

from farfalia.analysis.prices import PricedDecision
from farfalia.v1 import tournaments_pb2
from farfalia_engine import Kind
from farfalia_server.cli.run_losses import plain_losses
from farfalia_server.cli.run_verdict import below_others, run_verdict
from farfalia_server.local.bot_specs import BotSpec, parse
from farfalia_server.local.losses import KindOfLoss, Losses
from farfalia_server.local.tournament import IncidentReport, RunReport

#: Name, strength and the letters of its level.
Row = tuple[str, float, str]


def outcome(*rows: Row, matches: int = 20, strikes: int = 0, forfeits: int = 0) -> RunReport:
    """A tournament with this table, the strikes being those of `mine`."""
    tournament = tournaments_pb2.Tournament(rounds=4)
    for entrant, adjusted, brackets in rows:
        tournament.standings.add(entrant=entrant, adjusted=adjusted, brackets=brackets, matches=matches)
        if entrant == "mine":
            tournament.standings[-1].strikes, tournament.standings[-1].forfeits = strikes, forfeits
    one = IncidentReport(3, 2, 17, "illegal", 1, False, "S1 is not legal")
    incidents = {name: [one] * (strikes if name == "mine" else 0) for name, _, _ in rows}
    return RunReport(tournament, incidents, {}, [])


def why(name: str = "mine") -> str:
    """What tells how to find out why a bot is below another."""
    return (
        "--records DIR keeps the matches; then `farfalia analyse DIR/match-N.json "
        f"--seat {name}` says what each decision of a match cost."
    )


FILLERS: list[Row] = [(f"house-greedy-{number}", 5.0, "b") for number in range(1, 5)]


@pytest.mark.parametrize(
    ("bots", "report", "said"),
    [
        (
            ["mine=./mine", "cautious"],
            outcome(("cautious", 11.6, "a"), *FILLERS[:3], ("mine", -11.6, "c")),
            ["You are 23 points a match below cautious (20 matches, no strikes).", why()],
        ),
        (
            ["mine=./mine", "greedy", "random"],
            outcome(("greedy", 4.2, "a"), ("mine", 0.0, "b"), ("random", -11, "c"), matches=1),
            [
                "You are 4.2 points a match below greedy and 11 points a match above random (1 match, no strikes).",
                why(),
            ],
        ),
        (
            ["mine=./my bot", "cautious"],
            outcome(("cautious", 3.1, "a"), ("mine", 1.0, "a b"), *FILLERS[:3]),
            [
                "20 matches cannot tell you from cautious: 2.1 points a match below may be chance (no strikes).",
                "`farfalia compare 'mine=./my bot' cautious` plays on until it knows which one is better.",
            ],
        ),
        (
            ["mine=./mine"],
            outcome(*FILLERS, ("mine", -10, "c")),
            [
                "You are 15 points a match or more below 4 others, of which house-greedy-1 is nearest "
                "(20 matches, no strikes).",
                why(),
            ],
        ),
        (
            ["mine=./mine"],
            outcome(*FILLERS, ("mine", 1, "b")),
            [
                "20 matches cannot tell you from 4 others (no strikes).",
                "--rounds 16 would halve what is due to chance.",
            ],
        ),
        (
            ["mine=./mine", "old=./old", "greedy"],
            outcome(("mine", 20, "a"), ("old", 1, "b"), ("greedy", 1.5, "b")),
            [
                "mine is 18 points a match above greedy and 19 above old (20 matches, no strikes).",
                "old is 19 points a match below mine (20 matches, no strikes). "
                "They cannot tell old from greedy: 0.5 points a match below may be chance.",
                why("old"),
                "`farfalia compare old=./old greedy` plays on until it knows which one is better.",
            ],
        ),
        (
            ["greedy", "random"],
            outcome(("greedy", 9, "a"), ("random", -9, "b")),
            ["greedy is 18 points a match above random (20 matches, no strikes)."],
        ),
        (
            ["mine=./mine", "cautious"],
            outcome(("cautious", 11.6, "a"), ("mine", -11.6, "b"), strikes=2, forfeits=1),
            [
                "You are 23 points a match below cautious (20 matches, 2 strikes, the seat lost in 1 match).",
                "Your first strike, in match 3: S1 is not legal. All are below, with what the program printed.",
                why(),
            ],
        ),
        (
            ["mine=./mine", "cautious"],
            outcome(("cautious", 0, ""), ("mine", 0, ""), matches=0),
            ["Nothing can be said about you: no match was finished."],
        ),
    ],
)
def test_it_is_said_as_far_as_it_is_known(bots: list[str], report: RunReport, said: list[str]) -> None:
    assert run_verdict(report, parse(bots)) == said


def test_records_that_were_written_are_named() -> None:
    report = outcome(("cautious", 11.6, "a"), ("mine", -11.6, "b"))
    assert run_verdict(report, parse(["mine=./mine", "cautious"]), records=Path("my kept"))[1:] == [
        "`farfalia analyse 'my kept/match-N.json' --seat mine` says what each decision of a match cost."
    ]


#: The price of a card of `two`.
LED = PricedDecision(8, 1, 3, 0, Kind.PLAY, "lead", 51, 0, (), 9.04, 0.4, 3.0)


@pytest.mark.parametrize(
    ("losses", "said"),
    [
        (
            Losses(180, 6, [KindOfLoss("lead", 15.24, 2.1), KindOfLoss("follow", 1, 3)], LED, 7, "two"),
            [
                "You lose most by leading: 15.2 ± 2.1 points a match, against what cautious would do in the same "
                "places (180 decisions in 6 matches).",
                "The dearest, in match 7: deal 1, trick 3: you led O13, 9.0 ± 0.4 points dearer than S1. "
                "`farfalia replay kept/match-7.json --deal 1 --trick 3` shows it.",
            ],
        ),
        (
            Losses(90, 1, [KindOfLoss("follow", 3.9, 2.0), KindOfLoss("lead", -1, 0.1)]),
            ["No kind of decision stands out against what cautious would do (90 decisions in 1 match)."],
        ),
        (
            Losses(problem="that needs NumPy: pip install 'farfalia[numpy]'"),
            ["What your decisions cost is not known: that needs NumPy: pip install 'farfalia[numpy]'."],
        ),
    ],
)
def test_where_points_are_lost_is_said_if_it_is_known(losses: Losses, said: list[str]) -> None:
    report = outcome(("cautious", 11.6, "a"), ("mine", -11.6, "b"))
    entrants = parse(["mine=./mine", "cautious"])
    assert below_others(report, entrants) == ["mine"]
    assert run_verdict(report, entrants, records=Path("kept"), losses={"mine": losses})[1:-1] == said
    assert plain_losses(losses)["kinds"] == [
        {"aspect": one.aspect, "points": one.points, "error": one.error, "stands_out": one is losses.worst}
        for one in losses.kinds
    ]


def test_of_who_is_not_below_others_nothing_is_priced() -> None:
    report = outcome(("mine", 11.6, "a"), ("cautious", -11.6, "b"))
    assert below_others(report, parse(["mine=./mine", "cautious"])) == []
    assert below_others(report, parse(["mine=./mine", "cautious", "greedy"])) == []
    assert below_others(outcome(("cautious", 9, "a"), ("greedy", 1, "b")), parse(["cautious", "greedy"])) == []


def test_bots_that_nobody_has_written_down_are_not_to_be_compared_by_a_command() -> None:
    twins = [BotSpec("cautious-1", command=("x",)), BotSpec("cautious-2", command=("y",))]
    report = outcome(("cautious-1", 2, "a"), ("cautious-2", -2, "a"))
    assert run_verdict(report, twins) == [
        "20 matches cannot tell cautious-1 from cautious-2: 4.0 points a match above may be chance (no strikes).",
        "--rounds 16 would halve what is due to chance.",
    ]


def test_a_run_begins_with_words_and_shows_what_proves_its_deals_if_asked(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "low.py").write_text(LOW)
    run = ("run", "--bot", "low.py", "--bot", "greedy", "--game", "two", "--rounds", 1)
    told = farfalia.told(*run)
    words = "(You are|2 matches cannot tell you from greedy)"
    assert re.match(words, told), told
    assert "\n\nrun (tournament 1): two, 1 round, 2 of 2 matches, finished." in told
    assert not re.search("[0-9a-f]{64}", told)
    proved = farfalia.told(*run, "--proofs")
    assert re.search(r"^  commitment  [0-9a-f]{64}$", proved, re.MULTILINE)
    assert re.search(r"^  secret      [0-9a-f]{64}$", proved, re.MULTILINE)
