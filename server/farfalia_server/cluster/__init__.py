"""Who lives, and who may write: nodes on one database and one Redis, as each of them sees the others.

A node (`node`) that lives keeps its entry in Redis (`registry`, and `node_entries` for who only looks). A role is with
one of them at a time (`leadership`). They tell each other of changes (`change_bus`) and send each other messages
(`mailbox`), both through Redis streams (`streams`). A server that is alone has a `lease`, too: nobody else may play
with its database (`copied_database`).

No node decides for itself whether it may still write. Who refuses whom by which number, in Redis and in SQL, is in
docs/cluster.md, "How nodes agree". Of these numbers, this package has the instance of a node and the run of the
registry (`registry`), the token of a role (`leadership`), the mark of a server (`lease`) and the version of the cluster
protocol (`node`). Those of matches are with `play.journal` and the store, those of seats and gateways with `nodes`.

Nothing here knows of bots, tables or the store; `nodes` puts it to use.
"""
