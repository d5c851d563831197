"""`farfalia rerun`: the questions of a seat again, as its bot got them, and where a bot decides otherwise."""

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli import forked
from tests.cli.bots import LOW
from tests.cli.command import LIMIT, Command, environment, played, write
from tests.server.conformance.raw_bot import broken
from tests.server.live import live_server, until

from farfalia_engine import Cause, Incident, Record, ruleset

#: Writes what it is asked, and its seat, into a file for each match, without the round trip, which no record has. Its
#: third decision takes longer than the limit, its fifth answer is illegal, and from its seventh on it plays high.
WRITING = broken(
    "    return pb.Action(match=question.match, number=question.number, action=question.legal[0])",
    """    question.clock.round_trip_us = 0
    with open(f"asked-{question.match}", "a") as file:
        file.write(question.SerializeToString(deterministic=True).hex() + "\\n")
    if question.number == 3:
        time.sleep(0.6)
    action = 9999 if question.number == 5 else question.legal[0 if question.number < 7 else -1]
    return pb.Action(match=question.match, number=question.number, action=action)""",
).replace(
    "                reply =",
    """                for seated in message.seated:
                    seated.lasting_process = False  # what only hosts are told
                    with open(f"asked-{seated.match}", "a") as file:
                        file.write(seated.SerializeToString(deterministic=True).hex() + "\\n")
                reply =""",
    1,
)
#: The same, which plays low from its seventh decision on as well.
LOWER = WRITING.replace("0 if question.number < 7 else -1", "0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the records of two matches of a bot that writes what it is asked, and what it wrote."""
    folder = tmp_path_factory.mktemp("rerun")
    (folder / "writing.py").write_text(WRITING)
    terms = ("--game", "two", "--rounds", "1", "--limit-ms", "400", "--bank-ms", "60000", "--records", "records")
    Command(folder).told("run", "--bot", "writing.py", "--bot", "greedy", *terms)
    for match in (1, 2):
        (folder / f"asked-{match}").rename(folder / f"then-{match}")
    return folder


@pytest.mark.parametrize("match", [1, 2])
def test_a_program_is_sent_byte_for_byte_what_the_bot_was_sent_in_the_match(folder: Path, match: int) -> None:
    (folder / f"asked-{match}").unlink(missing_ok=True)
    done = Command(folder)("rerun", f"records/match-{match}.json", "--seat", "writing", "--bot", "writing.py")
    then, now = ((folder / f"{name}-{match}").read_text().splitlines() for name in ("then", "asked"))
    assert now == then
    assert len(now) > 20
    # It fails where it failed: what a house bot did in its place is none of its decisions.
    assert done.returncode == 1
    assert f"{len(now) - 2} of {len(now) - 1} decisions are the same." in done.stdout
    assert "then (by a house bot: illegal answer); now it answered the question 5 of a match of two" in done.stdout


def test_where_it_decides_otherwise_is_told_and_the_questions_follow_the_record(folder: Path) -> None:
    (folder / "lower.py").write_text(LOWER)
    (folder / "asked-1").unlink(missing_ok=True)
    call = ("rerun", "records/match-1.json", "--seat", "writing", "--bot", "lower.py")
    done = Command(folder)(*call)
    assert done.returncode == 1
    assert (folder / "asked-1").read_text() == (folder / "then-1").read_text()
    told = json.loads(Command(folder)(*call, "--json").stdout)
    *lines, summary = done.stdout.splitlines()
    assert summary == f"{told['same']} of {told['decisions']} decisions are the same."
    assert len(lines) == len(told["differing"]) == told["decisions"] - told["same"]
    first, second, *_ = told["differing"]
    assert (first["question"], first["now"], first["cause"]) == (5, None, "illegal")
    assert second["question"] >= 7
    for line, one in zip(lines[1:], told["differing"][1:], strict=True):
        assert line.startswith(f"Deal {one['deal']}, trick {one['trick']}: ")
        assert line.endswith(f", {one['now'].removeprefix('+')} now.")


def test_questions_may_begin_at_a_deal_and_a_trick(folder: Path) -> None:
    (folder / "asked-1").unlink(missing_ok=True)
    call = ("rerun", "records/match-1.json", "--seat", "writing", "--bot", "lower.py", "--json")
    (folder / "lower.py").write_text(LOWER)
    told = json.loads(Command(folder)(*call, "--from", "3.5").stdout)
    assert min((one["deal"], one["trick"]) for one in told["differing"]) >= (3, 5)
    _, *asked = (folder / "asked-1").read_text().splitlines()
    assert len(asked) == told["decisions"]
    assert (folder / "then-1").read_text().endswith("\n".join([*asked, ""]))


@pytest.mark.parametrize("game", ["farrago", "chinkway", "three-short"])
def test_every_kind_of_decision_has_words(farfalia: Command, tmp_path: Path, game: str) -> None:
    options = {"double_you": "on"} if game == "chinkway" else {}
    record = write(tmp_path / "match.json", played(game=game, options=options))
    (tmp_path / "low.py").write_text(LOW)
    done = farfalia("rerun", record.name, "--seat", "1", "--bot", "low.py")
    assert (done.returncode, done.stderr) == (1, "")
    words = {
        "farrago": ["showed", "picked"],
        "chinkway": ["discarded", "declared", "collected", "doubled: yes then, no"],
    }
    assert [word for word in words.get(game, ["discarded"]) if word not in done.stdout] == []
    assert "=" not in done.stdout
    assert "+" not in done.stdout


def test_a_house_bot_decides_again_as_it_did(folder: Path) -> None:
    said = Command(folder).told("rerun", "records/match-1.json", "--seat", "greedy", "--bot", "greedy")
    same, _, asked = said.split()[:3]
    assert same == asked


def test_a_seat_that_was_taken_over_is_asked_what_its_bot_was_asked(farfalia: Command, tmp_path: Path) -> None:
    whole = played(game="two")
    changed = taken_over(whole)
    write(tmp_path / "match.json", changed)
    told = json.loads(farfalia("rerun", "match.json", "--seat", "1", "--bot", "random", "--json").stdout)
    asked = [action for action in changed.actions if action.seat == 1 and action.cause is not Cause.FORCED]
    assert told["decisions"] == sum(action.cause is not Cause.HOUSE for action in asked) < len(asked)


def taken_over(record: Record) -> Record:
    """The same match, in which seat 1 was lost in the middle: its bot failed, with no strike to spare."""
    middle = len(record.actions) // 2
    lost = next(
        at for at, action in enumerate(record.actions) if at > middle and action.seat == 1 and action.cause is Cause.BOT
    )
    causes = {lost: Cause.FAILURE}
    actions = tuple(
        action._replace(cause=causes.get(at, Cause.HOUSE if at > lost and action.seat == 1 else Cause.BOT))
        if action.cause is Cause.BOT
        else action
        for at, action in enumerate(record.actions)
    )
    assert record.outcome is not None
    places = ruleset(record.ruleset).places(record.outcome.points, (1,))
    return replace(
        record,
        actions=actions,
        incidents=(Incident(1, lost, Cause.FAILURE, 1, True, "it said so"),),
        time_control=replace(record.time_control, grace=0),
        outcome=replace(record.outcome, places=places, forfeits=(1,)),
    )


def test_a_match_of_a_server_is_named_by_its_number(farfalia: Command, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        server.wait_for(server.tournament(["house-greedy-1", "house-random-1"], rounds=1, ruleset="two"))
        call = ("rerun", "1", "--seat", "house-greedy-1", "--bot", "greedy")
        said = farfalia.told(*call, FARFALIA_SERVER=server.grpc_address)
    same, _, asked = said.split()[:3]
    assert same == asked


def test_without_a_server_a_match_by_its_number_is_not_there(farfalia: Command) -> None:
    said = farfalia.refused("rerun", "7", "--seat", "0", "--bot", "greedy", "--server", "127.0.0.1:1")
    assert said.startswith("farfalia: no server answers at 127.0.0.1:1")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--seat", "9", "--bot", "greedy"), "There is no seat 9; the match has 0 (ada), 1 (ben)."),
        (("--seat", "zoe", "--bot", "greedy"), "There is no seat zoe; the match has 0 (ada), 1 (ben)."),
        (("--seat", "0", "--bot", "gredy"), "There is no bot gredy (did you mean greedy?)"),
        (
            ("--seat", "0", "--bot", "greedy", "--from", "x"),
            "There is no trick 'x'; expected a deal, and a trick in it",
        ),
        (("--seat", "0", "--bot", "greedy", "--from", "9"), "ada in seat 0 was asked nothing from 9 on."),
        (("--seat", "0", "--bot", "greedy", "--watch"), "--watch needs a program of yours"),
    ],
)
def test_wrong_words_are_told(farfalia: Command, tmp_path: Path, more: tuple[str, ...], sentence: str) -> None:
    write(tmp_path / "match.json", played(game="two"))
    assert sentence in farfalia.refused("rerun", "match.json", *more, code=2)


def test_a_record_that_does_not_hold_is_refused(farfalia: Command, tmp_path: Path) -> None:
    write(tmp_path / "match.json", played(game="two"), match=0)
    said = farfalia.refused("rerun", "match.json", "--seat", "0", "--bot", "greedy")
    assert said.startswith("farfalia: match.json does not hold: the match has number 0")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("print('not a bot')", "it ended with exit code 0; it wrote last:\n  | not a bot"),
        (
            LOW.replace("        return", "        import os; print('ill', flush=True); os._exit(3)\n        return"),
            "exit code 3",
        ),
        (
            LOW.replace("    def", "    rulesets = ['four']\n\n    def"),
            "it does not play two, as its hello says; it plays four",
        ),
        (
            LOW.replace("        return", "        import time; time.sleep(99)\n        return"),
            "it did not answer the question 1 of a match of two (play) within 1 seconds",
        ),
    ],
)
def test_a_program_that_does_not_answer_is_told_with_what_it_wrote(
    farfalia: Command, tmp_path: Path, source: str, sentence: str
) -> None:
    write(tmp_path / "match.json", played(game="two"))
    (tmp_path / "bad.py").write_text(source)
    call = ("rerun", "match.json", "--seat", "0", "--bot", "bad.py", "--limit", "1")
    assert sentence in farfalia.refused(*call)


def test_what_a_program_writes_is_kept(farfalia: Command, tmp_path: Path) -> None:
    write(tmp_path / "match.json", played(game="two"))
    (tmp_path / "low.py").write_text(LOW.replace("        return", "        print(view.number)\n        return"))
    done = farfalia("rerun", "match.json", "--seat", "0", "--bot", "low.py", "--keep", "kept")
    number = done.stdout.splitlines()[-1].split()[2]
    lines = (tmp_path / "kept" / "output.txt").read_text().splitlines()
    assert number in lines
    assert "finishing open matches" not in lines[-1]  # it was told the end of the match


def test_a_change_of_its_files_asks_it_again_and_ctrl_c_ends_that(tmp_path: Path) -> None:
    write(tmp_path / "records" / "match.json", played(game="two"))
    bot = tmp_path / "bots" / "low.py"
    bot.parent.mkdir()
    # Its own file changes at each run, which is no reason to ask again and again.
    bot.write_text(LOW.replace("farfalia.run", "open('bots/runs.txt', 'a').write('.')\nfarfalia.run"))
    call = ("rerun", "records/match.json", "--seat", "0", "--bot", "bots/low.py", "--watch")
    process, told = forked.watched(call, environment(), tmp_path, tmp_path / "out")
    with told:
        for _ in range(2):  # after the second it is known that the program writes into its folder
            until(lambda: "Waiting for a change" in told.readline())
        runs = len((tmp_path / "bots" / "runs.txt").read_text())
        bot.write_text("import farfalia, nowhere\n")
        until(lambda: "No module named 'nowhere'" in told.readline())
        assert "Waiting for a change" in told.readline()
        bot.write_text(LOW)
        until(lambda: told.readline() == "low.py has changed.\n")
        until(lambda: "Waiting for a change" in told.readline())
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 128 + signal.SIGINT
        assert told.read() == "Stopped.\n"
    lines = (tmp_path / "out").read_text().splitlines()
    summaries = [line for line in lines if "decisions are the same" in line]
    assert len(summaries) == runs + 1
    assert len(set(summaries)) == 1
