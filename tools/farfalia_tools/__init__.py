"""What measures a server and torments it, and the doubles that its tests use; the server imports none of this.

- `bench`, `torment`: `farfalia bench` and `farfalia torment`, whose command lines are in `cli`.
- `testing`: neighbours of the server's parts, for tests that look at one part alone.

A checkout has these tools. The wheel that a server hands out has not.
"""
