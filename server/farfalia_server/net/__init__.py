"""What the server stands on: ports, TLS, Redis, leases, worker processes, supervision, metrics.

Nothing here knows of bots or matches. Begin with `service`, the base of what runs for as long as the server does, and
`supervision`, which ends the server when a part of it ends. `grpc_port` and `http_port` listen, `http_server` answers,
`redis_connection` and `embedded_redis` bring Redis, `lease` keeps other servers out, and `worker_process` does what
must not delay bots.
"""
