"""A host in a process, as somebody would start it beside a server, and programs to hand in."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager

from tests.server.live import ADMIN, LiveServer

#: Plays the first legal action.
GOOD = "import farfalia\n\nfarfalia.run(farfalia.Bot())\n"
#: Does not start, and says something that is no part of a page.
BAD = 'print("<b>I am lost</b>")\nraise SystemExit("no map")\n'


@contextmanager
def host_process(server: LiveServer, name: str = "anthill", token: str = ADMIN) -> Iterator[subprocess.Popen[bytes]]:
    """A host without a sandbox, which every machine of CI can run."""
    command = ["host", "--server", server.grpc_address, "--name", name, "--sandbox", "none", "--patience", "0"]
    with (server.folder / f"host-{name}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "farfalia_server", *command, "--folder", str(server.folder / f"host-{name}")],
            env=os.environ | {"FARFALIA_HOST_TOKEN": token},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def archive(**files: str) -> bytes:
    """A tar, compressed by gzip, of files by their names without `.py`."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(f"{name}.py")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    return written.getvalue()
