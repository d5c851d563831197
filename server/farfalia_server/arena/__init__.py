"""The management calls and everything that is read: bots, ladders, tournaments, matches, ratings.

Begin with `service`, the calls of `farfalia.v1.ArenaService`: what changes something goes on to `registering`,
`ladders` or `organising`; what only reads goes to `reading`, whose `Reader` the pages ask, too. `messages` and
`rating_messages` turn rows into the contract's messages, `standings_cache` keeps the standings of tournaments,
`watching` follows a tournament while it is played, and `presence` says who is connected.
"""

from farfalia_server.arena.presence import NodeStatus, Presence
from farfalia_server.arena.reading import Reader
from farfalia_server.arena.watching import News

__all__ = ["News", "NodeStatus", "Presence", "Reader"]
