"""Which driver is used: the one that was asked for, or the best that works here."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox.bubblewrap import Bubblewrap
from farfalia_server.sandbox.containers import Container
from farfalia_server.sandbox.driver import Driver
from farfalia_server.sandbox.landlock import Landlock
from farfalia_server.sandbox.program import Limits, Program
from farfalia_server.sandbox.running import RunningProgram, start
from farfalia_server.sandbox.unprotected import Unprotected
from farfalia_server.sandbox.user_ids import DEFAULT_IDS

AUTO = "auto"
#: For programs that are trusted.
NO_SANDBOX = Unprotected.name
#: What can be asked for.
NAMES = (AUTO, Bubblewrap.name, "podman", "docker", Landlock.name, NO_SANDBOX)
#: A program that does nothing, and how long it may take.
_TRIAL = Program(("/bin/sh", "-c", "exit 0"), Path("/"))
_TRIAL_LIMITS = Limits(wall_seconds=20)


@dataclass(frozen=True)
class Sandbox:
    """A driver that works here; `passed_over` says of better ones, by name, why they do not."""

    driver: Driver
    passed_over: dict[str, str]

    @property
    def name(self) -> str:
        """What the driver is called."""
        return self.driver.name

    @property
    def protects(self) -> str:
        """What it protects from, as a sentence."""
        return self.driver.protects

    def address(self, socket: Path) -> str:
        """Return where programs find the server that listens on this socket, as the SDK takes it."""
        return self.driver.address(socket)

    def start(
        self, program: Program, limits: Limits, socket: Path | None = None, tell: Callable[[str], None] = lambda _: None
    ) -> RunningProgram:
        """Start a program in the running event loop, in its thread, with which the program is ended.

        It reaches the server at `socket`, and no network. `tell` is given each line that it writes to standard output
        and error, cleaned. ProgramError if it cannot be started.
        """
        return start(self.driver, program, limits, socket, tell)


def drivers(ids: Sequence[int] = DEFAULT_IDS) -> list[Driver]:
    """Return all drivers that can be chosen, the best first; where we are root, programs get user ids of `ids`."""
    return [Bubblewrap(ids), Container("podman"), Container("docker"), Landlock(ids), Unprotected()]


async def obstacle(driver: Driver) -> str:
    """Return why a driver does not work here, as the end of a sentence, after a trial run; empty if it does."""
    if found := driver.obstacle():
        return found
    try:
        with TemporaryDirectory(prefix="farfalia-trial-") as folder:
            os.chmod(folder, 0o755)  # noqa: PTH101, S103  (there is nothing in it)
            running = start(driver, replace(_TRIAL, folder=Path(folder)), _TRIAL_LIMITS, None, lambda _: None)
            ending = await running.wait()
    except (ProgramError, OSError) as error:
        return str(error)
    if ending.exit_code == 0:
        return ""
    return f"a program that does nothing {ending}" + (f": {ending.tail[-1]}" if ending.tail else "")


async def choose(name: str = AUTO, ids: Sequence[int] = DEFAULT_IDS) -> Sandbox:
    """Return the sandbox of this name, or with `auto` the best that works here; ProgramError if none does.

    `auto` never chooses to go without, and Landlock only as root: an ordinary user's programs could talk to those of
    the desktop, which do what they are told.
    """
    passed_over: dict[str, str] = {}
    for driver in drivers(ids):
        if name == driver.name or (name == AUTO and not isinstance(driver, Unprotected)):
            weak = name == AUTO and isinstance(driver, Landlock) and os.geteuid() != 0
            why = "it leaves Unix sockets of your other programs open; name it to use it" if weak else ""
            if not (why := why or await obstacle(driver)):
                return Sandbox(driver, passed_over)
            passed_over[driver.name] = why
    if not passed_over:
        raise ProgramError(f"there is no sandbox {name!r}; expected one of {', '.join(NAMES)}")
    reasons = "; ".join(f"{driver}: {why}" for driver, why in passed_over.items())
    raise ProgramError(f"no sandbox works here: {reasons}" if name == AUTO else f"the sandbox {reasons}")
