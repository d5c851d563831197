"""Pictures that the server draws: SVG with the deck's symbols, and the same as PNG with a font of our own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from farfalia_engine.wording import CardFace

#: Pixels of a picture, as sites show those of pages that are linked to.
WIDTH, HEIGHT = 1200, 630
PAPER, INK, FAINT, LINE, ACCENT = "#fdfdfb", "#1d2321", "#5d6763", "#d9ddd8", "#7a2f93"
#: The light colours of the pages' style sheet, by suit or family.
_COLOURS: Final = {
    "S": "#b3202c",
    "L": "#22702f",
    "F": "#1b57b0",
    "O": "#a34d00",
    "B": "#7a2f93",
    "hearts": "#b3202c",
    "diamonds": "#b3202c",
}
_FOLDER: Final = Path(__file__).parent
_FONTS: Final = [str(_FOLDER / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]
_SYMBOL: Final = re.compile(r'<symbol id="icon-([\w-]+)" viewBox="([^"]+)"[^>]*>(.*?)</symbol>', re.S)
#: A colour of the style sheet with what stands in for it, which may be one as well.
_VARIABLE: Final = re.compile(r"var\(--([\w-]+)(?:,\s*([^()]+))?\)")
#: Mean width of a character, as a part of the height of the font: to know what fits.
_CHARACTER: Final = 0.6


@dataclass(slots=True)
class Drawing:
    """A picture that grows."""

    parts: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        room: float = 0,
        colour: str = INK,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """Write a line; what does not fit in `room` pixels is smaller, down to half the size, or cut."""
        if room and (fits := room / (_CHARACTER * max(1, len(text)))) < size:
            size = max(fits, size / 2)
            most = int(room / (_CHARACTER * size))
            text = text if len(text) <= most else f"{text[: most - 1]}…"
        weight = ' font-weight="700"' if bold else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{weight}>'
            f"{escape(_printable(text))}</text>"
        )

    def box(self, x: float, y: float, width: float, height: float, *, fill: str, line: str = "none") -> None:
        """Draw a rectangle with round corners."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{min(height, width) / 8:g}" '
            f'fill="{fill}" stroke="{line}" stroke-width="3"/>'
        )

    def symbol(self, name: str, x: float, y: float, size: float, *, colour: str = INK) -> None:
        """Draw a symbol of the deck in a square; nothing if there is none of this name."""
        if name in _symbols():
            box, content = _symbols()[name]
            self.parts.append(
                f'<svg x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}" viewBox="{box}" color="{colour}">'
                f"{content}</svg>"
            )

    def card(self, face: CardFace, x: float, y: float, width: float) -> None:
        """Draw a card, 5 wide and 7 high: its rank, its suit, and its family if that is another one."""
        height, letter = width * 7 / 5, face.family if face.wild else face.suit
        colour = _COLOURS.get(letter, INK)
        self.box(x, y, width, height, fill="#fff", line=ACCENT if face.butterfly else colour)
        rank = "W" if face.wild else face.text.removeprefix(face.suit).removesuffix("'")
        rank = rank if face.wild or face.suit in "SLFO" else face.text[:-1].replace("T", "10")
        self.text(x + width / 2, y + height * 0.34, rank, width * 0.4, colour=colour, anchor="middle", bold=True)
        self.symbol(letter, x + width * 0.2, y + height * 0.42, width * 0.6, colour=colour)
        if face.butterfly or face.wild:
            name = "W" if face.wild else "B"
            self.symbol(name, x + width * 0.66, y + height * 0.76, width * 0.28, colour=_COLOURS["B"])

    @property
    def svg(self) -> str:
        """The picture as a file."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="DejaVu Sans, system-ui, sans-serif"><rect width="{WIDTH}" height="{HEIGHT}" '
            f'fill="{PAPER}"/>{"".join(self.parts)}</svg>'
        )


def png(svg: str) -> bytes:
    """Return a picture as PNG; it takes some ten milliseconds, and reads no file that the picture names."""
    import resvg_py  # with its first picture, not with the server

    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=_FONTS)


@cache
def _symbols() -> dict[str, tuple[str, str]]:
    """Return the symbols of the deck by name: their box, and what is in it with colours that any viewer knows."""
    text = (_FOLDER / "templates" / "icons.svg").read_text()
    return {name: (box, _plain(content)) for name, box, content in _SYMBOL.findall(text)}


def _plain(content: str) -> str:
    while (plain := _VARIABLE.sub(_stand_in, content)) != content:
        content = plain
    return content


def _stand_in(variable: re.Match[str]) -> str:
    return "#fff" if variable[1] in ("card", "paper") else variable[2] or "currentColor"


def _printable(text: str) -> str:
    """Return a text without the characters that XML cannot hold."""
    return "".join(one for one in text if one.isprintable())
