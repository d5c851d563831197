"""Everything around the play: what is read of the store, by gRPC and by the pages alike."""

from farfalia_server.arena.presence import NodeStatus, Presence
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.watching import News

__all__ = ["News", "NodeStatus", "Presence", "Reader"]
