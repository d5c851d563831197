"""Hosts in processes of their own, and programs that are handed in by the command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.server.live import ADMIN, PATIENCE, LiveServer

from farfalia.v1 import bots_pb2

#: A bot of a few lines, which the documents show.
TEN_LINES = """import random

from farfalia import Bot, run


class Mine(Bot):
    def decide(self, view):
        return random.choice(view.legal)


run(Mine())
"""


class HostProcess:
    """`farfalia host`, which can be killed and started again."""

    def __init__(self, server: LiveServer, name: str, sandbox: str = "auto", slots: int = 8) -> None:
        self.name = name
        self._server = server
        self._folder = server.folder / name
        self._log = server.folder / f"{name}.log"
        self._command = ["host", "--name", name, "--folder", str(self._folder), "--sandbox", sandbox]
        self._command += ["--slots", str(slots)]
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        environment = {"FARFALIA_SERVER": self._server.grpc_address, "FARFALIA_HOST_TOKEN": ADMIN}
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "farfalia_server", *self._command],
                env=os.environ | environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """SIGKILL: its programs go with it."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """SIGTERM, and then SIGKILL if it does not end."""
        self.process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(PATIENCE)
        self.kill()
        return -signal.SIGKILL

    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.stop()


def a_folder(server: LiveServer, name: str, files: Mapping[str, str]) -> Path:
    """A folder with a program."""
    folder = server.folder / f"program-{name}"
    folder.mkdir(exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(text)
    return folder


def submit(server: LiveServer, token: str, *words: str) -> subprocess.CompletedProcess[str]:
    """`farfalia submit` with a bot's token."""
    return subprocess.run(
        [sys.executable, "-m", "farfalia_server", "submit", *words],
        env=os.environ | {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def is_connected(server: LiveServer, bot: str) -> bool:
    found: bots_pb2.GetBotResponse = server.call("GetBot", bots_pb2.GetBotRequest(name=bot))
    return found.bot.connected
