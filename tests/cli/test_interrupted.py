"""Ctrl-C before a command has begun."""

import os
import signal
import subprocess
import sys
from pathlib import Path

#: Stands in for a library that takes its time to import, and catches what happens meanwhile.
SLOW = """
import sys, time
print("importing", flush=True)
try:
    time.sleep(60)
except KeyboardInterrupt:
    pass
"""


def test_ctrl_c_while_modules_are_imported_ends_the_command_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text(SLOW)
    with subprocess.Popen(
        [sys.executable, "-m", "farfalia_server", "version"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        assert command.stdout.readline() == "importing\n"
        command.send_signal(signal.SIGINT)
        assert command.wait(60) == -signal.SIGINT
        assert command.stderr.read() == ""
