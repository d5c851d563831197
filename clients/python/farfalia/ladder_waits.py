"""Why a bot waits on its ladders, told when it changes: the server says it again every minute."""

from __future__ import annotations

import re

from farfalia.v1 import play_pb2 as pb

_REASON = "LADDER_WAITS"
#: How long it will take is another number each time.
_ESTIMATE = re.compile(r" That takes about \d+ s\.$")


class LadderWaits:
    """What was last said of each ladder."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}

    def known(self, notice: pb.Notice) -> bool:
        """Return whether this notice says what the last one of its ladder said; it is then the last one."""
        if notice.reason != _REASON:
            return False
        ladder, _, why = _ESTIMATE.sub("", notice.text).partition(": ")
        known = self._last.get(ladder) == why
        self._last[ladder] = why
        return known
