"""Forms with files: these arrive before the rest of the form can be checked, so the proof comes first."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from python_multipart.exceptions import FormParserError
from starlette.datastructures import Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from farfalia_server.contract.said import said
from farfalia_server.web.forms import PROOF, Visitor, check_origin, check_proof
from farfalia_server.web.incoming import IncomingBody

_FORM = "multipart/form-data"
#: Most files and other fields of a form, and bytes of the first part, which is the proof.
_MOST_FILES, _MOST_FIELDS, _PROOF = 200, 20, 200


def check_is_file_form(request: Request) -> None:
    """Look at what can be told of a form before it is read: HTTPException (415), PermissionDenied (FORM_FOREIGN)."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise HTTPException(415, said("expected %(expected)s", expected=_FORM))
    check_origin(request)


async def file_form_of(
    request: Request, visitor: Visitor, body: IncomingBody
) -> tuple[dict[str, str], list[UploadFile]]:
    """Return the fields of a form of ours, and its files, which the caller closes.

    Nothing of a file is kept before the proof is there: PermissionDenied (FORM_FOREIGN) if that is of another page.
    HTTPException (413, 408, 400) if the form is too long, comes too slowly or cannot be read.
    """
    parser = _OurForm(request.headers, body.parts(), visitor)
    try:
        found = await parser.parse()
    except (MultiPartException, FormParserError) as error:
        raise HTTPException(
            400, said("the form cannot be read: %(error)s", error=getattr(error, "message", error))
        ) from None
    parser.check()
    fields = {name: value for name, value in found.multi_items() if isinstance(value, str)}
    return fields, [value for _, value in found.multi_items() if not isinstance(value, str)]


class _OurForm(MultiPartParser):
    """Reads a form whose first part is the visitor's proof, and refuses any other at that part."""

    def __init__(self, headers: Headers, stream: AsyncGenerator[bytes, None], visitor: Visitor) -> None:
        super().__init__(headers, stream, max_files=_MOST_FILES, max_fields=_MOST_FIELDS)
        self._visitor = visitor
        self._first = 0

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Take some of a part."""
        if not self.items:
            self._first += end - start
            if self._first > _PROOF:
                check_proof("", self._visitor)
        super().on_part_data(data, start, end)

    def on_part_end(self) -> None:
        """Look at the first part, once it is whole."""
        super().on_part_end()
        if len(self.items) == 1:
            self.check()

    def check(self) -> None:
        """Raise PermissionDenied (FORM_FOREIGN) unless the first part is the proof."""
        name, value = self.items[0] if self.items else ("", "")
        check_proof(value if name == PROOF and isinstance(value, str) else "", self._visitor)
