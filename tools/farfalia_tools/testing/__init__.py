"""What a test of the server needs to look at one part of it alone; the server itself imports none of this.

- `MemoryJournal`: the journal of matches without a Redis, with the rules of the real one.
- `MemoryRedis`, `MemoryStore`: what a journal and the runner of matches need of a Redis and a database; both can fail.
- `RecordingStream`, `FirstLegalStream`: a bot's stream without gRPC; the second one plays.
- `VirtualTimeLoop`: an event loop in which hours pass in a moment. `VIRTUAL_TIME` makes pytest use it,
  `virtual_monotonic` gives its clock to modules that read their own.
"""

from farfalia_tools.testing.memory_journal import MemoryJournal
from farfalia_tools.testing.memory_redis import MemoryRedis
from farfalia_tools.testing.memory_store import MemoryStore
from farfalia_tools.testing.streams import FirstLegalStream, RecordingStream
from farfalia_tools.testing.virtual_time import VIRTUAL_TIME, VirtualTimeLoop, virtual_monotonic

__all__ = [
    "VIRTUAL_TIME",
    "FirstLegalStream",
    "MemoryJournal",
    "MemoryRedis",
    "MemoryStore",
    "RecordingStream",
    "VirtualTimeLoop",
    "virtual_monotonic",
]
