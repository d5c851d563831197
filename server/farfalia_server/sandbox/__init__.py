"""Programs of strangers, run such that they harm nobody: what they reach is little, and what they use is limited.

Begin with `choice`: it chooses a driver, the way in which programs are confined, and starts programs with it. A
`RunningProgram` is watched until its `Ending`. `bubblewrap` is the driver that is used where it works; the others stand
beside it. This package knows nothing of bots.
"""

from farfalia_server.sandbox.choice import NAMES, NO_SANDBOX, Sandbox, choose
from farfalia_server.sandbox.ending import Ending, Limit
from farfalia_server.sandbox.program import Limits, Program
from farfalia_server.sandbox.running import RunningProgram

__all__ = ["NAMES", "NO_SANDBOX", "Ending", "Limit", "Limits", "Program", "RunningProgram", "Sandbox", "choose"]
