"""Folders to begin a bot with, in languages without an SDK: each builds from itself alone and keeps the contract."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from tests.cli.command import Command

from farfalia_server.hosting.archives import unpack
from farfalia_server.hosting.manifest import read_manifest
from farfalia_server.hosting.packing import pack

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "clients"
#: By folder: the programs that building it takes, the command that builds it, and the one that starts it there.
STARTERS = {
    "go": (("go", "make", "protoc"), "make", "./bot"),
    "typescript": (("node", "npm"), "npm ci", "node dist/bot.js"),
    "rust": (("cargo", "protoc"), "cargo build --release --locked", "./target/release/bot"),
    "java": (("java", "mvn"), "mvn -q package", "java -jar target/bot.jar"),
    "cpp": (("cmake", "g++", "grpc_cpp_plugin", "make", "pkg-config", "protoc"), "make", "build/bot"),
}
#: Those that an arena cannot run: its hosts have neither Java nor the libraries of gRPC.
CONNECTED = {"java", "cpp"}
#: What cargo, Go, Maven and npm say where their registries cannot be reached.
UNREACHED = re.compile(
    r"failed to (download|fetch|query|get `)|(could not|couldn't) resolve host|dial tcp|i/o timeout"
    r"|TLS handshake timeout|could not transfer|connection timed out|unknown host|ENOTFOUND|ECONNREFUSED|ECONNRESET"
    r"|ETIMEDOUT|EAI_AGAIN|403 Forbidden",
    re.IGNORECASE,
)
#: Seconds that a build may take, packages from the net included.
PATIENCE = 1800


def kept_in(folder: Path) -> list[Path]:
    """The files of a folder that are in the repository."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "."]
    told = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    return [Path(line) for line in told.splitlines()]


def works(tool: str) -> bool:
    """Whether a program is there; rustup's `cargo` also has to have a toolchain, which is another home's perhaps."""
    if shutil.which(tool) is None:
        return False
    return tool != "cargo" or subprocess.run([tool, "--version"], capture_output=True).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("language", STARTERS)
def test_a_starter_builds_and_keeps_the_contract(language: str, tmp_path: Path) -> None:
    tools, build, start = STARTERS[language]
    missing = [tool for tool in tools if not works(tool)]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed")
    folder = tmp_path / "built"
    for name in kept_in(CLIENTS / language):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CLIENTS / language / name, folder / name)
    built = subprocess.run(build.split(), cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    told = built.stdout + built.stderr
    if built.returncode and UNREACHED.search(told):
        pytest.skip(f"its packages cannot be fetched here: {told[-200:]}")
    assert built.returncode == 0, told[-3000:]
    if language not in CONNECTED:
        (tmp_path / "archive").write_bytes(pack(folder))
        folder = tmp_path / "handed in"
        unpack(tmp_path / "archive", folder)
    done = Command(folder)("conform", "--bot", start)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " skipped" not in done.stdout


@pytest.mark.parametrize(
    "said",
    [
        "error: failed to get `ring` as a dependency of package `bot`",
        "[6] Couldn't resolve host name (Could not resolve host: index.crates.io)",
        "Get https://proxy.golang.org/: net/http: TLS handshake timeout",
        "read tcp 10.0.0.2:4: i/o timeout",
        "npm error code ETIMEDOUT",
        "npm error code EAI_AGAIN",
        "npm error network read ECONNRESET",
        "Connect to repo.maven.apache.org:443 failed: Connection timed out",
    ],
)
def test_a_registry_that_is_not_reached_is_recognised(said: str) -> None:
    assert UNREACHED.search(said)


@pytest.mark.parametrize(
    "said", ["error[E0433]: failed to resolve", "error: could not compile `bot`", "spurious network error"]
)
def test_a_fault_of_the_build_is_no_registry_that_is_not_reached(said: str) -> None:
    assert not UNREACHED.search(said)


def test_the_bot_in_rust_compiles_with_fields_that_the_contract_gets_later() -> None:
    source = (CLIENTS / "rust" / "src" / "main.rs").read_text()
    literals = re.findall(r"farfalia::[A-Z]\w+ \{[^{}]*\}", source)
    assert literals
    assert [one for one in literals if "..Default::default()" not in one] == []


@pytest.mark.parametrize("language", STARTERS)
def test_a_starter_says_how_it_is_built_and_handed_in(language: str) -> None:
    _, build, start = STARTERS[language]
    folder = CLIENTS / language
    assert f"\n{build} " in (folder / "README.md").read_text()
    assert (folder / "farfalia.toml").exists() == (language not in CONNECTED)
    if language in CONNECTED:
        return
    assert set(tomllib.loads((folder / "farfalia.toml").read_text())) >= {"runtime", "command"}
    assert read_manifest(folder).command == tuple(start.split())


def test_every_folder_with_the_contract_has_it_as_it_is() -> None:
    folders = {path.parents[2].parent.name for path in CLIENTS.glob("*/proto/farfalia/v1/play.proto")}
    assert folders == {"node", *STARTERS}
    for path in CLIENTS.glob("*/proto/**/*.proto"):
        assert path.read_text() == (ROOT / "proto" / "farfalia" / "v1" / path.name).read_text(), "run `make proto`"
