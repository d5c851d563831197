"""A process that has imported the SDK, and forks for each program in Python: each starts without importing it again.

Run as a script. Each line of its input is a call as JSON, whose `words` are what would follow `python`. It reports
`started CALL PID` and `ended PID CODE` on its output, or `failed CALL REASON`. When the input ends, it does, too; what
it has forked lives on.
"""

import ctypes
import gc
import json
import os
import runpy
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

#: PR_SET_DUMPABLE of <linux/prctl.h>.
_SET_DUMPABLE = 4


def main() -> None:
    """Fork for each call; in what was forked, be the program."""
    if not sys.flags.safe_path:
        del sys.path[0]  # the folder of this file
    import farfalia  # noqa: F401  (this is what takes the time)

    gc.collect()
    gc.freeze()  # pages that nobody writes stay shared
    let_trace(False)
    call = next_call()
    if call is not None:
        let_trace(True)
        become(call)


def let_trace(allowed: bool) -> None:
    """Say whether other programs of this user may trace this process and see its files, as is usual.

    This one could be made to start anything in the place of another bot.
    """
    if sys.platform == "linux":
        # Not by `net.secrecy`: its package would set things in the environment of every program.
        ctypes.CDLL(None).prctl(_SET_DUMPABLE, int(allowed), 0, 0, 0)


def next_call() -> dict[str, Any] | None:
    """Return the call in a process that was forked for one, and None in this one once there are no more."""
    reports, nothing = os.dup(1), os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    with suppress(BrokenPipeError):  # nobody wants to know
        for call in calls(reading, reports):
            try:
                child = os.fork()
            except OSError as error:
                tell(reports, f"failed {call['call']} {error.strerror}")
                continue
            if not child:
                os.setsid()  # before anybody knows the process, who might send its group a signal
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                try:
                    output = os.open(call["output"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
                except OSError as error:
                    tell(reports, f"failed {call['call']} {error.strerror}")
                    os._exit(1)
                for number, file in enumerate((nothing, output, output)):
                    os.dup2(file, number)
                tell(reports, f"started {call['call']} {os.getpid()}")
                for own in (reports, nothing, reading, writing, output):
                    os.close(own)
                return call
    return None


def calls(woken: int, reports: int) -> Iterator[dict[str, Any]]:
    """Yield the calls as they come; meanwhile report which processes have ended."""
    said = b""
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            with suppress(ChildProcessError):
                while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                    tell(reports, f"ended {ended[0]} {os.waitstatus_to_exitcode(ended[1])}")
        if 0 in ready:
            read = os.read(0, 65536)
            if not read:
                return
            *lines, said = (said + read).split(b"\n")
            yield from map(json.loads, lines)


def tell(reports: int, line: str) -> None:
    """Write a line in one piece: what was forked writes there, too."""
    os.write(reports, f"{line}\n".encode())


def become(call: dict[str, Any]) -> None:
    """Make this process what `python WORDS` would be, and be that."""
    os.environ.update(call["environment"])
    sys.excepthook = show
    word, *words = call["words"]
    is_module = word == "-m"
    if not sys.flags.safe_path:
        sys.path.insert(0, str(Path.cwd() if is_module else Path(word).resolve().parent))
    if is_module:
        sys.argv = words
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
        return
    sys.argv = [word, *words]
    program = ModuleType("__main__")
    program.__file__ = str(Path(word).absolute())
    sys.modules["__main__"] = program
    code = compile(Path(word).read_bytes(), word, "exec", dont_inherit=True)
    exec(code, program.__dict__)  # noqa: S102  (what the user wants to run)


def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an error of the program as Python does, without what lies above it here."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


if __name__ == "__main__":
    main()
