"""An address that leads to every node: passes each connection on to one that answers, as a load balancer does.

`python -m tests.endurance.balancer HOST:PORT …` says on its first line where it listens. It ends with its input.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import threading
from contextlib import suppress

#: Seconds in which a node has to take a connection, and to say its first word.
_PATIENCE = 1.0
_CHUNK = 1 << 16


async def main(nodes: list[str]) -> None:
    server = await asyncio.start_server(lambda reader, writer: _serve(nodes, reader, writer), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    print(f"{host}:{port}", flush=True)
    await server.serve_forever()


async def _serve(nodes: list[str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.CancelledError):
        said = await reader.read(_CHUNK)  # the client speaks first
        for node in random.sample(nodes, len(nodes)):
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    from_node, to_node = await asyncio.open_connection(*node.rsplit(":", 1))
                    to_node.write(said)
                    answer = await from_node.read(_CHUNK)
                if answer:
                    writer.write(answer)
                    await asyncio.gather(_pass_on(reader, to_node), _pass_on(from_node, writer))
                    return
    writer.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
    writer.close()


def _leave_at_the_end() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_leave_at_the_end, daemon=True).start()
    asyncio.run(main(sys.argv[1:]))
