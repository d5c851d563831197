"""From the stream of a bot to a finished match: sessions, connections, clocks, tables, journal and recovery.

The walk of one answer, in at the top and out as the next question:

1. `session` reads a message from the stream and hands its actions to the bot's connection, with when they arrived.
2. `connection` finds the question, checks the action, and charges the time to the seat's clock (`deadlines`, `clock`).
3. `table` applies the action to the match's state and plays on: forced actions and house bots' decisions at once.
4. `table` encodes the next question (`question_encoding`) and gives the new actions to the journal as one entry.
5. `journal` writes the entries of all tables in one call to Redis; another task runs this step and the next two.
6. `table` sends what the bot is told of its answer, and asks the next question through its bot's connection.
7. `batcher` lets questions gather until the journal has written what waits (`after_flush`) or `linger` is over, and
   the loop has time for it (`outflow`); then it starts their clocks and hands one message to the stream.
8. `session` writes the message, in a task of its own, so that a slow reader delays nobody else.
"""
