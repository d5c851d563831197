"""Style sheets, scripts and pictures, at addresses that change with what is in them."""

from __future__ import annotations

import hashlib
import mimetypes
import os
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

#: The cache-control of files whose address changes with their content: they never expire, on any server.
FOR_GOOD = "public, max-age=31536000, immutable"
#: Where they are.
FOLDER = Path(__file__).with_name("static")
#: Comments with lines of their own: types and explanations, a fifth of what a page with a table would load.
_COMMENTS: Final = re.compile(rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE)
_INDENTATION: Final = re.compile(rb"^[ \t]+", re.MULTILINE)


class StaticAddresses:
    """The files of a folder below one address, which has a digest of all of them.

    What they import from each other or show is named relative to themselves, so it has the same digest. A page that was
    made before an upgrade finds its own files in the browser's cache or none, never those of another version.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        digest = hashlib.sha256()
        for file in sorted(folder.iterdir()):
            digest.update(f"{file.name} {file.stat().st_size} ".encode() + file.read_bytes())
        self._path = f"/static/{digest.hexdigest()[:12]}"

    def __call__(self, name: str) -> str:
        """Return the address of a file; FileNotFoundError if there is none."""
        if not (self._folder / name).is_file():
            raise FileNotFoundError(f"no file static/{name}")
        return f"{self._path}/{name}"

    def mount(self) -> Mount:
        """Return the route to all of them."""
        return Mount(self._path, _CachedFiles(directory=self._folder))


def without_comments(text: bytes) -> bytes:
    """Return a script or a style sheet without indentation and those comments that have lines of their own.

    >>> without_comments(b"/* Adds.\\n   Slowly. */\\n  add(1, /* not */ 2); // two\\n")
    b'add(1, /* not */ 2); // two\\n'
    """
    return _INDENTATION.sub(b"", _COMMENTS.sub(b"", text))


@cache
def _shipped(path: str) -> bytes:
    return without_comments(Path(path).read_bytes())


class _CachedFiles(StaticFiles):
    def file_response(self, full_path: str | os.PathLike[str], *given: Any, **named: Any) -> Response:
        path = os.fspath(full_path)
        if path.endswith((".js", ".css")):
            answer = Response(_shipped(path), media_type=mimetypes.guess_type(path)[0])
        else:
            answer = super().file_response(full_path, *given, **named)
        answer.headers["cache-control"] = FOR_GOOD
        return answer
