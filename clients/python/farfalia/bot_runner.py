"""Runs the bot: in the event loop while it is quick, in a thread of its own once it was slow.

A hop to a thread and back costs more than a quick bot takes to decide; a slow bot in the loop would hold up
pongs and answers that are ready. Which of the two a bot is shows when it plays: the first call of each method is
made in the thread, where it may take its time or even hang.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from time import monotonic, perf_counter
from typing import TypeVar

from farfalia import report
from farfalia.answers import checked
from farfalia.bot import Bot
from farfalia.errors import BadAnswer, TakeBack
from farfalia.failures import Failures, one_sentence
from farfalia.measured_capacity import MeasuredCapacity
from farfalia.outbox import Outbox
from farfalia.v1 import play_pb2 as pb
from farfalia.view import View, from_message
from farfalia.watchdog import Watchdog

#: Seconds of a call, or in the event loop without a break, after which the bot stays in its thread.
SLOW = 0.05
#: Seconds after which answers that are ready leave while others are still being thought about.
FLUSH_AFTER = 0.003
#: Seconds that the end waits for hooks which are still to be called.
ENDING = 2.0
#: What the first call of `decide_batch` is known by; other methods that answer are known by the kind of question.
_BATCH = "decide_batch"

_Message = TypeVar("_Message")


class BotRunner:
    """The one place where questions are answered and hooks called, one at a time and in the order they came in."""

    def __init__(self, bot: Bot, outbox: Outbox, measured: MeasuredCapacity) -> None:
        self._bot = bot
        self._outbox = outbox
        self._measured = measured
        self._loop = asyncio.get_running_loop()
        self._watchdog = Watchdog(outbox.log)
        self._failures = Failures()
        self._jobs: SimpleQueue[Callable[[], None] | None] | None = None
        # Jobs that the thread has not done yet; while there are any, all that follows has to queue behind them.
        self._queued = 0
        self._idle = asyncio.Event()
        self._idle.set()
        # What has been called and was quick; and whether anything was not.
        self._quick: set[object] = set()
        self._slow = False
        self._in_batches = type(bot).decide_batch is not Bot.decide_batch
        self._named = "" if type(bot).decide is Bot.decide else "decide"
        # By match: the question that is being thought about, and the last answer.
        self._asked: dict[int, int] = {}
        self._answers: dict[int, pb.Action] = {}

    async def ask(self, questions: Sequence[pb.Question]) -> None:
        """Have these questions answered; returns when they are, or when the thread has them."""
        new = self._new(questions)
        answers = self._answer_all(new, monotonic())
        if self._needs_thread(*((_BATCH,) if self._in_batches else {question.kind for question in new})):
            self._hand_over(partial(self._work, answers))
            return
        started = flushed = perf_counter()
        ready: list[pb.Action] = []
        for answer in answers:
            ready.append(answer)
            now = perf_counter()
            self._slow = self._slow or now - started > SLOW
            if self._needs_thread():
                self._hand_over(partial(self._work, answers))
                break
            if now - flushed > FLUSH_AFTER:
                self._outbox.add(ready)
                ready = []
                await asyncio.sleep(0)  # lets the writer take them
                flushed = perf_counter()
        if ready:
            self._outbox.add(ready)

    def tell(self, hook: Callable[[_Message], None], message: _Message, name: str = "") -> None:
        """Have a hook of the bot called; `name` is what its author knows it by, if not by its own."""
        name = name or getattr(hook, "__name__", repr(hook))
        if self._needs_thread(name):
            self._hand_over(partial(self._tell, hook, message, name))
        else:
            self._tell(hook, message, name)

    def drop(self, match: int, number: int) -> None:
        """Do not think about this question any more: its time is over."""
        if self._asked.get(match) == number:
            del self._asked[match]

    def forget(self, match: int) -> None:
        """Note that the match is over."""
        self._asked.pop(match, None)
        self._answers.pop(match, None)

    def told(self, times: int) -> None:
        """Note that the program was told to stop for the nth time; safe to call from a signal handler."""
        self._watchdog.told(times)

    @property
    def blocked(self) -> bool:
        """Whether a method of the bot runs in the main thread now; safe to ask from a signal handler."""
        return self._watchdog.calls_in_main_thread

    async def finish(self) -> None:
        """Wait until all hooks have been called, but not for one that hangs."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), ENDING)

    def close(self) -> None:
        """Let the thread end after what it does now."""
        self._watchdog.close()
        if self._jobs is not None:
            self._asked.clear()
            self._jobs.put(None)

    def _new(self, questions: Sequence[pb.Question]) -> list[pb.Question]:
        """Return those questions that have to be thought about; a known answer is sent again."""
        new = []
        for question in questions:
            match, number = question.match, question.number
            if question.clock.resent:
                if self._asked.get(match) == number:
                    continue
                answer = self._answers.get(match)
                if answer is not None and answer.number == number and _is_taken(answer, question):
                    self._outbox.add([answer])
                    continue
            self._asked[match] = number
            new.append(question)
        return new

    def _answer_all(self, questions: list[pb.Question], received: float) -> Iterator[pb.Action]:
        """Yield the answers as they are found; the thread may finish what the event loop has begun."""
        if self._in_batches:
            yield from self._answer_batch(questions, received)
            return
        for question in questions:
            if self._asked.get(question.match) == question.number:
                view = from_message(question, received)
                started = perf_counter()
                self._watchdog.begin(question, self._named)
                try:
                    action = self._bot.decide(view)
                except TakeBack:
                    answer = pb.Action(match=question.match, number=question.number, take_back=True)
                except Exception as error:  # whatever the author's code raises
                    answer = self._failed(question, error)
                else:
                    answer = self._answered(question, view, action)
                self._watchdog.end()
                took = perf_counter() - started
                self._measured.note(took)
                self._note(question.kind, took)
                if self._remember(answer):
                    yield answer

    def _answer_batch(self, questions: list[pb.Question], received: float) -> Iterator[pb.Action]:
        questions = [question for question in questions if self._asked.get(question.match) == question.number]
        if not questions:
            return
        views = [from_message(question, received) for question in questions]
        started = perf_counter()
        self._watchdog.begin(questions[0], _BATCH)
        try:
            actions = self._bot.decide_batch(views)
            if len(actions) != len(views):
                raise BadAnswer(f"decide_batch returned {len(actions)} actions for {len(views)} questions")
        except Exception as error:  # whatever the author's code raises
            answers = [self._failed(question, error) for question in questions]
        else:
            answers = list(map(self._answered, questions, views, actions))
        self._watchdog.end()
        took = perf_counter() - started
        self._measured.note(took, len(questions))
        self._note(_BATCH, took)
        yield from filter(self._remember, answers)

    def _answered(self, question: pb.Question, view: View, action: int) -> pb.Action:
        try:
            if self._bot.check:
                checked(view, action)
            answer = pb.Action(match=question.match, number=question.number, action=action)
        except (BadAnswer, TypeError, ValueError) as error:
            return self._failed(question, error)
        return answer

    def _failed(self, question: pb.Question, error: Exception) -> pb.Action:
        """Tell the author, here and in the server's log, and give the question back to the server."""
        sentence, again = one_sentence(error), False
        text = sentence
        if not isinstance(error, BadAnswer):
            text, again = self._failures.text(error)
        place = f"match {question.match}, question {question.number}"
        # A question whose time is over has brought its strike already.
        if self._asked.get(question.match) == question.number:
            place += f" (strike {question.clock.strikes + 1} of {question.clock.grace + 1})"
        report.log.error("%s:%s%s", place, "\n" if "\n" in text else " ", text)
        self._outbox.log(question.match, f"question {question.number}: {text}" if again else text)
        return pb.Action(match=question.match, number=question.number, failure=sentence)

    def _remember(self, answer: pb.Action) -> bool:
        """Keep an answer in case that it gets lost; false if nobody wants it any more."""
        if self._asked.get(answer.match) != answer.number:
            return False
        del self._asked[answer.match]
        self._answers[answer.match] = answer
        return True

    def _tell(self, hook: Callable[[_Message], None], message: _Message, name: str) -> None:
        started = perf_counter()
        self._watchdog.begin(message, name)
        try:
            hook(message)
        except Exception as error:  # whatever the author's code raises
            text, again = self._failures.text(error)
            report.log.error("%s failed:%s%s", name, " " if again else "\n", text)
        self._watchdog.end()
        self._note(name, perf_counter() - started)

    def _needs_thread(self, *methods: object) -> bool:
        """Return whether calls of these methods have to be made in the thread."""
        return self._slow or self._queued > 0 or not self._quick.issuperset(methods)

    def _note(self, method: object, seconds: float) -> None:
        """Remember how long a call has taken."""
        if seconds > SLOW:
            self._slow = True
        else:
            self._quick.add(method)

    def _hand_over(self, job: Callable[[], None]) -> None:
        """Have the thread do something, after all that it was given before."""
        if self._jobs is None:
            self._jobs = SimpleQueue()
            # A daemon: a bot that never returns must not keep the program from ending.
            Thread(target=self._run_jobs, args=(self._jobs,), name="farfalia-bot", daemon=True).start()
        self._queued += 1
        self._idle.clear()
        self._jobs.put(job)

    def _run_jobs(self, jobs: SimpleQueue[Callable[[], None] | None]) -> None:
        try:
            while (job := jobs.get()) is not None:
                job()
                self._call(self._done)
        except BaseException as error:  # the bot wants the program to end, as by sys.exit()
            self._call(_throw, error)

    def _done(self) -> None:
        self._queued -= 1
        if not self._queued:
            self._idle.set()

    def _call(self, callback: Callable[..., object], *arguments: object) -> None:
        # Once the loop is closed, the program ends and nobody needs to know.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(callback, *arguments)

    def _work(self, answers: Iterator[pb.Action]) -> None:
        """Find answers, in the thread, and hand them over when all are there or some have waited long enough."""
        ready: list[pb.Action] = []
        flushed = perf_counter()
        for answer in answers:
            ready.append(answer)
            if perf_counter() - flushed > FLUSH_AFTER:
                self._outbox.add_from_thread(ready)
                ready = []
                flushed = perf_counter()
        self._outbox.add_from_thread(ready)


def _is_taken(answer: pb.Action, question: pb.Question) -> bool:
    """Return whether an answer to a question of this number still is one."""
    return question.takes_back if answer.take_back else answer.action in question.legal


def _throw(error: BaseException) -> None:
    raise error
