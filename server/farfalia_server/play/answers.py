"""What comes of the questions of one bot: what it answers, or that it does not in time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import monotonic

from farfalia.v1 import play_pb2
from farfalia_engine import Cause, Incident, RecordedAction
from farfalia_server.contract.untrusted import clean
from farfalia_server.play import limits
from farfalia_server.play.batcher import Batcher
from farfalia_server.play.deadlines import Deadlines
from farfalia_server.play.decision_pace import DecisionPace
from farfalia_server.play.loop_clock import LoopClock
from farfalia_server.play.questions import Answer, PendingQuestion, Seating

#: The public text of it in the record.
BOT_FAILED = "the bot said that it failed; its owner's log has what it said"

_STATUS: Mapping[Cause, play_pb2.ResultStatus] = {
    Cause.BOT: play_pb2.RESULT_STATUS_ACCEPTED,
    Cause.TIMEOUT: play_pb2.RESULT_STATUS_TOO_LATE,
    Cause.ABSENT: play_pb2.RESULT_STATUS_TOO_LATE,
    Cause.ILLEGAL: play_pb2.RESULT_STATUS_ILLEGAL,
    Cause.FAILURE: play_pb2.RESULT_STATUS_FAILED,
}


class Answers:
    """Settles the questions of one bot, each once, and notes in `pace` how long the bot needed.

    `seating` returns the bot's seat in a match, also in one that ended a short time ago. `settled` is called once after
    everything that came at one moment is settled. With `tells_failures` records contain the bot's descriptions of its
    failures.
    """

    def __init__(
        self,
        *,
        batcher: Batcher,
        deadlines: Deadlines,
        clock: LoopClock,
        pace: DecisionPace,
        seating: Callable[[int], Seating | None],
        settled: Callable[[], None],
        tells_failures: bool,
    ) -> None:
        self._batcher = batcher
        self._deadlines = deadlines
        self._clock = clock
        self._pace = pace
        self._seating = seating
        self._settled = settled
        self._tells_failures = tells_failures

    def receive(
        self,
        actions: Iterable[play_pb2.Action],
        arrived: float | None = None,
        on_failure: Callable[[play_pb2.Action, str], object] = lambda action, text: None,
    ) -> int:
        """Handle the bot's actions, which arrived now unless a time is given; return how many changed nothing.

        Records are public, and the description of a failure may name files and ideas of its author. So it goes to
        `on_failure` alone, unless only the owner reads the records.
        """
        useless = 0
        at = self._clock.now() if arrived is None else arrived
        for action in actions:
            question = self._batcher.outstanding.get((action.match, action.number))
            if question is None:
                useless += 1
                if useless <= limits.REFUSALS_IN_MESSAGE:
                    self._send_refusal(action)
            elif action.failure:
                said = clean(action.failure, limits.FAILURE)
                on_failure(action, said)
                public = f"the bot failed: {said}" if self._tells_failures else BOT_FAILED
                self._settle(question, None, Cause.FAILURE, public, at)
            elif action.take_back and question.takes_back:
                self._settle(question, None, Cause.BOT, "", at, take_back=True)
            elif action.take_back:
                text = "there is no decision that could be taken back here, as the question said"
                self._settle(question, None, Cause.ILLEGAL, text, at)
            elif (chosen := action.action) not in question.legal:
                legal = ", ".join(map(str, question.legal[:12])) + (", …" if len(question.legal) > 12 else "")
                self._settle(question, None, Cause.ILLEGAL, f"action {chosen} is not legal; legal were {legal}", at)
            else:
                self._settle(question, chosen, Cause.BOT, "", at, hinted=action.hinted)
        self._settled()
        return useless

    def end_time(self, question: PendingQuestion, *, connected: bool) -> None:
        """Settle a question whose time is over; `connected` if the bot has a stream."""
        clock = question.seating.clock
        allowed = f"{clock.control.limit_ms} ms" + (f" and {clock.bank_ms} ms of the bank" if clock.bank_ms else "")
        why = f"no answer within {allowed}" if connected else f"not connected, and no answer within {allowed}"
        if connected and question.key in self._batcher.waiting:
            why += f", for as long as which it had waited behind the bot's capacity of {self._batcher.capacity}"
        cause = Cause.TIMEOUT if connected else Cause.ABSENT
        self._settle(question, None, cause, why, self._clock.now(), clock.max_ms)
        self._settled()

    def give_up(self) -> None:
        """Settle all questions of a bot that has not come back."""
        for question in self._batcher.unanswered():
            self._settle(question, None, Cause.ABSENT, question.seating.absence, self._clock.now())
        self._settled()

    def send_result(self, result: play_pb2.Result) -> None:
        """Tell the bot the result of an action."""
        self._batcher.send(play_pb2.PlayResponse(results=[result]))

    def _send_refusal(self, action: play_pb2.Action) -> None:
        seating = self._seating(action.match)
        unsent = (action.match, action.number) in self._batcher.waiting
        self.send_result(refusal(action, seating, unsent=unsent))

    def _settle(
        self,
        question: PendingQuestion,
        action: int | None,
        cause: Cause,
        text: str,
        at: float,
        least_ms: int = 0,
        *,
        hinted: bool = False,
        take_back: bool = False,
    ) -> None:
        self._batcher.remove(question)
        seating = question.seating
        took, thought = self._deadlines.took_ms(question, at), self._deadlines.thought(question, at)
        if seating.absence:
            # By the charge the match knows whether the bot may have seen it.
            took = max(1, took) if thought is not None or question.resent else 0
        if took < least_ms:
            took = least_ms
        if took > seating.clock.max_ms:  # a late loop is not the bot's fault
            took = seating.clock.max_ms
        if thought is not None:
            self._pace.note(thought)
        self._batcher.flush_if_due()
        question.answered(Answer(action, cause, took, text, monotonic(), hinted, take_back))


def result_of(seating: Seating, action: RecordedAction, incident: Incident | None) -> play_pb2.Result:
    """Return the result of the answer to the newest question of a seat, by the action that followed."""
    return play_pb2.Result(
        match=seating.match,
        number=seating.answered,
        status=_STATUS[action.cause],
        text=incident.text if incident else "",
        charged_ms=action.took_ms,
        bank_ms=seating.clock.bank_ms,
        strikes=seating.clock.strikes,
    )


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
