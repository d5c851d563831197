"""Bots of kaggle-environments behind HTTP, as small as they can be: they choose one of the legal actions at random.

Its first line says the address; it serves until its input ends. It runs where nothing of ours but the tools is.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Thread
from typing import Any

_RANDOM = Random(1)


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:  # the name that http.server calls
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        # Before the first decision all are asked once, and what they say then does not count.
        legal = asked["state"]["observation"].get("legalActions") or [-1]
        answer = json.dumps({"action": {"submission": _RANDOM.choice(legal)}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    sys.stdin.read()
