"""A bot that keeps the contract passes; one that breaks it fails at the item that looks at what it breaks."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.server.conformance.raw_bot import SOURCE, broken

from farfalia_server.conformance import pings
from farfalia_server.conformance.run import FAILED, ITEMS, PASSED, Seen, conform

#: What does not apply to a bot of these tests.
SKIPPED = {"nonces"}


def looked_at(folder: Path, source: str, names: Sequence[str], patience: float = 60.0) -> dict[str, Seen]:
    """What comes of these items with a program."""
    (folder / "bot.py").write_text(source)
    told: list[Seen] = []
    chosen = [item for item in ITEMS if item.name in {"connects", *names}]
    command = [sys.executable, str(folder / "bot.py")]
    run = conform(command, folder / "output.txt", seconds=30, patience=patience, tell=told.append, chosen=chosen)
    seen = asyncio.run(run)
    assert seen == told
    return {one.name: one for one in seen}


def test_a_bot_that_keeps_the_contract_passes_every_item(tmp_path: Path) -> None:
    seen = looked_at(tmp_path, SOURCE, [item.name for item in ITEMS])
    assert list(seen) == [item.name for item in ITEMS]
    assert {name for name, one in seen.items() if one.state != PASSED} == SKIPPED, seen


@pytest.mark.parametrize(
    ("place", "instead", "item", "finding", "where"),
    [
        ("action=question.legal[0]", "action=9999", "situations of two", "not legal", "a-question-and-its-answer"),
        (
            "in message.questions]",
            "in message.questions] * 2",
            "situations of two",
            "2 times, but was asked 1",
            "limits",
        ),
        (
            "    return pb.Action",
            "    assert 0 < question.kind < 10\n    return pb.Action",
            "unknown kinds",
            "ended with exit code 1",
            "under-farfalia-run",
        ),
        ('"Bearer "', '"Basic "', "connects", "has not shown its token", "the-loop"),
        ("instance=instance", "instance=b''", "connects", "instance of 0 bytes", "Hello.instance"),
        ("instance=instance", "instance=os.urandom(8)", "lost streams", "another instance", "Hello.instance"),
        ("time.sleep(wait *", "time.sleep(0 *", "lost streams", "ms after a stream had ended", "reconnecting"),
        (
            "        wait = 0.25 if",
            "        return\n        wait = 0.25 if",
            "lost streams",
            "ended",
            "under-farfalia-run",
        ),
        (
            "threading.Thread(target=keep_playing).start()",
            "pass",
            "drain",
            "had opened no stream",
            "PlayResponse.drain",
        ),
        ("grpc.StatusCode.UNAUTHENTICATED)", ")", "stops", "came back", "reconnecting"),
    ],
)
def test_a_bot_that_breaks_the_contract_fails_where_it_does(
    tmp_path: Path, place: str, instead: str, item: str, finding: str, where: str
) -> None:
    seen = looked_at(tmp_path, broken(place, instead), [item], patience=30.0)
    assert seen[item].state == FAILED, seen
    assert finding in seen[item].findings[0].text
    assert seen[item].findings[0].clause.place.endswith(where)


def test_a_bot_that_never_comes_back_is_started_again_for_what_follows(tmp_path: Path) -> None:
    hanging = broken("        wait = 0.25 if", "        time.sleep(9999)\n        wait = 0.25 if")
    seen = looked_at(tmp_path, hanging, ["lost streams", "matches"], patience=30.0)
    assert [seen[name].state for name in ("connects", "lost streams", "matches")] == [PASSED, FAILED, PASSED]
    assert "had opened no stream 30 seconds after one had ended with UNAVAILABLE" in seen["lost streams"].text


def test_a_bot_that_ends_at_once_is_told_with_what_it_wrote(tmp_path: Path) -> None:
    seen = looked_at(tmp_path, "raise SystemExit('no such thing')", ["drain"])
    assert seen["connects"].text == "it ended with exit code 1"
    assert list(seen["connects"].output) == ["no such thing"]
    assert seen["drain"].state == "skipped"


def test_a_bot_that_answers_no_pings_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pings, "INTERVAL", 1.0)
    seen = looked_at(tmp_path, broken("reply.pong.nonce = message.ping.nonce", "pass"), ["pings"])
    assert seen["pings"].state == FAILED
    assert seen["pings"].findings[0].clause.place == "clients/README.md#the-loop"


def test_a_bot_that_takes_void_matches_for_answered_ones_is_found_out(tmp_path: Path) -> None:
    mindful = broken(
        "    return pb.Action",
        "    key = question.match, question.number\n"
        "    known = answered.setdefault(key, question.legal[0])\n"
        "    return pb.Action(match=key[0], number=key[1], action=known)\n"
        "answered = {}\n\ndef unused(question):\n    return pb.Action",
    )
    seen = looked_at(tmp_path, mindful, ["void matches"])
    assert seen["void matches"].state == FAILED, seen


def test_a_bot_that_answers_otherwise_after_other_matches_is_not_called_one_without_memory(tmp_path: Path) -> None:
    counting = broken("question.legal[0]", "question.legal[next(asked) % len(question.legal)]").replace(
        "import os", "import itertools\nasked = itertools.count()\nimport os", 1
    )
    seen = looked_at(tmp_path, counting, ["no memory"])["no memory"]
    assert seen.state == "skipped"
    assert "answers were others after more matches on the same boards: it remembers, or draws at random" in seen.text


def test_a_bot_is_asked_no_more_than_it_offers_to_take(tmp_path: Path) -> None:
    modest = broken("capacity=capacity)", 'capacity=capacity, rulesets=["two"])').replace(
        "matches=8, questions=8", "matches=1, questions=1"
    )
    crowded = modest.replace(
        "                reply = pb.PlayRequest(",
        "                assert len(message.questions) < 2 or len({q.match for q in message.questions}) < 2\n"
        "                reply = pb.PlayRequest(",
    )
    names = ["situations of two", "situations of three", "batches", "repeated questions", "lost streams", "matches"]
    seen = looked_at(tmp_path, crowded, names)
    skipped = {"situations of three": "its hello leaves this game out", "batches": "it takes one question at a time"}
    assert {name: one.text for name, one in seen.items() if one.state != PASSED} == skipped
