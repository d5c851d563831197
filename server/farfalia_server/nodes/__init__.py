"""A bot here, a table there: what play needs once a server has several nodes.

Begin with `membership`, by which a process becomes a node, and `shared_play`, which puts the rest together:

1. One node has the role of the seater (`queue`), which reserves seats of bots on any node (`shared_reservations`) and
   gives each match to a node (`node_choice`).
2. At a table whose bot has its stream on another node, `shared_connection` replaces the bot's connection: it sends
   seats and questions (`forwarding`) through the nodes' mailboxes to the bot's node, its gateway. There
   `remote_seats` takes seats at the bot's connection for them and sends the answers back. When the bot moves to another
   node, `shared_connection` takes its seats there and asks again.
3. `gateway_keeper` knows which node is whose gateway. `goodbyes` end the streams of a node that stops.
4. What a node that was cut off has left over ends: its tables, and remote seats (`remote_seats`).

A message that comes late is refused by its numbers, here by the gateway's epoch (`gateway_keeper`) and the fence of the
seats (`shared_reservations`). All such numbers are in docs/cluster.md, "How nodes agree"; `cluster` says where each is.
"""
