"""What every door says, a port, a page or a command: errors and their statuses, bounds, states, what is untrusted.

Nothing here knows of a network, a clock or a disk. Begin with `errors`; `statuses` says what each becomes for gRPC and
HTTP.
"""
