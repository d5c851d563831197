"""How a program is started: what farfalia.toml says, what is obvious without it, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting.manifest import LARGEST, Manifest, read_manifest


def folder_of(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / name.replace("_", ".")).write_text(text)
    return tmp_path


def test_a_manifest_says_how_the_program_is_started(tmp_path: Path) -> None:
    text = 'runtime = "native"\ncommand = ["./bot", "--fast"]\nbuild = ["make"]\ngames = ["four"]\nmemory_mb = 64\n'
    folder = folder_of(tmp_path, farfalia_toml=text)
    assert read_manifest(folder) == Manifest("native", ("./bot", "--fast"), ("make",), ("four",), 64)


def test_without_a_manifest_bot_py_is_started_by_python(tmp_path: Path) -> None:
    assert read_manifest(folder_of(tmp_path, bot_py="")) == Manifest("python", ("python", "bot.py"))


def test_wheels_that_a_folder_brings_are_installed(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, bot_py="", requirements_txt="numpy\n")
    assert read_manifest(folder).build == ()
    (folder / "wheels").mkdir()
    assert "--no-index" in read_manifest(folder).build


def test_a_package_json_is_started_by_node(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, package_json='{"main": "my.js"}', my_js="")
    assert read_manifest(folder) == Manifest("node", ("node", "my.js"))


def test_the_only_executable_file_is_started(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, bot="#!/bin/sh\n", data="x")
    (folder / "bot").chmod(0o755)
    assert read_manifest(folder) == Manifest("native", ("./bot",))


def test_a_manifest_may_leave_out_what_is_obvious(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, farfalia_toml='games = ["three"]\n', bot_py="")
    assert read_manifest(folder) == Manifest("python", ("python", "bot.py"), games=("three",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("runtime = ", "is not TOML"),
        ('runtime = "ruby"\ncommand = ["ruby"]\n', "expected python, node, native"),
        ('comand = ["x"]\n', "has 'comand'; expected runtime, command, build, games, memory_mb"),
        ('command = "python bot.py"\n', "expected a list of texts"),
        ("command = [1]\n", "expected a list of texts"),
        ('runtime = "native"\ncommand = ["./x"]\ngames = ["chess"]\n', "has 'chess'; expected some of"),
        (
            'runtime = "native"\ncommand = ["./x"]\nmemory_mb = 999999\n',
            "memory_mb in farfalia.toml is 999999",
        ),
        ('runtime = "native"\n', "it is not clear what to start"),
    ],
)
def test_a_manifest_with_a_mistake_is_refused_with_what_was_expected(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(ProgramError) as refusal:
        read_manifest(folder_of(tmp_path, farfalia_toml=text))
    assert expected in str(refusal.value)


def test_a_manifest_of_ten_megabytes_is_not_read(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, farfalia_toml="#" * (10 << 20))
    with pytest.raises(ProgramError, match=f"expected at most {LARGEST}"):
        read_manifest(folder)


def test_a_manifest_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "farfalia.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ProgramError, match="is not UTF-8"):
        read_manifest(tmp_path)
