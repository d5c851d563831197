"""What a bot wrote, on the terminal of its owner and of nobody else, beside the decisions that it wrote it over."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import httpx
from tests.cli.command import Command
from tests.engine.recorded import recorded
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server
from tests.server.rawbot import RawBot

from farfalia.v1 import accounts_pb2, bots_pb2, play_pb2, record_pb2
from farfalia_server.records.codec import to_message
from farfalia_server.wording.decisions import decisions

CONTROL = record_pb2.TimeControl(limit_ms=60_000, bank_ms=0, grace=3)
#: The question over which the bot says that it failed, and the one that it answers with what is not legal.
FAILS, ERRS = 4, 6


def talkative(bot: RawBot, message: play_pb2.PlayResponse) -> None:
    """Write a line over each question, in the message of the answer, and one that says which card it is about."""
    for asked in message.questions:
        answer = play_pb2.Action(match=asked.match, number=asked.number, action=asked.legal[0])
        if asked.number == FAILS:
            answer.failure = "KeyError: 'my own idea'"
        if asked.number == ERRS:
            answer.action = max(asked.legal) + 1
        text = f"thinking over {asked.number}\nof many"
        bot.send(play_pb2.PlayRequest(actions=[answer], logs=[play_pb2.LogLine(match=asked.match, text=text)]))


def page_of(server: LiveServer, account: str, bot: str, match: int) -> str:
    """The page of a bot's match as an account sees it that has just got a password."""
    server.call("SetPassword", accounts_pb2.SetPasswordRequest(name=account, password="a good password"))
    with httpx.Client(base_url=f"http://{server.http_address}", timeout=PATIENCE) as browser:
        found = re.search(r'name="proof" value="([0-9a-f]+)"', browser.get("/account").text)
        assert found
        form = {"proof": found[1], "name": account, "password": "a good password"}
        assert browser.post("/account/sign-in", data=form).status_code == 303
        answer = browser.get("/account/bot/match", params={"name": bot, "match": match}).raise_for_status()
        return unescape(answer.text)


def test_lines_stand_beside_their_decisions_and_are_for_the_owner_alone(tmp_path: Path, farfalia: Command) -> None:
    with live_server(tmp_path) as server:
        tokens = {
            name: server.call("CreateAccount", accounts_pb2.CreateAccountRequest(name=name)).token
            for name in ("olga", "stranger")
        }
        token = server.call("RegisterBot", bots_pb2.RegisterBotRequest(name="ada", owner="olga")).token
        with RawBot(server.grpc_address, token, rulesets=("two",), react=talkative) as bot:
            number = server.tournament(["ada", "house-random-1"], rounds=1, ruleset="two", control=CONTROL)
            server.wait_for(number)
            (match,) = [one.id for one in server.matches(number)]
            bot.send(play_pb2.PlayRequest(logs=[play_pb2.LogLine(match=match, text="well played")]))

            def asked(*more: object, **shown: str) -> str:
                return farfalia.told("bot", "log", "ada", match, *more, FARFALIA_SERVER=server.grpc_address, **shown)

            while "well played" not in (told := asked(FARFALIA_ACCOUNT_TOKEN=tokens["olga"])):
                pass
        pages = {name: page_of(server, name, "ada", match) for name in ("olga", "stranger")}
        seat = [one.name for one in server.record(match).seats].index("ada")
        own = [one for one in server.record(match).actions if one.seat == seat]
        questions = sum(one.cause not in (record_pb2.CAUSE_FORCED, record_pb2.CAUSE_HOUSE) for one in own)
        order = re.findall(
            r"^  \S.*? \(.*\)$|thinking over \d+|question \d+ failed.*|server saw: .*", told, re.MULTILINE
        )
        lines = [one for one in order if one.startswith("thinking")]
        assert lines == [f"thinking over {at}" for at in range(1, questions + 1)]
        decisions = [at for at, one in enumerate(order) if one.startswith("  ")]
        assert len(decisions) == questions, told
        assert order[decisions[2] : decisions[2] + 2] == [order[decisions[2]], "thinking over 3"]
        after_failure = order[decisions[FAILS - 1] : decisions[FAILS]]
        assert "a house bot decided: said that it failed, strike 1" in after_failure[0]
        assert "question 4 failed: KeyError: 'my own idea'" in after_failure
        after_error = order[decisions[ERRS - 1] : decisions[ERRS]]
        assert any(re.match(r"server saw: action \d+ is not legal; legal were", one) for one in after_error)
        assert "Deal 1:" in told
        assert "\n" + " " * 16 + "of many\n" in told
        items = re.findall(r'<li><a href="/matches/\d+/\d+[^"]*">.*?(?=<li><a|</ol>)', pages["olga"], re.S)
        assert len(items) == questions, "the page has what the terminal has"
        for at, item in enumerate(items, 1):
            assert f"thinking over {at}\n" in item
        assert "question 4 failed: KeyError: 'my own idea'" in items[FAILS - 1]
        assert "The server saw: action" in items[ERRS - 1]
        assert "thinking" not in pages["stranger"]
        assert "my own idea" not in pages["stranger"]
        only = asked("--deal", 2, FARFALIA_TOKEN=token)
        assert "Deal 2:" in only
        assert "Deal 1:" not in only
        assert "thinking over 1\n" not in only
        for stranger in ({}, {"FARFALIA_ACCOUNT_TOKEN": tokens["stranger"]}):
            seen = asked(**stranger)
            assert "a house bot decided: said that it failed" in seen, "all see the cause"
            assert "thinking" not in seen
            assert "my own idea" not in seen
            assert "my own idea" not in asked("--json", **stranger)
        assert "my own idea" in asked("--json", FARFALIA_ADMIN_TOKEN=ADMIN)
        assert "well played" in told[told.index(lines[-1]) :]


def test_what_a_bot_declares_is_said_in_the_words_of_the_game() -> None:
    record = to_message(recorded("basic"))
    said = [one.words for seat in range(5) for one in decisions(record, seat) if " decides: " in one.words]
    assert len(said) == 3  # one dealer in each deal of basic
    assert all(
        re.search(r" decides: (no trumps|trumps are (strawberries|leaves|fishes|seashells))\. \(", one) for one in said
    )
