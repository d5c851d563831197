"""What the server stands on: ports, TLS, Redis, worker processes, supervision, metrics, clocks.

Nothing here knows of bots, matches or other nodes, but for the list of all keys in Redis (`redis_keys`). Begin with
`service`, the base of what runs for as long as the server does, and `supervision`, which ends the server when a part of
it ends. `grpc_port` and `http_port` listen, the one with what `grpc_experiments` chooses, `http_server` answers,
`redis_connection` and `embedded_redis` bring Redis, and `worker_process` does what must not delay bots.
"""
