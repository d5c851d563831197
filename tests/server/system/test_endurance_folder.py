"""The folder of the long run: one that it cannot use is refused in a sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("full", "is not empty, it has sqlite; name a new one with --folder"),
        ("file", "cannot be used: File exists"),
    ],
)
def test_a_folder_that_cannot_be_used_is_a_sentence(tmp_path: Path, place: str, said: str) -> None:
    (tmp_path / "full" / "sqlite").mkdir(parents=True)
    (tmp_path / "file").write_text("")
    command = [sys.executable, "-m", "tests.endurance", "--matches", "1", "--folder", str(tmp_path / place)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr == f"endurance: the folder {tmp_path / place} {said}\n"
