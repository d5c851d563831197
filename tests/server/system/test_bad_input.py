"""Whatever a bot does wrong, over a real connection: its table finishes, it is told, nothing is a traceback.

Garbage, messages that are too long and floods are in `tests/tools/torment`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import grpc
import pytest
from tests.server.live import ADMIN, LiveServer, live_server
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import play_pb2, record_pb2

GRACE = 2
#: Time for a decision where it has to run out, and where it must not, however busy the machine is.
LIMIT_MS, LONG_MS = 300, 20_000
#: How long a bot that has left is waited for.
AWAY_MS = 500

_names = (f"hostile-{number}" for number in count(1))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder: Path = tmp_path_factory.mktemp("bad-input")
    with live_server(folder, reconnect_grace_ms=AWAY_MS) as server:
        yield server
    # What users do wrong is answered, not logged as if it were our fault.
    assert "Traceback" not in server.log()


class Villain:
    """A registered bot that has a match against four house bots in front of it."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.name = next(_names)
        self.token = server.register(self.name)
        self.tournament = 0

    def meet(self, limit_ms: int = LONG_MS) -> None:
        """Start a tournament of one round with the intruder and four house bots."""
        control = record_pb2.TimeControl(limit_ms=limit_ms, bank_ms=0, grace=GRACE)
        self.tournament = self.server.tournament([self.name], rounds=1, control=control, ruleset="basic")

    def record(self) -> record_pb2.Record:
        """The record of the match, which must have come to its end.

        The intruder plays on if it has left: without it the match would have no result.
        """
        with bot_of(self, react=first_legal, take_over=True):
            (match,) = self.server.wait_for_matches(self.tournament)
        return self.server.record(match.id)

    def causes(self) -> list[record_pb2.Cause]:
        """Causes of the intruder's actions, in order, without forced ones."""
        record = self.record()
        seat = [place.name for place in record.seats].index(self.name)
        assert self.server.verify(record) == []
        return [a.cause for a in record.actions if a.seat == seat and a.cause != record_pb2.CAUSE_FORCED]


@pytest.fixture
def intruder(server: LiveServer) -> Villain:
    return Villain(server)


def bot_of(intruder: Villain, **options: object) -> RawBot:
    return RawBot(intruder.server.grpc_address, intruder.token, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("token", "reason", "said"),
    [
        ("", "TOKEN_MISSING", "token"),
        ("nobody-has-this", "TOKEN_UNKNOWN", "token"),
        (ADMIN, "TOKEN_UNKNOWN", "this is the admin token or an account's; a bot has a token of its own"),
    ],
)
def test_without_the_token_of_a_bot_nobody_gets_a_stream(
    server: LiveServer, token: str, reason: str, said: str
) -> None:
    with RawBot(server.grpc_address, token) as bot:
        code, found, text = bot.ending()
    assert (code, found) == (grpc.StatusCode.UNAUTHENTICATED, reason)
    assert said in text


def test_a_second_instance_of_a_bot_is_refused_and_the_first_plays_on(intruder: Villain) -> None:
    with bot_of(intruder, instance=b"one", react=first_legal) as first:
        first.until(lambda: first.messages)
        with bot_of(intruder, instance=b"two") as second:
            assert second.ending()[:2] == (grpc.StatusCode.ALREADY_EXISTS, "BOT_CONNECTED")
        intruder.meet()
        assert set(intruder.causes()) == {record_pb2.CAUSE_BOT}


@pytest.mark.parametrize("attempt", range(10))
def test_of_two_instances_that_come_at_once_one_is_refused(intruder: Villain, attempt: int) -> None:
    names = (b"one-%d" % attempt, b"two-%d" % attempt)
    with bot_of(intruder, instance=names[0]) as one, bot_of(intruder, instance=names[1]) as two:
        loser: RawBot = one.until(lambda: next((bot for bot in (one, two) if bot.error), None))
        assert loser.ending()[:2] == (grpc.StatusCode.ALREADY_EXISTS, "BOT_CONNECTED")
        winner = two if loser is one else one
        winner.until(lambda: winner.messages)
        assert winner.error is None


def test_a_second_instance_that_says_so_takes_over(intruder: Villain) -> None:
    with bot_of(intruder, instance=b"one") as first:
        first.until(lambda: first.messages)
        with bot_of(intruder, instance=b"two", take_over=True, react=first_legal):
            assert first.ending()[:2] == (grpc.StatusCode.ABORTED, "STREAM_REPLACED")
            intruder.meet()
            assert set(intruder.causes()) == {record_pb2.CAUSE_BOT}


def test_a_bot_that_offers_more_than_a_quarter_of_the_tables_is_told_what_it_gets(intruder: Villain) -> None:
    with RawBot(intruder.server.grpc_address, intruder.token, matches=1024) as bot:
        bot.until(lambda: bot.messages)
        assert bot.messages[0].welcome.capacity == play_pb2.Capacity(matches=256 // 4, questions=64)


def test_the_welcome_says_where_the_pages_are(intruder: Villain) -> None:
    with bot_of(intruder) as bot:
        bot.until(lambda: bot.messages)
        assert bot.messages[0].welcome.pages == f"http://{intruder.server.http_address}"


def test_the_welcome_says_where_others_reach_the_pages(tmp_path: Path) -> None:
    with (
        live_server(tmp_path, host="0.0.0.0", insecure=True, public_address="127.0.0.1") as server,
        RawBot(server.grpc_address, server.register("ada")) as bot,
    ):
        bot.until(lambda: bot.messages)
        assert bot.messages[0].welcome.pages == f"http://{server.http_address}"


def test_the_same_instance_takes_its_old_stream_over(intruder: Villain) -> None:
    with bot_of(intruder, instance=b"same") as old:
        old.until(lambda: old.messages)
        intruder.meet()
        question = old.question()
        with bot_of(intruder, instance=b"same") as new:
            assert old.ending()[1] == "STREAM_REPLACED"
            again = new.question()
            assert (again.match, again.number, again.legal) == (question.match, question.number, question.legal)
            assert again.view == question.view
            assert again.clock.resent
            assert [seated.match for seated in new.messages[0].welcome.open] == [question.match]


def test_an_action_out_of_the_list_is_answered_by_a_house_bot_and_costs_a_strike(intruder: Villain) -> None:
    with bot_of(intruder) as bot:
        intruder.meet()
        question = bot.question()
        bot.act(question.match, question.number, 4242)
        result = bot.result(play_pb2.RESULT_STATUS_ILLEGAL)
    assert result.strikes == 1
    assert "4242" in result.text
    assert str(question.legal[0]) in result.text
    assert intruder.causes()[0] == record_pb2.CAUSE_ILLEGAL


def test_an_action_after_the_deadline_is_too_late(intruder: Villain) -> None:
    with bot_of(intruder) as bot:
        intruder.meet(LIMIT_MS)
        question = bot.question()
        told = bot.result(play_pb2.RESULT_STATUS_TOO_LATE)
        assert told.number == question.number
        assert f"{LIMIT_MS} ms" in told.text
        assert told.charged_ms >= LIMIT_MS
        bot.act(question.match, question.number, question.legal[0])
        bot.until(lambda: len([r for r in bot.results() if r.number == question.number]) == 2)
        assert bot.results()[-1].status == play_pb2.RESULT_STATUS_TOO_LATE
    assert intruder.causes()[0] == record_pb2.CAUSE_TIMEOUT


def test_a_bot_that_never_answers_loses_its_seat_and_is_placed_last(intruder: Villain) -> None:
    with bot_of(intruder) as bot:
        intruder.meet(LIMIT_MS)
        notice = bot.notice("SEAT_TAKEN_OVER")
        finished = bot.finished()
    assert f"{GRACE + 1} strikes" in notice.text
    assert finished.outcome.places[finished.seat] == 5
    causes = intruder.causes()
    # Nobody waited for it after its grace: the others waited for one limit a strike, and no longer.
    assert causes[: GRACE + 1] == [record_pb2.CAUSE_TIMEOUT] * (GRACE + 1)
    assert set(causes[GRACE + 1 :]) == {record_pb2.CAUSE_HOUSE}


def test_an_action_for_somebody_elses_question_changes_nothing(server: LiveServer, intruder: Villain) -> None:
    honest = Villain(server)
    with bot_of(honest) as victim, bot_of(intruder) as bot:
        honest.meet()
        question = victim.question()
        bot.act(question.match, question.number, question.legal[-1])
        result = bot.result(play_pb2.RESULT_STATUS_NOT_ASKED)
        assert "no seat" in result.text
        victim.act(question.match, question.number, question.legal[0])
        victim.result(play_pb2.RESULT_STATUS_ACCEPTED)
    record = honest.record()
    seat = [place.name for place in record.seats].index(honest.name)
    first = next(a for a in record.actions if a.seat == seat and a.cause != record_pb2.CAUSE_FORCED)
    assert (first.action, first.cause) == (question.legal[0], record_pb2.CAUSE_BOT)


def test_a_hello_without_an_instance_is_refused(intruder: Villain) -> None:
    with bot_of(intruder, instance=b"") as bot:
        code, reason, text = bot.ending()
    assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, "HELLO_INVALID")
    assert "hello.instance has 0 bytes; expected 1 to 64" in text


def test_a_client_that_cannot_do_without_a_newer_feature_is_told_which(intruder: Villain) -> None:
    with bot_of(intruder, requires=("results", "telepathy")) as bot:
        code, reason, text = bot.ending()
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "FEATURE_UNKNOWN")
    assert "lacks telepathy" in text


def test_a_client_that_plays_nothing_that_the_server_plays_is_told_what_there_is(intruder: Villain) -> None:
    with bot_of(intruder, rulesets=("whist",)) as bot:
        code, reason, text = bot.ending()
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "RULESET_UNKNOWN")
    assert "does not play whist; it plays" in text


def test_a_bot_entered_in_a_game_that_it_does_not_play_is_told_why_its_seat_is_lost(intruder: Villain) -> None:
    with bot_of(intruder, rulesets=("farrago",)) as bot:
        intruder.meet()
        notice = bot.notice("SEAT_TAKEN_OVER")
        bot.finished()
    assert "the bot does not play basic, as its hello says" in notice.text
    assert set(intruder.causes()) == {record_pb2.CAUSE_ABSENT, record_pb2.CAUSE_HOUSE}


def test_fields_of_a_newer_contract_are_passed_over(intruder: Villain) -> None:
    newer = b"\xf2\x3f\x05hello"  # field 1022 with five bytes

    def react(bot: RawBot, message: play_pb2.PlayResponse) -> None:
        for question in message.questions:
            action = play_pb2.Action(match=question.match, number=question.number, action=question.legal[0])
            bot.send_bytes(play_pb2.PlayRequest(actions=[action]).SerializeToString() + newer)

    with bot_of(intruder, react=react):
        intruder.meet()
        assert set(intruder.causes()) == {record_pb2.CAUSE_BOT}


def test_a_bot_that_is_gone_for_good_is_replaced_while_another_stays(server: LiveServer, intruder: Villain) -> None:
    stays = Villain(server)
    with bot_of(stays, react=first_legal):
        with bot_of(intruder) as bot:
            tournament = server.tournament([intruder.name, stays.name], rounds=1, ruleset="basic")
            bot.question()
        (match,) = server.wait_for_matches(tournament)
    record = server.record(match.id)
    seat = [place.name for place in record.seats].index(intruder.name)
    causes = [a.cause for a in record.actions if a.seat == seat and a.cause != record_pb2.CAUSE_FORCED]
    assert causes[0] == record_pb2.CAUSE_ABSENT
    assert causes[-1] == record_pb2.CAUSE_HOUSE


def test_a_bot_that_says_goodbye_plays_its_match_to_the_end_and_leaves_in_peace(intruder: Villain) -> None:
    with bot_of(intruder, react=first_legal) as bot:
        intruder.meet()
        bot.question()
        bot.send(play_pb2.PlayRequest(goodbye=play_pb2.Goodbye()))
        bot.finished()
        with contextlib.suppress(AssertionError):
            bot.ending()
        assert bot.error is None
    assert set(intruder.causes()) == {record_pb2.CAUSE_BOT}
