"""Answers to questions that were answered before, that nobody asked, or that others were asked; illegal actions."""

from __future__ import annotations

from farfalia.v1 import play_pb2, record_pb2
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import GRACE, Harness
from farfalia_tools.torment.stream import DidNotHold, TormentStream, first_legal
from farfalia_tools.torment.verdicts import check_verdicts

#: No action of any game.
_NO_ACTION = 4242


@torment
async def stale_answers(harness: Harness) -> str:
    """Answer each question twice, then the ones before and after it, and questions of matches that do not exist.

    The first answer stands; the others change nothing and are called DUPLICATE or NOT_ASKED.
    """

    async def play(stream: TormentStream, question: play_pb2.Question) -> None:
        match, number, last = question.match, question.number, question.legal[-1]
        await stream.send_action(match, number + 1, last)
        await first_legal(stream, question)
        for other, at in ((match, number), (match, max(1, number - 1)), (match, 0), (match, 2**32 - 1), (0, 1)):
            await stream.send_action(other, at, last)
        for other in (match + 10**6, 2**63, 2**64 - 1):
            await stream.send_action(other, number, last)

    bot = await harness.bot()
    async with harness.stream(bot, play=play) as stream:
        await stream.welcome()
        played = await harness.played(await harness.match(bot), bot)
        await stream.result(play_pb2.RESULT_STATUS_DUPLICATE)
        await stream.result(play_pb2.RESULT_STATUS_NOT_ASKED)
    check_verdicts([stream], played)
    if played.number(record_pb2.CAUSE_BOT) != len(played.actions):
        raise DidNotHold("an answer that changes nothing was a strike")
    told = [result.status for result in stream.results()]
    double, unasked = (
        told.count(status) for status in (play_pb2.RESULT_STATUS_DUPLICATE, play_pb2.RESULT_STATUS_NOT_ASKED)
    )
    return f"{len(played.actions)} answers counted; DUPLICATE: {double}, NOT_ASKED: {unasked}"


@torment
async def foreign_answers(harness: Harness) -> str:
    """Answer the questions of another bot, with every legal action.

    The server says NOT_ASKED, and the other bot's own answers are those that count.
    """
    intruder, victim = await harness.bot(), await harness.bot()
    async with harness.stream(intruder) as attacker:

        async def play(stream: TormentStream, question: play_pb2.Question) -> None:
            for action in question.legal:
                await attacker.send_action(question.match, question.number, action)
            await attacker.send_action(question.match, question.number + 1, question.legal[-1])
            if question.number == 1:  # it has been read before the owner answers
                await attacker.result(play_pb2.RESULT_STATUS_NOT_ASKED)
            await first_legal(stream, question)

        await attacker.welcome()
        async with harness.stream(victim, play=play) as stream:
            await stream.welcome()
            played = await harness.played(await harness.match(victim), victim)
    check_verdicts([stream], played)
    if played.number(record_pb2.CAUSE_BOT) != len(played.actions):
        raise DidNotHold("the other bot had a strike")
    answers = sum(1 for _ in attacker.results())
    return f"{answers} answers were NOT_ASKED, the {len(played.actions)} of the other bot counted"


@torment
async def illegal_answers(harness: Harness) -> str:
    """Answer with numbers that are no legal actions.

    Each is ILLEGAL and a strike; a house bot gets the seat after one strike more than the grace, and the match ends.
    """

    async def play(stream: TormentStream, question: play_pb2.Question) -> None:
        await stream.act(question.match, question.number, (0xFFFFFFFF, _NO_ACTION)[question.number % 2])

    bot = await harness.bot()
    async with harness.stream(bot, play=play) as stream:
        await stream.welcome()
        played = await harness.played(await harness.match(bot), bot)
        await stream.result(play_pb2.RESULT_STATUS_ILLEGAL)
    check_verdicts([stream], played)
    illegal = played.number(record_pb2.CAUSE_ILLEGAL)
    if illegal != GRACE + 1:
        raise DidNotHold(f"its seat was taken over after {illegal} strikes, not {GRACE + 1}")
    return f"its seat was taken over after {illegal} strikes"
