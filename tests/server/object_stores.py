"""Where archives are kept outside of the database: a folder, and a bucket of a real S3 server.

The server is that of moto, which speaks S3 over HTTP and keeps the objects of all servers of a process in one memory.
"""

from __future__ import annotations

import secrets
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from moto.server import ThreadedMotoServer


class S3Server:
    """An S3 server on a port of this machine, with a bucket that belongs to nobody else."""

    def __init__(self) -> None:
        self._server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        self._server.start()
        host, port = self._server.get_host_and_port()
        self.endpoint = f"http://{host}:{port}"
        self._bucket = f"arena-{secrets.token_hex(8)}"
        #: What a server has as its place for archives.
        self.address = f"s3://{self._bucket}/programs"
        request = urllib.request.Request(f"{self.endpoint}/{self._bucket}", method="PUT")
        urllib.request.urlopen(request).close()

    @property
    def environment(self) -> dict[str, str]:
        """What a server has in its environment beside it."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "farfalia",
            "AWS_SECRET_ACCESS_KEY": "very-secret",
            "AWS_REGION": "us-east-1",
        }

    def objects(self) -> list[str]:
        """The names of all objects below the address."""
        with urllib.request.urlopen(f"{self.endpoint}/{self._bucket}?list-type=2") as answer:
            text = answer.read().decode()
        return sorted(part.partition("</Key>")[0].removeprefix("programs/") for part in text.split("<Key>")[1:])

    def stop(self) -> None:
        self._server.stop()


@contextmanager
def s3_server(patch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """A server which this process, and those that it starts, find by their environment."""
    server = S3Server()
    for name, value in server.environment.items():
        patch.setenv(name, value)
    try:
        yield server
    finally:
        server.stop()
