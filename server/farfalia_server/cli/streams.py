"""Standard output and standard error, whatever terminal, pipe or file they are."""

import codecs
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper

from farfalia_server.contract.errors import FarfaliaServerError

#: What a disk, a quota or a device says that takes no more.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)


def _escape(error: UnicodeError) -> tuple[str, int]:
    r"""Write what an encoding lacks as \uXXXX, which JSON text may hold, too."""
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)), error.end


@contextmanager
def any_output() -> Iterator[None]:
    """Print any text within the block; FarfaliaServerError if standard output takes no more of it."""
    codecs.register_error("farfalia.escape", _escape)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="farfalia.escape")
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python writes what is left once more when it ends
        raise FarfaliaServerError(f"the output cannot be written: {(error.strerror or str(error)).lower()}") from None
