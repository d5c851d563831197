"""Two checkouts of this repository that are measured against each other."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import farfalia
import farfalia_engine
import farfalia_server
import farfalia_tools
import farfalia_tournaments
from farfalia_server.contract.errors import ComparisonError

#: Where the packages are in a checkout.
_ROOMS = {
    "engine": "farfalia_engine",
    "tournaments": "farfalia_tournaments",
    "clients/python": "farfalia",
    "server": "farfalia_server",
}
#: Where the benchmarks are that measure every checkout.
OUR_TOOLS = Path(farfalia_tools.__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Checkout:
    """Code to measure: the interpreter that runs it, and where its rooms are."""

    name: str
    python: str
    rooms: dict[str, Path]

    def command(self, module: str, *arguments: str) -> list[str]:
        """Return the command line that runs a module; the working directory is not searched for modules."""
        return [self.python, "-P", "-m", module, *arguments]

    def environment(self, *, bench: bool = False, **more: str) -> dict[str, str]:
        """Return the environment of a process that runs this code.

        With `bench` the rooms above the engine are the checkout's, and the benchmarks, with the server that they
        import, are ours: the same loops measure both.
        """
        rooms = self.rooms | ({"server": HERE.rooms["server"], "tools": OUR_TOOLS} if bench else {})
        return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, rooms.values()))} | more


#: What runs now.
HERE = Checkout(
    "this checkout",
    sys.executable,
    {
        room: Path(str(package.__file__)).parent.parent
        for room, package in zip(
            _ROOMS, (farfalia_engine, farfalia_tournaments, farfalia, farfalia_server), strict=True
        )
    },
)


def checkout(path: Path) -> Checkout:
    """Return the checkout in this directory, with the interpreter of its `.venv` or, if it has none, with this one.

    Raises ComparisonError if the directory is no checkout.
    """
    root = path.resolve()
    for room, package in _ROOMS.items():
        if not (root / room / package).is_dir():
            raise ComparisonError(f"{path} has no {room}/{package}; expected another checkout of Farfalia")
    python = root / ".venv" / "bin" / "python"
    return Checkout(
        str(path), str(python) if python.exists() else sys.executable, {room: root / room for room in _ROOMS}
    )
