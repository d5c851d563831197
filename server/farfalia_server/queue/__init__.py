"""From queued rows to matches in play.

SQL knows what is to be played; a stream in Redis (`match_queue`) hands it out. A job only says "play match N": the
match's epoch makes sure that it is played by one owner at a time and counted once. Begin with `dispatcher`; `window`
decides which of the waiting matches it tries.

In a cluster the work of the dispatcher is divided among the seater and all nodes: the package `nodes` has them.
"""

from farfalia_server.queue.dispatcher import Dispatcher, Lobby
from farfalia_server.queue.match_playing import Runner

__all__ = ["Dispatcher", "Lobby", "Runner"]
