"""Why an action changes nothing, as its bot is told."""

from __future__ import annotations

from farfalia.v1 import play_pb2
from farfalia_server.play.questions import Seating


def refusal(action: play_pb2.Action, seating: Seating | None, *, unsent: bool) -> play_pb2.Result:
    """Return what becomes of an action that no outstanding question waits for.

    `seating` is the bot's seat in its match, also in one that is over; None if the bot has or had none that is
    remembered. `unsent` if the question waits to be sent.
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
