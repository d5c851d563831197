"""The reasons why an action has no effect, as told to its bot."""

from __future__ import annotations

from farfalia.v1 import play_pb2
from farfalia_server.play.questions import Seating


def refusal(action: play_pb2.Action, seating: Seating | None, *, unsent: bool) -> play_pb2.Result:
    """Return the result of an action for which there is no outstanding question.

    `seating` is the bot's seat in the match, which may be over; None if the bot is not known to have had one. `unsent`
    if the question still waits to be sent.
    """
    number = action.number
    if seating is None:
        status, text = play_pb2.RESULT_STATUS_NOT_ASKED, f"you have no seat at match {action.match}"
    elif not 1 <= number <= seating.questions:
        status = play_pb2.RESULT_STATUS_NOT_ASKED
        text = f"question {number} of match {action.match} has not been asked; the last was {seating.questions}"
    elif unsent:
        status = play_pb2.RESULT_STATUS_NOT_ASKED
        text = f"question {number} of match {action.match} has not been sent on this stream yet"
    elif number in seating.late:
        status = play_pb2.RESULT_STATUS_TOO_LATE
        text = f"the time for question {number} was over; a house bot answered it"
    else:
        status = play_pb2.RESULT_STATUS_DUPLICATE
        text = f"question {number} was answered before; the first answer stands"
    result = play_pb2.Result(match=action.match, number=number, status=status, text=text)
    if seating is not None:
        result.bank_ms, result.strikes = seating.clock.bank_ms, seating.clock.strikes
    return result
