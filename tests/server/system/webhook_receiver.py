"""Somebody's program that takes what webhooks send, in a process of its own: it writes down each request."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Receiver:
    """The running program: what came, and what it answers from now on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._folder.mkdir()
        self.port = 0
        self.answers(204)

    @property
    def url(self) -> str:
        """Where it listens, by a name that has a private address."""
        return f"http://localhost:{self.port}/hook?of=ant"

    def answers(self, status: int) -> None:
        """Answer with this status; a redirect leads to another path."""
        (self._folder / "status").write_text(str(status))

    @property
    def requests(self) -> list[dict[str, Any]]:
        """Each request: path, headers in lower case, body, and what was answered."""
        file = self._folder / "requests"
        whole = file.read_text().split("\n")[:-1] if file.exists() else []
        return [json.loads(line) for line in whole]

    def told(self, kind: str, status: int = 204) -> list[dict[str, Any]]:
        """The bodies of this kind that were answered with this status."""
        bodies = [json.loads(one["body"]) for one in self.requests if one["status"] == status]
        return [body for body in bodies if body["kind"] == kind]


@contextmanager
def receiver(folder: Path) -> Iterator[Receiver]:
    """A receiver that runs until the end."""
    made = Receiver(folder)
    process = subprocess.Popen([sys.executable, __file__, str(folder)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        made.port = int(process.stdout.readline())
        yield made
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def main(folder: Path) -> None:
    """Take requests until killed."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            status = int((folder / "status").read_text())
            headers = {name.lower(): value for name, value in self.headers.items()}
            line = json.dumps({"path": self.path, "headers": headers, "body": body, "status": status})
            with (folder / "requests").open("a") as file:
                file.write(line + "\n")
            self.send_response(status)
            if status in (301, 302, 307, 308):
                self.send_header("location", "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
