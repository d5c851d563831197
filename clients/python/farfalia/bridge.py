"""A program in any language as a bot: questions and answers are lines of JSON on its standard input and output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isinf
from queue import Empty, SimpleQueue
from time import monotonic
from typing import IO, Any

from farfalia import client, report, settings
from farfalia.bot import Bot
from farfalia.errors import BadAnswer, BadSetting
from farfalia.question_data import finished_data, question_data, result_data, seated_data
from farfalia.v1 import play_pb2 as pb
from farfalia.view import View

#: Bytes of a line of the program; a longer one is no answer.
LONGEST = 65536
#: Seconds that the program has to end once its input has ended, and again once it was told to.
ENDING = 0.5
#: Seconds after the last moment of a question in which the server's word on it arrives.
_AFTER = 0.5
#: Legal actions that are named beside a wrong one.
_LEGAL_SHOWN = 10
#: How a program has ended that was told to, with the whole group of processes that it belongs to.
_TOLD = (-signal.SIGTERM, -signal.SIGINT)
#: Characters of a line that are repeated.
_SHOWN = 80
#: What is said of a line that could be a program's remark.
_NO_ANSWER = "is no answer; expected a number of `legal`, a text of `names`, or an object with `action`"


class Bridge(Bot):
    """Asks a program, which is started at once, one question at a time, of any match, in the order in which they came.

    The program is told everything else that a bot hears in lines of their own, to which it gives no answer. A line that
    is no answer is reported and skipped; one with a wrong action fails its question. Raises BadSetting if the program
    cannot be started.
    """

    def __init__(self, command: Sequence[str], rulesets: Sequence[str] = ()) -> None:
        self.rulesets = tuple(rulesets)
        #: What it printed, line by line; None once its output has ended.
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        #: Questions that it has been asked and has not answered, the oldest first.
        self._owed: deque[tuple[int, int]] = deque()
        self._closed = False
        #: Whether the program has ended, or closed its output.
        self.over = False
        # Ctrl-C in a terminal goes to all its processes; this one finishes its matches first, and needs the program.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            # It plays by its lines and needs no token.
            environment = {name: value for name, value in os.environ.items() if name != "FARFALIA_TOKEN"}
            pipe = subprocess.PIPE
            self._program = subprocess.Popen(list(command), stdin=pipe, stdout=pipe, env=environment)  # noqa: S603
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadSetting(f"The program {command[0]} cannot be started: {why}.") from error
        finally:
            signal.signal(signal.SIGINT, before)
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        for work, stream in ((self._write, self._program.stdin), (self._read, self._program.stdout)):
            threading.Thread(target=work, args=(stream,), name="farfalia-bridge", daemon=True).start()

    def decide(self, view: View) -> int:  # type: ignore[override]  # what asks a bot over a stream has a match
        """Ask the program, and return what it answers; BadAnswer if that is wrong, or its time is over.

        Ends this process if the program has ended.
        """
        asked = (view.match, view.number)
        self._owed.append(asked)
        self._tell("question", question_data(view))
        left = view.time_left + view.clock.bank_ms / 1000 + _AFTER
        until = monotonic() + left
        while True:
            try:
                line = self._lines.get(timeout=None if isinf(left) else max(0.0, until - monotonic()))
            except Empty:
                raise BadAnswer("the program has not answered in time") from None
            if line is None:
                report.log.error("match %d, question %d has no answer", *asked)
                raise SystemExit(1)
            try:
                given = _Answer(line)
            except ValueError as error:
                named = _by_name(view, line)
                if named is None:
                    report.log.error("match %d, question %d: the line %s %s", *asked, _shown(line), error)
                    continue
                given = _Answer(str(named).encode())
            if self._is_for(given, asked):
                return _action(view, given.action)

    def _is_for(self, given: _Answer, asked: tuple[int, int]) -> bool:
        """Return whether this answers what is asked now; say so if it does not."""
        owed = given.question(self._owed)
        if owed in self._owed:
            self._owed.remove(owed)
            if owed != asked:
                report.log.error("match %d, question %d: its answer came after its time", *owed)
            return owed == asked
        report.log.error("match %s, question %s: the program was not asked that, or has answered it", *owed)
        return False

    def on_seated(self, seated: pb.Seated) -> None:
        """Tell the program of a seat."""
        self._tell("seated", seated_data(seated))

    def on_result(self, result: pb.Result) -> None:
        """Tell the program, and its author, of an answer that was not accepted."""
        super().on_result(result)
        self._tell("result", result_data(result))

    def on_finished(self, finished: pb.Finished) -> None:
        """Tell the program how a match ended."""
        self._tell("finished", finished_data(finished))

    def on_notice(self, notice: pb.Notice) -> None:
        """Tell the program, and its author, what the server has to say."""
        super().on_notice(notice)
        self._tell("notice", {"match": notice.match, "reason": notice.reason, "text": notice.text})

    def ending(self) -> str:
        """Return how the program has ended, or that its output has; empty if it was told to end, as this one was."""
        try:
            code = self._program.wait(ENDING)
        except subprocess.TimeoutExpired:
            return "the program has closed its standard output"
        if code in _TOLD:
            return ""
        return f"the program ended with exit code {code}" if code >= 0 else f"the program was ended by signal {-code}"

    def close(self) -> int:
        """End the program: close its input, then tell it to end, then kill it; return its exit code."""
        self._closed = True
        self._outgoing.put(None)
        for end in (self._program.terminate, self._program.kill):
            try:
                self._program.wait(ENDING)
                break
            except subprocess.TimeoutExpired:
                end()
        return self._program.wait()

    def _tell(self, what: str, data: Mapping[str, Any]) -> None:
        self._outgoing.put(json.dumps({"type": what, **data}, separators=(",", ":")).encode() + b"\n")

    def _write(self, stream: IO[bytes]) -> None:
        """Write the lines in a thread of its own: a program that does not read must hold up nothing."""
        with suppress(OSError):  # it reads no more; what is read from it says so
            while (line := self._outgoing.get()) is not None:
                stream.write(line)
                stream.flush()
        with suppress(OSError):
            stream.close()

    def _read(self, stream: IO[bytes]) -> None:
        while line := stream.readline(LONGEST):
            if not line.endswith(b"\n") and len(line) == LONGEST:
                while (more := stream.readline(LONGEST)) and not more.endswith(b"\n"):
                    pass
                report.log.error("a line of the program is longer than %d bytes, and was skipped", LONGEST)
            elif line.strip():
                self._lines.put(line)
        self.over = True
        self._lines.put(None)
        if self.ending() and not self._closed:  # as if it was told to stop: what is open is finished, and it leaves
            os.kill(os.getpid(), signal.SIGTERM)


class _Answer:
    """A line of the program, read; ValueError, with what follows on `the line …`, if it is no answer."""

    def __init__(self, line: bytes) -> None:
        self._place: tuple[Any, Any] = (None, None)
        try:
            read = json.loads(line)
        except (ValueError, RecursionError):
            raise ValueError(_NO_ANSWER) from None
        if isinstance(read, dict):
            if "action" not in read:
                raise ValueError("has no `action`")
            self._place = (read.get("match"), read.get("number"))
            read = read["action"]
        self.action: object = read

    def question(self, owed: Sequence[tuple[int, int]]) -> tuple[Any, Any]:
        """Return match and number of the question that it answers: what is not named is that of the oldest one."""
        match, number = self._place
        fits = [one for one in owed if match in (None, one[0]) and number in (None, one[1])]
        return fits[0] if fits else self._place


def run_bridge(
    command: Sequence[str], server: str | None = None, token: str | None = None, rulesets: Sequence[str] = ()
) -> None:
    """Connect a program and play until told to stop, as `farfalia.run` does with a bot; the program ends with it.

    Raises BadSetting if there is no token, or the program cannot be started.
    Ends with exit code 1 if the program ended with a code other than 0, or while it had a question to answer.
    """
    settings.server(server, token)  # a program that nobody lets in need not begin
    # Until there is a connection, a program that ends at once ends this one.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    bridge = Bridge(command, rulesets)
    try:
        try:
            client.run(bridge, server, token)
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # what follows ends in a moment, and leaves no program behind
    finally:
        ending = bridge.ending() if bridge.over else ""
        if ending:
            print(f"farfalia: {ending}", file=sys.stderr)
        failed = bridge.close() != 0
    if ending and failed:
        raise SystemExit(1)


def _action(view: View, action: object) -> int:
    """Return the number of the action, which may be a text; BadAnswer, with what was legal, if it is not legal."""
    named = _by_name(view, action.encode()) if isinstance(action, str) else None
    if named is not None:
        return named
    if isinstance(action, int) and not isinstance(action, bool) and action in view.legal:
        return action
    names = question_data(view)["names"]
    legal = [f"{number} ({name})" for number, name in zip(view.legal, names, strict=False)] or list(
        map(str, view.legal)
    )
    more = " …" if len(legal) > _LEGAL_SHOWN else ""
    answer = _shown(json.dumps(action).encode())
    raise BadAnswer(f"the program answered {answer}; legal were {', '.join(legal[:_LEGAL_SHOWN])}{more}")


def _by_name(view: View, line: bytes) -> int | None:
    """Return the legal action of this text, None if there is none."""
    text = line.decode(errors="replace").strip()
    names = question_data(view)["names"]
    return view.legal[names.index(text)] if text in names else None


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
