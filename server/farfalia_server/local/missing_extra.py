"""How to install an extra into the Python that runs this: another one's pip would not help."""

from __future__ import annotations

import shlex
import sys


def install_line(extra: str) -> str:
    """Return the command that adds an extra of this package, such as numpy, to the Python that lacks it."""
    return f"{shlex.quote(sys.executable)} -m pip install 'farfalia[{extra}]'"
