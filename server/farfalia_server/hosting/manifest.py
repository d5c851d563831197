"""How a handed-in program is started: what its `farfalia.toml` says or, without one, what is obvious."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from farfalia_engine import GAMES
from farfalia_server.contract.errors import ProgramError
from farfalia_server.contract.untrusted import quoted

NAME: Final = "farfalia.toml"
#: Bytes that it may have.
LARGEST: Final = 64 << 10
RUNTIMES: Final = ("python", "node", "native")
#: Memory of a program that wishes for none, and the most that it may wish for, in megabytes.
MEMORY_MB, MOST_MEMORY_MB = 512, 4096
_KEYS = {"runtime": str, "command": list, "build": list, "games": list, "memory_mb": int}


@dataclass(frozen=True, slots=True)
class Manifest:
    """How a program is started; `build` is run once before, and is empty for none. `games` is empty for all."""

    runtime: str
    command: tuple[str, ...]
    build: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    memory_mb: int = MEMORY_MB


def read_manifest(folder: Path) -> Manifest:
    """Return how the program in a folder is started; ProgramError, with what was expected."""
    path = folder / NAME
    if not path.is_file():
        return _obvious(folder)
    size = path.stat().st_size
    if size > LARGEST:
        raise ProgramError(f"{NAME} has {size} bytes; expected at most {LARGEST}")
    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise ProgramError(f"{NAME} is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ProgramError(f"{NAME} is not TOML: {error}") from None
    return _checked(told, folder)


def _checked(told: Mapping[str, Any], folder: Path) -> Manifest:
    for key, value in told.items():
        if key not in _KEYS:
            raise ProgramError(f"{NAME} has {quoted(key)}; expected {', '.join(_KEYS)}")
        if not isinstance(value, _KEYS[key]) or (isinstance(value, list) and not _is_words(value)):
            kind = {str: "a text", list: "a list of texts", int: "a number"}[_KEYS[key]]
            raise ProgramError(f"{key} in {NAME} is {quoted(str(value))}; expected {kind}")
    runtime = told.get("runtime", "")
    command = tuple(told.get("command", ()))
    obvious = None if runtime and command else _obvious(folder)
    runtime = runtime or (obvious.runtime if obvious is not None else "")
    if runtime not in RUNTIMES:
        raise ProgramError(f"runtime in {NAME} is {quoted(runtime)}; expected {', '.join(RUNTIMES)}")
    for game in told.get("games", ()):
        if game not in GAMES:
            raise ProgramError(f"games in {NAME} has {quoted(game)}; expected some of {', '.join(sorted(GAMES))}")
    memory = told.get("memory_mb", MEMORY_MB)
    if not 16 <= memory <= MOST_MEMORY_MB:
        raise ProgramError(f"memory_mb in {NAME} is {memory}; expected 16 to {MOST_MEMORY_MB}")
    return Manifest(
        runtime,
        command or (obvious.command if obvious is not None else ()),
        tuple(told.get("build", ())) or (obvious.build if obvious is not None else ()),
        tuple(told.get("games", ())),
        memory,
    )


def _is_words(value: list[Any]) -> bool:
    return all(isinstance(word, str) and word and "\0" not in word for word in value)


def _obvious(folder: Path) -> Manifest:
    """Return what a folder without a manifest can only mean."""
    if (folder / "bot.py").is_file():
        wheels = (folder / "wheels").is_dir() and (folder / "requirements.txt").is_file()
        install = ("python", "-m", "pip", "install", "--quiet", "--no-index", "--find-links", "wheels")
        build = (*install, "--target", ".packages", "--requirement", "requirements.txt") if wheels else ()
        return Manifest("python", ("python", "bot.py"), build)
    if (folder / "package.json").is_file():
        return Manifest("node", ("node", _main_of(folder)))
    for name in ("bot.mjs", "bot.js"):
        if (folder / name).is_file():
            return Manifest("node", ("node", name))
    programs = [one.name for one in sorted(folder.iterdir()) if one.is_file() and os.access(one, os.X_OK)]
    if len(programs) == 1:
        return Manifest("native", (f"./{programs[0]}",))
    found = "none" if not programs else ", ".join(programs[:5])
    raise ProgramError(
        f"it is not clear what to start: expected bot.py, package.json, bot.mjs, one executable file (there is "
        f"{found}), or a {NAME} with runtime and command"
    )


def _main_of(folder: Path) -> str:
    try:
        told = json.loads((folder / "package.json").read_text("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise ProgramError("package.json is not JSON") from None
    main = told.get("main") if isinstance(told, dict) else None
    for name in (main, "bot.mjs", "bot.js", "index.js"):
        if isinstance(name, str) and (folder / name).is_file():
            return name
    raise ProgramError("package.json names no `main` that is there; expected the file to start")
