"""The notebook that trains from records does what it says: it plays, exports, learns, and beats those who do not."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "clients" / "python" / "examples" / "from_records.py"
MARGIN = re.compile(r"against (\w+), (.+) makes ([+-][\d.]+) ± ([\d.]+) points per match above the mean")


def cells() -> list[tuple[str, str]]:
    """The cells of the notebook: whether each is text or code, and what it holds."""
    _, *parts = re.split(r"^# %%( \[markdown\])?\n", NOTEBOOK.read_text(), flags=re.MULTILINE)
    return [("text" if kind else "code", held) for kind, held in zip(parts[::2], parts[1::2], strict=True)]


def test_every_cell_of_code_comes_after_what_it_is_about() -> None:
    kinds = [kind for kind, _ in cells()]
    assert kinds == ["text", "code"] * (len(kinds) // 2)
    assert all(line.startswith("#") for kind, held in cells() if kind == "text" for line in held.split("\n") if line)


@pytest.mark.slow
def test_the_notebook_runs_from_matches_to_a_bot_that_has_learned(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, NOTEBOOK],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r"epoch \d+: it does what cautious did in ([\d.]+)%", done.stdout)
    assert float(found[-1]) > float(found[0])
    margins = {(against, who): (float(mean), float(error)) for against, who, mean, error in MARGIN.findall(done.stdout)}
    assert margins.keys() == {(one, who) for one in ("random", "greedy") for who in ("the imitator", "cautious")}
    mean, error = margins["random", "the imitator"]
    assert mean > 3 * error
