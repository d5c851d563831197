"""How gRPC passes a server's messages from thread to thread: it reads that once, when it is imported."""

from __future__ import annotations

import os
from importlib.metadata import version

#: With its event engine, another thread reads each message than the one that hands it to grpc.aio: the bare transport
#: then takes a fifth more processor time, and answers wait longer.
_CHOSEN = "-event_engine_listener,-event_engine_client,-event_engine_callback_cq"
#: The first release that may not know these names any more, and would say so.
_UNKNOWN_FROM = (1, 86)


def choose() -> None:
    """Have the thread that waits for gRPC's sockets read them, unless the environment says otherwise.

    Call it before gRPC is imported; later it has no effect. Releases that we do not know are left as they are.
    """
    major, minor = map(int, version("grpcio").split(".")[:2])
    if (major, minor) < _UNKNOWN_FROM:
        os.environ.setdefault("GRPC_EXPERIMENTS", _CHOSEN)
