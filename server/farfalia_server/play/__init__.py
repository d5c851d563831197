"""From the stream of a bot to a finished match: streams, connections, clocks, tables, journal and recovery.

The path of one answer, until the next question leaves:

1. `bot_stream` reads a message from the stream and hands its actions to the bot's connection, with when they arrived.
2. `connection` finds the question, checks the action, and charges the time to the seat's clock (`deadlines`, `clock`).
3. `match_core` turns it into an event, applies it, and plays on: forced actions and house bots' decisions at once. It
   calls its port, the `table`, for each event and for the next question. Recovery applies the same events again.
4. `table` adds the events to the record (`record_pieces`), encodes the question (`question_encoding`), and gives the
   journal the new piece as one entry; messages are sent only after that.
5. `journal` writes the entries of all tables in one call to Redis; another task runs this step and the next two.
6. `table` sends what the bot is told of its answer, and asks the next question through its bot's connection.
7. `batcher` collects questions until all tables of that call have asked (`after_flush`) or, for a bot with many tables,
   the batching delay is over, and until the loop has time (`outflow`); then it starts their clocks and hands a message
   to the stream.
8. `bot_stream` writes the message, in a task of its own, so that a slow reader delays nobody else.

In a cluster the stream may be on another node than the table; the package `nodes` sees to that.
"""
