"""What a bot's author is told of an exception: the author's own part of the traceback, and that once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from traceback import TracebackException

from farfalia.errors import BadAnswer

_LENGTH = 300
#: The client's own modules. Sample bots are in a folder below, and are shown.
_CLIENT = Path(__file__).parent


class Failures:
    """The exceptions that have been reported, to tell those that come again from new ones."""

    def __init__(self) -> None:
        self._told: set[tuple[type[Exception], str, int | None]] = set()

    def text(self, error: Exception) -> tuple[str, bool]:
        """Return the traceback of an exception; one line, and true, if the same type came from the same line before."""
        trace = _own(error)
        last = trace.stack[-1]
        key = (type(error), last.filename, last.lineno)
        if key in self._told:
            return f"the same again, {one_sentence(error)}", True
        self._told.add(key)
        return "".join(trace.format()).rstrip(), False


def own_trace(error: Exception) -> str:
    """Return the traceback of an exception without the client's frames, of which its author knows nothing."""
    return "".join(_own(error).format()).rstrip()


def one_sentence(error: Exception) -> str:
    """Return an exception in one line: its type, unless it is ours, and what it says."""
    kind = "" if isinstance(error, BadAnswer) else f"{type(error).__name__}: "
    return (kind + " ".join(str(error).split()))[:_LENGTH]


def _own(error: Exception) -> TracebackException:
    trace = TracebackException.from_exception(error)
    for each in _all(trace):
        # All of them where no frame is the author's: an error of the client's has to show where it is.
        each.stack[:] = [frame for frame in each.stack if Path(frame.filename).parent != _CLIENT] or list(each.stack)
    return trace


def _all(trace: TracebackException) -> Iterator[TracebackException]:
    """Yield the exception, and those that it came from."""
    yield trace
    for other in (trace.__cause__, trace.__context__, *(trace.exceptions or ())):
        if other is not None:
            yield from _all(other)
