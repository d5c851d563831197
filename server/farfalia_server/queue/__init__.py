"""From rows that wait to matches that are played.

SQL says what is to be played; Docket, on Redis, hands it out. A job is no more than "play match N": that a match is
played by one owner at a time, and counted once, is the work of its epoch. Begin with `dispatcher`; `window` decides
which of the waiting matches it looks at.

In a cluster the work of the dispatcher is divided: one node has the `seater`, which reserves seats of bots on any node
(`reservations`) and puts matches into one queue; on each node a `match_taker` plays what comes out of it there.
"""

from farfalia_server.queue.dispatcher import Dispatcher, Lobby
from farfalia_server.queue.match_playing import Runner

__all__ = ["Dispatcher", "Lobby", "Runner"]
