"""The catalogues of the other languages, as translators write them: `locale/CODE/LC_MESSAGES/farfalia.po`.

They are read as they are, once in a process, so that nothing has to be built in a checkout or a wheel.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

#: The folder of all catalogues.
FOLDER: Final = Path(__file__).parents[1] / "locale"


def catalogue_file(code: str) -> Path:
    """Return where the catalogue of a language is."""
    return FOLDER / code / "LC_MESSAGES" / "farfalia.po"


@cache
def catalogue(code: str) -> NullTranslations:
    """Return the catalogue of a language, without what a translator has marked as uncertain; OSError if it has none."""
    # A terminal speaks English alone, and a bot's computer has no Babel.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with catalogue_file(code).open("rb") as file:
        write_mo(compiled, read_po(file, locale=code))
    compiled.seek(0)
    return GNUTranslations(compiled)
