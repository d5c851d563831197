"""From rows that wait to matches that are played.

SQL says what is to be played; Docket, on Redis, hands it out. A job is no more than "play match N": that a match is
played by one owner at a time, and counted once, is the work of its epoch. Begin with `dispatcher`; `window` decides
which of the waiting matches it looks at.
"""

from farfalia_server.queue.dispatcher import Dispatcher, Lobby
from farfalia_server.queue.match_playing import Runner

__all__ = ["Dispatcher", "Lobby", "Runner"]
