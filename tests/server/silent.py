"""A server that takes calls and never answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc

#: Seconds after which it gives a call up.
_LIMIT = 120.0


class _Silent(grpc.GenericRpcHandler):
    def __init__(self, over: threading.Event) -> None:
        self._over = over

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes]:
        return grpc.unary_unary_rpc_method_handler(self._never)

    def _never(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        self._over.wait(_LIMIT)
        return b""


@contextmanager
def silent_server() -> Iterator[str]:
    """Its address, for as long as the block lasts."""
    over = threading.Event()
    server = grpc.server(ThreadPoolExecutor(), handlers=[_Silent(over)])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        over.set()
        server.stop(None).wait()
