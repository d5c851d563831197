"""What the SDK adds to secrets by itself, and what it makes of a server that leaves that out."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.clients.nonces import COMMITMENT, breaking, entered, nonce_in, over, seat
from tests.clients.scripted import Messages, greet, play_through

from farfalia.bot import Bot
from farfalia.v1.play_pb2 import Entered, Nonce, Notice, PlayResponse, Seated, Welcome

Said = Generator[PlayResponse]


def test_a_bot_gives_sixteen_random_bytes_to_each_secret_and_the_same_if_asked_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield entered(tournament=3)
        first = nonce_in(messages)
        assert (first.tournament, first.match, len(first.nonce)) == (3, 0, 16)
        yield entered(match=9)
        other = nonce_in(messages)
        assert (other.tournament, other.match, len(other.nonce)) == (0, 9, 16)
        assert other.nonce != first.nonce
        yield entered(tournament=3)
        assert nonce_in(messages) == first
        yield seat([b"another's", first.nonce])
        yield seat([other.nonce], tournament=0, match=9)
        yield over(5)
        yield over(9)

    play_through(Bot(), script)
    assert "deals" not in caplog.text


def test_a_server_that_leaves_the_nonce_out_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield entered(tournament=3)
        nonce_in(messages)
        yield seat([b"another's"])
        yield seat([b"another's"], match=6)
        yield over(5)
        yield over(6)

    play_through(Bot(), script)
    assert caplog.text.count("is not among those that the server used; the server may have chosen the deals") == 1
    assert "tournament 3: the nonce " in caplog.text


def test_a_server_that_changes_its_secret_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield entered(tournament=3)
        yield seat([nonce_in(messages).nonce], commitment=bytes(32))

    play_through(Bot(), script)
    assert f"tournament 3: the commitment is {'00' * 32}, but it was {COMMITMENT.hex()} at entry" in caplog.text


@pytest.mark.parametrize("reason", ["NONCE_GIVEN", "NONCE_LATE", "NONCE_LENGTH", "NOT_ENTERED"])
@pytest.mark.parametrize("seated_first", [False, True])
def test_a_nonce_that_was_not_taken_raises_no_alarm(
    reason: str, seated_first: bool, caplog: pytest.LogCaptureFixture
) -> None:
    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield entered(tournament=3)
        nonce_in(messages)
        said = [PlayResponse(notices=[Notice(reason=reason, text="not taken", tournament=3)]), seat([b"another's"])]
        yield from reversed(said) if seated_first else said
        yield over(5)

    play_through(Bot(), script)
    assert "not taken" in caplog.text
    assert "not among" not in caplog.text


def test_a_nonce_that_may_have_been_lost_with_its_stream_is_no_reason_to_accuse(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def following(messages: Messages) -> Said:
        yield from greet(messages, open=seat([b"another's"]).seated)
        yield over(5)

    play_through(Bot(), breaking, following)
    assert "tournament 3: the nonce " in caplog.text
    assert "it may have been lost when the connection broke" in caplog.text
    assert "may have chosen" not in caplog.text


def test_a_nonce_that_was_given_again_after_the_stream_broke_has_to_be_used(caplog: pytest.LogCaptureFixture) -> None:
    def following(messages: Messages) -> Said:
        yield from greet(messages)
        yield entered(tournament=3)
        nonce_in(messages)
        yield seat([b"another's"])
        yield over(5)

    play_through(Bot(), breaking, following)
    assert "is not among those that the server used; the server may have chosen the deals" in caplog.text


def test_a_bot_may_choose_its_nonce_or_give_none(caplog: pytest.LogCaptureFixture) -> None:
    class Choosy(Bot):
        def nonce(self, entered: Entered) -> bytes:
            return {1: b"", 2: b"short", 3: b"eight by"}[entered.tournament]

    def script(messages: Messages) -> Said:
        yield from greet(messages)
        for tournament in (1, 2, 3):
            yield entered(tournament=tournament)
        assert nonce_in(messages) == Nonce(tournament=3, nonce=b"eight by")
        yield seat([], tournament=1)
        yield over(5)

    play_through(Choosy(), script)
    assert "the nonce has 5 bytes; expected 8 to 64, or none" in caplog.text
    assert "may have chosen" not in caplog.text


def test_the_seats_of_a_welcome_share_the_nonces_of_their_tournament(caplog: pytest.LogCaptureFixture) -> None:
    def script(messages: Messages) -> Said:
        yield from greet(messages)
        yield entered(tournament=3)
        own = nonce_in(messages).nonce
        seats = [seat([b"another's", own], match=match).seated[0] for match in (5, 6)]
        del seats[1].nonces[:]
        yield PlayResponse(welcome=Welcome(bot="tester", open=seats))
        yield over(5)
        yield over(6)

    bot = Attentive()
    play_through(bot, script)
    assert [len(seated.nonces) for seated in bot.seats] == [2, 2]
    assert "deals" not in caplog.text


class Attentive(Bot):
    """Keeps what it is told of its seats."""

    def __init__(self) -> None:
        self.seats: list[Seated] = []

    def on_seated(self, seated: Seated) -> None:
        self.seats.append(seated)
