"""No sandbox: a program runs as everything else of this user does."""

from __future__ import annotations

from pathlib import Path

from farfalia_server.sandbox.driver import ENVIRONMENT, Launch
from farfalia_server.sandbox.program import Limits, Program


class Unprotected:
    """The driver for programs that you trust as your own; it watches memory, CPU, processes and output, no more."""

    name = "none"
    protects = "Programs run with all your rights, and nothing protects you from them: run your own only."

    def obstacle(self) -> str:
        """Return nothing: it works everywhere."""
        return ""

    def address(self, socket: Path) -> str:
        """Return where a program finds the server."""
        return f"unix:{socket}"

    def launch(self, program: Program, limits: Limits, socket: Path | None) -> Launch:
        """Prepare to start a program."""
        return Launch(
            command=program.command,
            environment={**ENVIRONMENT, **program.environment},
            folder=program.folder,
            signals_as_codes=False,
        )
