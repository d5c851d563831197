"""What an operator would look at if a server does not start, or does not do well: `farfalia doctor`.

Begin with `examination`, which asks all others. Each of them returns findings: what was looked at, how it is, and how
to fix it.
"""

from farfalia_server.doctor.examination import examine
from farfalia_server.doctor.finding import Finding, FindingState

__all__ = ["Finding", "FindingState", "examine"]
