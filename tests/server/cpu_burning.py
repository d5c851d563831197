"""Work that costs a known amount of CPU time."""

from time import thread_time


def burn(seconds: float) -> None:
    """Use this much CPU time of this thread."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass
