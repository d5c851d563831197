"""What a test of the server needs to look at one part of it alone; the server itself imports none of this.

- `MemoryJournal`: the journal of matches without a Redis, with the rules of the real one.
- `RecordingStream`, `FirstLegalStream`: a bot's stream without gRPC; the second one plays.
- `VirtualTimeLoop`: an event loop in which hours pass in a moment. `VIRTUAL_TIME` makes pytest use it.
"""

from farfalia_server.testing.memory_journal import MemoryJournal
from farfalia_server.testing.streams import FirstLegalStream, RecordingStream
from farfalia_server.testing.virtual_time import VIRTUAL_TIME, VirtualTimeLoop

__all__ = ["VIRTUAL_TIME", "FirstLegalStream", "MemoryJournal", "RecordingStream", "VirtualTimeLoop"]
