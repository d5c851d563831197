"""Whether this machine's clock agrees with that of another one."""

from __future__ import annotations

from farfalia_server.doctor.finding import Finding

#: Seconds that clocks may differ by. Deadlines and leases do not depend on it, times in records and logs do.
_MOST_SECONDS = 1.0


def check_clock(whose: str, before: float, theirs: float, after: float) -> Finding:
    """Compare the other clock, read between two looks at ours."""
    difference = theirs - min(max(theirs, before), after)
    name = f"clock ({whose})"
    if abs(difference) <= _MOST_SECONDS:
        return Finding.ok(name, f"The clock of the {whose} agrees with this machine's.")
    return Finding.warning(
        name,
        f"The clock of the {whose} is {abs(difference):.1f} s {'ahead' if difference > 0 else 'behind'}.",
        "Synchronise both machines with NTP.",
    )
