"""`farfalia run` and `farfalia demo`: a tournament on one machine, from the command line to the records."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli import forked
from tests.cli.bots import LOW, MINDFUL, waiting
from tests.cli.command import LIMIT, Command, environment
from tests.server.live import until

from farfalia_server.cli.run import command

ROOT = Path(__file__).resolve().parents[2]

#: Answers what is not legal, now and then.
WRONG = LOW.replace("return min(", "return 51 if view.deal == 2 else min(")

#: Dies in the middle of the tournament.
DYING = LOW.replace("return", "if view.deal == 3: print('out of luck', flush=True) or os._exit(9)\n        return")
DYING = "import os" + DYING

#: Dies in its first match only.
ONCE_DYING = DYING.replace("class", "first = not os.path.exists('been')\nopen('been', 'w')\n\nclass")
ONCE_DYING = ONCE_DYING.replace("if view.deal == 3", "if first and view.deal == 2")


def left(folder: Path) -> list[str]:
    """Command lines of processes that have this folder in them, or work in it, as what was forked does."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
            at = (path / "cwd").readlink()
        except OSError:
            continue
        if str(folder) in words or folder in (at, *at.parents):
            found.append(words)
    return found


def test_a_bot_of_ones_own_plays_against_house_bots(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "low.py").write_text(LOW)
    done = farfalia(
        "run",
        *("--bot", "low.py", "--bot", "greedy", "--rounds", 2, "--boards", "fresh", "--game", "basic"),
        *("--records", "matches"),
    )
    assert done.returncode == 0, done.stderr
    assert "2 rounds, 2 of 2 matches, finished." in done.stdout
    assert re.search(r"^ *\d  low +\d(?:–\d)? +[a-z ]+ [+-]\d", done.stdout, re.MULTILINE)
    assert "greedy (house)" in done.stdout
    assert "house-greedy-1 (house)" in done.stdout
    assert "Incidents" not in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "The records of all matches are in matches; `farfalia replay FILE` shows one." in done.stderr
    assert "--records DIR" not in done.stderr
    verified = farfalia("verify", "matches")
    assert (verified.returncode, verified.stdout.count("holds.")) == (0, 2)


def test_each_match_is_a_new_process_that_has_seen_no_card(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "mindful.py").write_text(MINDFUL)
    run = ("run", "--bot", "mindful.py", "--bot", "greedy", "--rounds", 1, "--game", "three")
    farfalia.told(*run, "--keep", "kept", "--records", "matches", "--json", "out.json")
    seated = [
        line.split() for line in (tmp_path / "kept/output/mindful.log").read_text().splitlines() if "seen" in line
    ]
    assert [words[-1] for words in seated] == ["1", "1", "1"]
    assert len({process for _, process, *_ in seated}) == 3
    records = [json.loads(path.read_text()) for path in (tmp_path / "matches").glob("*.json")]
    assert {record["source"]["board"] for record in records} == {"board-1-1-1"}
    seats = [[seat["name"] for seat in record["seats"]].index("mindful") for record in records]
    assert sorted(seats) == [0, 1, 2]
    tournament = json.loads((tmp_path / "out.json").read_text())["tournament"]
    assert (tournament["boards"], tournament["finished"]) == ("BOARDS_ROTATIONS", 3)
    assert all(row["strikes"] == 0 for row in tournament["standings"])


def test_a_process_that_dies_loses_its_match_and_the_next_one_plays(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "dying.py").write_text(ONCE_DYING)
    done = farfalia("run", "--bot", "dying.py", "--rounds", 1, "--game", "three", "--json", "out.json")
    assert done.returncode == 1
    assert "dying ended with exit code 9 in match 1, before it was over." in done.stdout
    assert "--keep DIRECTORY keeps all of it." in done.stdout
    assert done.stderr.splitlines()[-1].startswith("To look at matches, run it with --records DIR; then `")
    (row,) = (
        row
        for row in json.loads((tmp_path / "out.json").read_text())["tournament"]["standings"]
        if row["entrant"] == "dying"
    )
    assert (row["matches"], row["forfeits"]) == (3, 1)


@pytest.mark.parametrize(("bot", "code"), [(LOW, 0), (DYING, 1)])
def test_a_command_whose_programs_all_end_at_once_waits_for_no_network(
    farfalia: Command, tmp_path: Path, bot: str, code: int
) -> None:
    """They are on its own machine, and each match ends them all."""
    (tmp_path / "low.py").write_text(bot)
    done = farfalia("run", "--bot", "low.py", "--bot", "again=low.py", "--game", "two", "--rounds", 2)
    assert "paused" not in done.stderr
    assert done.returncode == code
    assert "4 of 4 matches, finished." in done.stdout
    assert "void" not in done.stdout


def test_a_program_that_does_not_start_again_is_given_up(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "shy.py").write_text("import os, sys\nif os.path.exists('been'): sys.exit(7)\nopen('been', 'w')" + LOW)
    done = farfalia("run", "--bot", "shy.py", "--rounds", 1, "--game", "three")
    assert done.returncode == 1
    assert "3 of 3 matches, finished." in done.stdout
    assert "shy ended with exit code 7 before it had a match." in done.stdout


def test_the_same_seed_deals_the_same_cards_and_brings_the_same_table(farfalia: Command, tmp_path: Path) -> None:
    def told(folder: str, *seed: object) -> tuple[str, set[str]]:
        arguments = ("--game", "two", "--rounds", 1, "--boards", "fresh", "--records", folder)
        done = farfalia("run", "--bot", "greedy", "--bot", "random", *arguments, *seed)
        assert done.returncode == 0, done.stderr
        (record,) = (tmp_path / folder).glob("*.json")
        source = json.loads(record.read_text())["source"]
        return done.stdout, {source["secret"], source["boardKey"]}

    first, again, other = told("first", "--seed", 7), told("again", "--seed", 7), told("other")
    assert first == again
    assert not first[1] & other[1]


@pytest.mark.slow
def test_a_program_that_loses_is_told_by_what(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "low.py").write_text(LOW)
    run = ("run", "--bot", "low.py", "--bot", "cautious", "--rounds", 5, "--game", "two", "--seed", 2)
    done = farfalia(*run, "--records", "kept", "--analysis-seconds", 300, "--json", "out.json")
    assert done.returncode == 0, done.stderr
    assert "Decisions of low are priced for up to 300 seconds." in done.stderr
    assert re.search(r"^(You lose most by \w+: |No kind of decision stands out )", done.stdout, re.MULTILINE)
    losses = json.loads((tmp_path / "out.json").read_text())["losses"]["low"]
    assert losses["problem"] == ""
    assert losses["decisions"] > 4 * losses["matches"] > 0
    dearest = losses["dearest"]
    assert dearest["mistake"]
    told = re.search(r"^The dearest, in match (\d+): .*`farfalia (.*)` shows it\.$", done.stdout, re.MULTILINE)
    assert told is not None
    assert int(told[1]) == dearest["match"]
    assert "low" in farfalia.told(*told[2].split())


def test_without_time_for_prices_or_without_one_who_loses_nothing_is_priced(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "low.py").write_text(LOW)
    run = ("run", "--bot", "cautious", "--rounds", 3, "--game", "two", "--seed", 1, "--json", "-")
    for words in (("--bot", "low.py", "--analysis-seconds", 0), ("--bot", "random")):
        done = farfalia(*run, *words)
        assert json.loads(done.stdout)["losses"] == {}
        assert "priced" not in done.stderr


def test_incidents_say_what_the_server_measured(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    run = ("run", "--bot", "wrong.py", "--rounds", 1, "--boards", "fresh", "--game", "two")
    told = farfalia.told(*run, "--json", "out.json")
    assert "Incidents of wrong, as the server measured them:" in told
    assert re.search(r"match 1, deal 2, action \d+: .*\(failure, strike 1\)", told)
    assert "play returned 51 (O13)" in told
    out = json.loads((tmp_path / "out.json").read_text())
    first = out["incidents"]["wrong"][0]
    assert (first["match"], first["deal"], first["cause"], first["strikes"]) == (1, 2, "failure", 1)
    assert out["tournament"]["state"] == "TOURNAMENT_STATE_FINISHED"


def test_what_a_bot_prints_is_shown_below_the_table(farfalia: Command, tmp_path: Path) -> None:
    talking = LOW.replace("return min(", 'print("\x1b[31mholding", len(view.hand))\n        return min(')
    (tmp_path / "talking.py").write_text(talking)
    run = ("run", "--bot", "talking.py", "--bot", "greedy", "--rounds", 1, "--boards", "fresh", "--game", "two")
    told = farfalia.told(*run, "--keep", "kept")
    _, _, printed = told.partition("\ntalking printed, at the end:\n")
    lines = printed.partition("\n\n")[0].splitlines()
    assert len(lines) == 6
    assert all(re.fullmatch(r"  \| \S+holding \d+", line) and "\x1b" not in line for line in lines[:5])
    assert len(set(lines)) == 6
    assert lines[5] == f"All of it is in {Path('kept/output/talking.log')}."
    # Nothing but what its author printed.
    assert set((tmp_path / "kept/output/talking.log").read_text().split()) & {"farfalia:"} == set()


def test_a_bot_that_never_answers_is_shown_where_it_hangs(farfalia: Command, tmp_path: Path) -> None:
    # It goes on once the watchdog has named it: otherwise the run could be over before that.
    named = "'has not returned' in open('kept/output/stuck.log').read()"
    (tmp_path / "stuck.py").write_text(
        "from time import sleep\n" + LOW.replace("return", f"while not {named}: sleep(0.2)\n        return")
    )
    limits = ("--limit-ms", 100, "--bank-ms", 1000 * LIMIT, "--keep", "kept")
    done = farfalia("run", "--bot", "stuck.py", "--rounds", 1, "--boards", "fresh", "--game", "two", *limits)
    # Whether it is asked for a discard first depends on the deal.
    assert re.search(r"question [12]: play\(\) has not returned for", done.stdout)
    assert f"while not {named}: sleep(0.2)" in done.stdout


def test_a_program_that_dies_is_shown_and_the_others_finish(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "dying.py").write_text(DYING)
    run = ("run", "--bot", "dying.py", "--rounds", 2, "--boards", "fresh", "--game", "two")
    done = farfalia(*run, "--keep", "kept")
    assert done.returncode == 1
    assert "2 of 2 matches, finished." in done.stdout
    assert "dying ended with exit code 9 before the tournament was over." in done.stdout
    assert "  | out of luck" in done.stdout
    assert "out of luck" in (tmp_path / "kept/output/dying.log").read_text()


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("sh -c 'echo I am lost; exit 4'", ["ended with exit code 4 before it connected", "  I am lost"]),
        (
            "sh -c \"echo ModuleNotFoundError: No module named \\'farfalia\\' >&2; exit 1\"",
            ["A file that ends in .py is run by this environment's Python, which has farfalia; "],
        ),
        ("true", ["ended with exit code 0 before it connected (does it call farfalia.run(…)?); it printed nothing."]),
    ],
)
def test_a_program_that_does_not_connect_is_named(farfalia: Command, bot: str, said: list[str]) -> None:
    told = farfalia.refused("run", "--bot", bot)
    assert [part for part in said if part not in told] == []


def test_a_program_that_never_connects_is_given_up(farfalia: Command) -> None:
    said = farfalia.refused("run", "--bot", "slow=sleep 600", "--wait", 0.2)
    assert "slow (sleep 600) has not connected within 0.2 seconds" in said


#: The command, with tables that fail: what becomes of a server whose files are changed while it runs.
BROKEN = """
import sys
from farfalia_server.__main__ import main
from farfalia_server.play.table import Table

async def play(self, entries, *, are_lost):
    raise ImportError("half an edit")

Table.play = play
sys.argv = ["farfalia", *sys.argv[2:]]
main()
"""


def test_a_run_whose_matches_are_all_void_says_so_and_fails() -> None:
    words = "run --bot greedy --bot random --game two --rounds 1"
    broken = forked.bot(["-c", BROKEN, *words.split()], environment())
    told, said = broken.communicate(LIMIT)
    assert broken.wait() == 1
    assert "2 of 2 matches are void: the server failed at every attempt to play them" in told
    assert "half an edit" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.prove), signal.SIGTERM, signal.SIGKILL]
)
def test_nothing_is_left_behind_when_it_is_stopped(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "low.py").write_text(waiting(LOW, after=0))
    command = [sys.executable, "-m", "farfalia_server", "run", "--bot", str(tmp_path / "low.py")]
    process = subprocess.Popen(
        [*command, "--game", "two", "--rounds", "1", "--limit-ms", "600000", "--keep", str(tmp_path / "kept")],
        env=environment(),
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("matches: ")
    assert len(left(tmp_path)) >= 4, "the command, what forks its bot, that, and its Redis"
    process.send_signal(number)
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(LIMIT) == (-9 if number == signal.SIGKILL else 128 + number)
    assert "Traceback" not in said
    until(lambda: not left(tmp_path))


@pytest.mark.slow
def test_the_demo_shows_everything_and_can_be_played_again_in_its_directory(farfalia: Command, tmp_path: Path) -> None:
    # As a user starts it: nothing is forked off what has been imported before.
    command = [sys.executable, "-m", "farfalia_server", "demo", "--rounds", "2", "--data", "kept", "--json", "-"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    assert "pages at http://127.0.0.1:" in done.stderr
    rows = json.loads(done.stdout)["tournament"]["standings"]
    assert sorted(row["entrant"] for row in rows) == [
        f"{it}-{n}" for it in ("cautious", "greedy", "random") for n in (1, 2)
    ]
    assert all(row["rating"]["sigma"] > 0 and row["strikes"] == 0 for row in rows)
    assert farfalia("verify", "kept/records").returncode == 0

    # Now it leaves its pages up, as it is asked to.
    command = ["demo", "--rounds", "1", "--serve", "--data", "kept"]
    process, told = forked.watched(command, environment(), tmp_path, tmp_path / "out")
    with told:
        for line in told:
            if "stay up until Ctrl-C" in line:
                break
        process.send_signal(signal.SIGINT)
        said = told.read()
    assert (process.wait(LIMIT), "Traceback" in said) == (0, False), said
    assert "demo (tournament 2)" in (tmp_path / "out").read_text()
    for stderr in (done.stderr, said):
        assert "  farfalia serve --data-dir kept" in stderr.splitlines()
        assert "  farfalia replay kept/records/match-1.json" in stderr.splitlines()


def test_in_a_checkout_the_next_command_is_that_of_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    assert command() == "farfalia"
    Path("farfalia").touch()
    assert command() == "./farfalia"


def test_the_bot_of_the_readme_plays_as_it_stands(farfalia: Command, tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    found = re.search(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert found
    code = [line for line in found[1].splitlines() if line.strip()]
    assert len(code) <= 10
    (tmp_path / "miser.py").write_text(found[1])
    run = ("run", "--bot", "miser.py", "--rounds", 1, "--boards", "fresh", "--game", "basic")
    assert "Incidents" not in farfalia.told(*run)


FAILING = LOW.replace("return", "return [][view.deal]\n        return")


def test_trouble_is_told_at_once_and_ctrl_c_shows_what_came_of_it(tmp_path: Path) -> None:
    (tmp_path / "exc.py").write_text(waiting(FAILING, after=4))
    command = ["run", "--bot", "exc.py", "--game", "two", "--rounds", "10", "--limit-ms", "600000"]
    process, stderr = forked.watched(command, environment(), tmp_path, tmp_path / "out")
    told = []
    with stderr:
        for line in stderr:
            told.append(line)
            if "IndexError" in line:
                break
        process.send_signal(signal.SIGINT)
        stderr.read()
    assert process.wait(LIMIT) == 128 + signal.SIGINT
    out = (tmp_path / "out").read_text()
    of_it = [line for line in told if line.startswith("exc in match ")]
    assert 1 <= len(of_it) <= 2
    assert of_it[0].endswith("Play goes on; Ctrl-C ends it.\n")
    assert re.search(r"^ *\d  exc  ", out, re.MULTILINE)
    assert "Incidents of exc, as the server measured them:" in out
    assert "IndexError: list index out of range (failure, strike 1)" in out


def test_ctrl_c_writes_every_finished_record_and_a_table_that_adds_up(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "low.py").write_text(waiting(LOW, after=20))
    records = tmp_path / "records"
    command = ["run", "--bot", "low.py", "--game", "two", "--rounds", "20", "--limit-ms", "600000"]
    command += ["--records", str(records), "--json", "stopped.json"]
    process, stderr = forked.watched(command, environment(), tmp_path, tmp_path / "out")
    with stderr:
        until(lambda: [*records.glob("*.json")])
        process.send_signal(signal.SIGINT)
        stderr.read()
    assert process.wait(LIMIT) == 128 + signal.SIGINT
    shown = json.loads((tmp_path / "stopped.json").read_text())["tournament"]
    assert shown["finished"] >= 1
    assert {row["matches"] for row in shown["standings"]} == {shown["finished"]}
    assert len(list(records.iterdir())) == shown["finished"]
    assert farfalia("verify", str(records)).returncode == 0


def test_trouble_is_told_once_of_each_bot(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "exc.py").write_text(FAILING)
    run = ("run", "--bot", "exc.py", "--bot", "greedy", "--game", "two", "--rounds", 1, "--keep", "kept")
    for _ in range(2):  # incidents of the first tournament are not told again in the second
        done = farfalia(*run)
        assert done.returncode == 0, done.stderr
        told = [line for line in done.stderr.splitlines() if " in match " in line]
        assert 1 <= len(told) <= 2
        assert all(line.startswith("exc in match ") for line in told)
    assert not any(" in match 1," in line for line in told)
