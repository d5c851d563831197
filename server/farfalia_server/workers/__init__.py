"""Several processes as one server on one machine: `farfalia serve --workers`.

Each worker is a whole server and a node of the arena; all listen on the same two ports. The process that was started
serves nobody: `group` runs the embedded Redis, starts the workers, and starts those again that die. `worker` is the
other end of the `control`, a connection by which a worker is told what to do, and learns that its starter is gone.
"""
