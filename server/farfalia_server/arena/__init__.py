"""Everything around the play: what is read of the store, by gRPC and by the pages alike."""

from .presence import NodeStatus, Presence
from .reading import Reader
from .watching import News

__all__ = ["News", "NodeStatus", "Presence", "Reader"]
