"""What other processes learn of this one: our children get none of our settings, and Linux tells nobody of them."""

from __future__ import annotations

import ctypes
import os
import sys

from farfalia_server import PREFIX

#: PR_SET_DUMPABLE of <linux/prctl.h>.
_SET_DUMPABLE = 4


def without_settings() -> dict[str, str]:
    """Return the environment without our own settings, among which are the admin token and passwords."""
    return {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX)}


def hide() -> None:
    """Keep other programs of this user from reading our environment and files in /proc, and from tracing us.

    Does nothing where there is no Linux, and does not help against root.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)
