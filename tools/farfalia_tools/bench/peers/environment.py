"""A throwaway environment with the peers that a package index has, in the versions that the page names."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from farfalia_server.contract.errors import ProgramError
from farfalia_tools.bench.checkouts import HERE, OUR_TOOLS, Checkout
from farfalia_tools.bench.processes import python_process

#: What pip is told for each peer. Of kaggle-environments only hearts is played: what its other games need stays away.
PEERS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "OpenSpiel": (("open_spiel==2.0.1",),),
    "RLCard": (("rlcard==1.2.0",),),
    "PettingZoo": (("pettingzoo==1.27.0", "pygame==2.6.1", "rlcard==1.2.0"),),
    "kaggle-environments": (
        ("open_spiel==2.0.1", "gymnasium==1.2.0", "requests==2.34.2", "jsonschema==4.26.0"),
        ("--no-deps", "kaggle-environments==1.33.2"),
    ),
}
_NOTHING_FOUND: Final = re.compile(r"satisfies the requirement (\S+) \(from versions: none\)")
#: Seconds that making the environment may take, and installing one peer.
_PATIENCE: Final = 180.0
_PIP: Final = ("install", "--quiet", "--no-input", "--disable-pip-version-check", "--retries", "1", "--timeout", "15")


class Missing(ProgramError):
    """Raised when a peer cannot be installed or run; says why in a few words."""


@asynccontextmanager
async def environment() -> AsyncIterator[tuple[Checkout, Mapping[str, str]]]:
    """Make an environment with the peers, gone at the end of the block; say why those are missing that are.

    The others are there even if one cannot be installed.
    """
    # What is interrupted leaves files behind: these are in the folder, too.
    with tempfile.TemporaryDirectory(prefix="farfalia-peers-") as folder:
        await output(HERE, "venv", f"{folder}/venv", seconds=_PATIENCE, temporary=folder)
        there, missing = interpreter(Path(folder) / "venv" / "bin" / "python"), {}
        for peer, steps in PEERS.items():
            try:
                for packages in steps:
                    await output(there, "pip", *_PIP, *packages, seconds=_PATIENCE, temporary=folder)
            except Missing as error:
                missing[peer] = str(error)
        yield there, missing


def interpreter(python: Path) -> Checkout:
    """Return this interpreter as one that has the tools, and nothing else of ours."""
    return Checkout(str(python), str(python), {"tools": OUR_TOOLS})


async def output(where: Checkout, module: str, *arguments: str, seconds: float, temporary: str | None = None) -> str:
    """Return the last line that `python -m module` prints; raises Missing if it fails or takes longer than this.

    It has this folder for temporary files, if there is one.
    """
    folder = tempfile.gettempdir() if temporary is None else temporary
    with tempfile.TemporaryFile() as log:
        async with python_process(module, *arguments, checkout=where, log=log, TMPDIR=folder) as process:
            try:
                code = await asyncio.wait_for(process.wait(), seconds)
            except TimeoutError:
                raise Missing(f"{module} took more than {seconds:.0f} s") from None
        log.seek(0)
        text = log.read().decode(errors="replace")
    if code:
        raise Missing(reason(text))
    return last_line(text)


def last_line(text: str) -> str:
    """Return the last line that is not empty, or nothing."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def reason(text: str) -> str:
    """Return why something has failed, in a few words: what pip means, or the last line."""
    if found := _NOTHING_FOUND.search(text):
        return f"pip found no {found[1]}; does it reach a package index?"
    return " ".join(last_line(text).removeprefix("ERROR: ").split())[:160].rstrip(". ") or "it said nothing"
