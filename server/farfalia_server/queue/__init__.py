"""From queued rows to matches in play.

SQL knows what is to be played. The `seater`, of which the whole arena has one, decides which match begins with which
bots: `window` tells it which of the waiting matches to try, `free_seats` whether their bots are there, `reservations`
which seats are taken. It also chooses the node, and appends a job to the stream of this node in Redis (`match_queue`),
whose `match_taker` plays the match. A job only says "play match N": the match's epoch makes sure that it is played by
one owner at a time and counted once.

Begin with `matches`, which puts this together for a server that is alone; the package `nodes` does it for a cluster.
"""

from farfalia_server.queue.match_playing import Runner
from farfalia_server.queue.matches import Matches, matches_of_one

__all__ = ["Matches", "Runner", "matches_of_one"]
