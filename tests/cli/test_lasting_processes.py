"""`--lasting-processes` of `farfalia run` and `farfalia compare`: programs without memory keep their process."""

import json
from pathlib import Path

from tests.cli.bots import LOW, MINDFUL
from tests.cli.command import Command

#: Answers otherwise each time that it sees a hand again.
REMEMBERING = LOW.replace("class", "seen = []\n\nclass").replace(
    "        return min(view.legal",
    "        seen.append(bytes(view.hand))\n        return (max if seen.count(seen[-1]) > 1 else min)(view.legal",
)


def test_a_program_without_memory_may_keep_its_process(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "mindful.py").write_text(MINDFUL)
    run = ("run", "--bot", "mindful.py", "--bot", "greedy", "--rounds", 1, "--game", "three", "--lasting-processes")
    done = farfalia(*run, "--keep", "kept", "--json", "out.json")
    assert done.returncode == 0, done.stderr
    assert "mindful may keep its process: " in done.stderr
    seated = [
        line.split() for line in (tmp_path / "kept/output/mindful.log").read_text().splitlines() if "seen" in line
    ]
    assert [words[-1] for words in seated] == ["1", "2", "3"]
    assert len({process for _, process, *_ in seated}) == 1
    tournament = json.loads((tmp_path / "out.json").read_text())["tournament"]
    assert (tournament["boards"], tournament["finished"]) == ("BOARDS_ROTATIONS", 3)


def test_a_program_that_remembers_may_not(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "remembering.py").write_text(REMEMBERING)
    said = farfalia.refused("run", "--bot", "remembering.py", "--bot", "greedy", "--lasting-processes")
    assert "remembering needs a process for each match: " in said
    assert "it remembers, or draws at random, as it may; leave --lasting-processes out" in said


def test_a_program_in_a_sandbox_is_not_asked_whether_it_remembers(farfalia: Command) -> None:
    said = farfalia.refused("compare", "greedy", "random", "--lasting-processes", "--sandbox", "auto", code=2)
    assert "--lasting-processes trusts programs to hide no memory" in " ".join(said.split())
