"""`farfalia bridge`: programs that know nothing but lines of JSON, as processes, play by it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import LIMIT, Command, environment
from tests.clients.scripted import Messages, Script, answers, greet, question, scripted

from farfalia.question_data import question_data
from farfalia.v1 import play_pb2
from farfalia.v1.play_pb2 import PlayResponse
from farfalia.view import View, from_message
from farfalia_engine import GAMES, Deals, play_to_end, ruleset

ROOT = Path(__file__).parents[2]
BRIDGE = [sys.executable, "-m", "farfalia_server", "bridge"]
#: Answers each question with what this expression of the question is, printed as it stands.
ANSWERS = """
import json, os, sys, time
asked = 0
for line in sys.stdin:
    it = json.loads(line)
    print(it["type"], it.get("match"), it.get("number"), file=sys.stderr, flush=True)
    if it["type"] == "question":
        asked += 1
        {answer}
        sys.stdout.flush()
"""


def program(folder: Path, answer: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(ANSWERS.format(answer=answer))
    return [sys.executable, str(path)]


def played(command: list[str], *scripts: Script) -> tuple[int, str]:
    """Exit code and words of a bridge with this program at this server."""
    with scripted(*scripts) as server:
        told = environment(FARFALIA_SERVER=server.address, FARFALIA_TOKEN="token", FARFALIA_QUIET="1")
        done = subprocess.run([*BRIDGE, "--", *command], env=told, capture_output=True, text=True, timeout=LIMIT)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


def asks(*questions: play_pb2.Question, heard: list[play_pb2.Action], at_once: bool = False) -> Script:
    """A script that asks one question after the other, or all in one message, and keeps the answers."""

    def script(messages: Messages) -> Any:
        yield from greet(messages)
        for part in [questions] if at_once else [[one] for one in questions]:
            yield PlayResponse(questions=part)
            wanted = len(heard) + len(part)
            while len(heard) < wanted:
                heard.extend(answers(messages))
        yield PlayResponse(finished=[play_pb2.Finished(match=questions[0].match)])

    return script


@pytest.mark.parametrize(
    "answer",
    [
        'print(it["legal"][1])',
        'print(it["names"][1])',
        'print(json.dumps(it["names"][1]))',
        'print(json.dumps({"action": it["legal"][1]}))',
        'print(json.dumps({"match": it["match"], "number": it["number"], "action": it["legal"][1]}))',
        'print("thinking of", it["hand"]); print(it["legal"][1])',
        'print("x" * 100_000); print(it["legal"][1])',
    ],
)
def test_an_answer_may_be_a_number_a_text_or_an_object(tmp_path: Path, answer: str) -> None:
    heard: list[play_pb2.Action] = []
    code, said = played(program(tmp_path, answer), asks(question(7), question(9, 2), heard=heard))
    second = question(7).legal[1]
    assert [(one.match, one.number, one.action) for one in heard] == [(7, 1, second), (9, 2, second)]
    assert not any(one.failure for one in heard)
    assert "finished 7" in said, "it is told how matches end"
    assert code == 3, "the server refuses its next stream"
    if "thinking" in answer:
        assert "farfalia: match 7, question 1: the line \"thinking of ['S" in said
        assert "is no answer; expected a number of `legal`, a text of `names`, or an object with `action`" in said
    if "x" in answer:
        assert "a line of the program is longer than 65536 bytes, and was skipped" in said


def test_questions_of_several_matches_are_asked_one_at_a_time(tmp_path: Path) -> None:
    heard: list[play_pb2.Action] = []
    questions = [question(match, seed=match) for match in (3, 4, 5)]
    played(program(tmp_path, 'print(it["legal"][-1])'), asks(*questions, heard=heard, at_once=True))
    assert {(one.match, one.action) for one in heard} == {(one.match, one.legal[-1]) for one in questions}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("print(999)", "the program answered '999'; legal were "),
        ('print(json.dumps({"action": True}))', "the program answered 'true'; legal were "),
        ('print("[1, 2]")', "the program answered '[1, 2]'; legal were "),
        ("pass", "the program has not answered in time"),
        ('print("{}")', "has no `action`"),
        ('print(json.dumps({"match": 1, "action": it["legal"][0]}))', "was not asked that, or has answered it"),
    ],
)
def test_a_wrong_answer_and_silence_fail_the_question_and_the_author_is_told(
    tmp_path: Path, answer: str, said: str
) -> None:
    heard: list[play_pb2.Action] = []
    asked = question(7)
    asked.clock.limit_ms, asked.clock.bank_ms = 100, 0
    _, told = played(program(tmp_path, answer), asks(asked, heard=heard))
    assert heard[0].failure
    assert said in told
    assert "match 7, question 1" in told


def test_an_answer_that_comes_too_late_is_not_taken_for_the_next_one(tmp_path: Path) -> None:
    heard: list[play_pb2.Action] = []
    first, second = question(7), question(8, seed=1)
    first.clock.limit_ms, first.clock.bank_ms = 100, 0
    answer = 'asked == 2 and print(999); asked == 2 and print(it["legal"][1])'
    _, said = played(program(tmp_path, answer), asks(first, second, heard=heard))
    assert heard[0].failure == "the program has not answered in time"
    assert (heard[1].match, heard[1].action) == (8, second.legal[1])
    assert "match 7, question 1: its answer came after its time" in said


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        ("sys.exit(4)", "the program ended with exit code 4"),
        ("os.kill(os.getpid(), 9)", "the program was ended by signal 9"),
        ("os.close(1); time.sleep(600)", "the program has closed its standard output"),
    ],
)
def test_a_program_that_ends_ends_its_bridge(tmp_path: Path, answer: str, ending: str) -> None:
    def script(messages: Messages) -> Any:
        yield from greet(messages)
        yield PlayResponse(questions=[question(7)])
        list(messages)

    code, said = played(program(tmp_path, answer), script)
    assert code == 1
    assert "match 7, question 1 has no answer" in said
    assert f"farfalia: {ending}" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--", "./nowhere"], "There is no file nowhere in"),
        (["--", "greedy"], "greedy is a sample bot, which plays without a bridge; expected a program."),
        ([], "PROGRAM"),
    ],
)
def test_a_program_that_cannot_be_started_is_told(tmp_path: Path, words: list[str], sentence: str) -> None:
    assert sentence in Command(tmp_path).refused("bridge", *words, code=2, FARFALIA_TOKEN="token")


def test_a_bridge_without_a_token_says_so_and_leaves_no_program(tmp_path: Path) -> None:
    said = Command(tmp_path).refused("bridge", "--", *program(tmp_path, "pass"), code=2)
    assert "There is no token" in said


def documented() -> str:
    """The program on the page for bots' authors."""
    page = (ROOT / "docs" / "bots.md").read_text()
    (found,) = re.findall(r"## By lines of JSON\n.*?```python\n(.*?)```", page, re.DOTALL)
    return str(found)


def test_the_program_of_the_page_plays_and_its_token_stays_with_the_bridge(tmp_path: Path) -> None:
    told = "import os, sys\nprint('FARFALIA_TOKEN' in os.environ, file=sys.stderr)\n"
    (tmp_path / "lowest.py").write_text(told + documented())
    bridge = f"lines={sys.executable} -m farfalia_server bridge -- {sys.executable} lowest.py"
    run = ("run", "--bot", bridge, "--bot", "greedy", "--rounds", 1, "--keep", "kept")
    for game in ("two", "farrago"):
        done = Command(tmp_path).told(*run, "--game", game, "--boards", "fresh")
        assert "no strikes" in done
        assert "Incidents" not in done
        assert (tmp_path / "kept/output/lines.log").read_text().splitlines()[:1] == ["False"]
    assert len(documented().splitlines()) <= 10


@pytest.mark.slow
def test_a_bridge_keeps_the_contract(tmp_path: Path) -> None:
    (tmp_path / "lowest.py").write_text(documented())
    bridge = f"{sys.executable} -m farfalia_server bridge -- {sys.executable} lowest.py"
    told = json.loads(Command(tmp_path).told("conform", "--bot", bridge, "--json"))
    assert {item["state"] for item in told["items"]} == {"passed"}


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_question_is_plain_data_in_every_game(name: str) -> None:
    rules = ruleset(name)
    seen: list[dict[str, Any]] = []

    def decide(observation: Any) -> int:
        seen.append(json.loads(json.dumps(question_data(View.of(observation)))))
        assert seen[-1]["names"] == [observation.text(action) for action in observation.legal]
        assert seen[-1]["hand"] == [rules.card_text(card) for card in observation.hand]
        return int(observation.legal[0])

    for _ in play_to_end(rules.new_match(Deals(bytes(32))), [decide] * rules.seats):
        pass
    assert all(len(one["tricks"]) == len({json.dumps(trick) for trick in one["tricks"]}) for one in seen)
    known = {"match", "number", "kind", "legal", "names", "game", "seat", "position", "hand", "trick", "tricks", "held"}
    assert all(known <= one.keys() and "clock" not in one for one in seen)


def test_a_question_of_an_unknown_game_has_the_numbers_of_its_actions() -> None:
    asked = question(7)
    asked.view.ruleset, asked.kind = "tarot", 77  # type: ignore[assignment]  # a kind to come
    data = question_data(from_message(asked))
    assert (data["kind"], data["legal"], data["names"]) == ("other", list(asked.legal), [])
    assert data["clock"]["limit_ms"] == 1000
