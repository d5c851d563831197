"""What a program writes: cut into lines, cleaned, and bounded."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable

from farfalia_server.contract.untrusted import clean

#: Characters of a line that are passed on, and bytes after which a line is cut without its end.
_LONGEST = 2000
#: Lines that are kept for the ending.
_TAIL = 12
#: Sequences that a terminal obeys: colours and cursor (CSI), titles and links (OSC), and the short ones.
_TERMINAL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]|\x9b[0-?]*[ -/]*[@-~]", re.DOTALL
)


class Output:
    """Takes bytes and tells of lines; `most` bytes within a minute."""

    def __init__(self, most: int, tell: Callable[[str], None]) -> None:
        self._most = most
        self._tell = tell
        self._rest = b""
        self._left, self._at = float(most), time.monotonic()
        self._over = False
        #: The last lines.
        self.tail: deque[str] = deque(maxlen=_TAIL)

    def take(self, data: bytes) -> bool:
        """Tell of the lines that are complete; whether it was within the bound. Past it, nothing more is told."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._most / 60)
        self._at = now
        if self._over:
            return False
        within = len(data) <= self._left
        lines = (self._rest + data[: max(0, int(self._left))]).split(b"\n")
        self._left = max(0.0, self._left - len(data))
        self._rest = lines.pop()
        while len(self._rest) > _LONGEST:
            lines.append(self._rest[:_LONGEST])
            self._rest = self._rest[_LONGEST:]
        for line in lines:
            self._pass_on(line)
        if not within:
            self._rest, self._over = b"", True
        return within

    def finish(self) -> None:
        """Tell of the last line if no line feed ended it."""
        if self._rest:
            self._pass_on(self._rest)
            self._rest = b""

    def _pass_on(self, line: bytes) -> None:
        text = clean(_TERMINAL.sub("", line.decode(errors="replace").rstrip("\r")), _LONGEST)
        self.tail.append(text)
        self._tell(text)
