"""The networks that the package has: which games each plays, and the file that they are in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final
from zipfile import is_zipfile

import numpy as np

from farfalia.learning.policy_network import PolicyNetwork, from_arrays

#: Games by network: those of five players have one.
GAMES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "five": ("basic", "chinkway", "five-hand"),
    "four": ("four",),
    "three": ("three",),
    "three-short": ("three-short",),
    "two": ("two",),
    "farrago": ("farrago",),
}
#: The network of each game.
NETWORK_OF: Final = {game: network for network, games in GAMES_OF.items() for game in games}
#: Where they are.
FILE: Final = Path(__file__).resolve().parent / "learned.npz"


@cache
def network_for(game: str, file: Path = FILE) -> PolicyNetwork | None:
    """Return the network in a file that plays this game, None if there is none; OSError if the file is not there."""
    name = NETWORK_OF.get(game)
    with np.load(file) as stored:
        arrays = {key.partition("/")[2]: stored[key] for key in stored.files if key.startswith(f"{name}/")}
    return from_arrays(arrays) if arrays else None


def store(networks: Mapping[str, PolicyNetwork], file: Path) -> None:
    """Write networks by name to a file; those that it has already and are not given stay.

    Raises OSError, and ValueError if the file holds something else.
    """
    arrays: dict[str, Any] = {}
    if file.exists():
        if not is_zipfile(file):
            raise ValueError("it is no .npz file")
        with np.load(file) as stored:
            arrays = {key: stored[key] for key in stored.files if key.partition("/")[0] not in networks}
    for name, network in networks.items():
        arrays |= {f"{name}/{key}": array for key, array in network.arrays().items()}
    with file.open("wb") as output:
        np.savez_compressed(output, **arrays)
