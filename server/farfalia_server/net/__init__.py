"""What the server stands on: ports, TLS, Redis, leases, worker processes, supervision, metrics."""
