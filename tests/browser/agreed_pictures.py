"""Lists pictures of pages that differ from those that were agreed on: `python -m tests.browser.agreed_pictures FOLDER`.

What was agreed is kept small, in `agreed_pictures.json`: of each page, size and scheme how tall it is, and how light it
is in each field of a grid. Each season has other cards and results, which is no difference: `--agree FOLDER FOLDER …`
keeps the pictures of the first folder, after somebody has looked at them, and how far those of the others are off.
"""

from __future__ import annotations

import argparse
import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from playwright.sync_api import Page
from tests.browser.chromium import chromium

KEPT = Path(__file__).with_suffix(".json")
#: Fields of the grid, across and down.
ACROSS, DOWN = 8, 16
#: How much more than by luck a picture differs: in steps of 16 of a field's lightness, and in parts of its height.
LIGHTER, TALLER = 0.25, 0.02
#: Few seasons do not show all that luck can do.
_MORE_LUCK = 1.5

_LOOK = """async ([picture, across, down]) => {
  const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const size = { resizeWidth: across, resizeHeight: down, resizeQuality: "high" };
  const small = await createImageBitmap(image, size);
  const canvas = new OffscreenCanvas(across, down).getContext("2d");
  canvas.drawImage(small, 0, 0);
  const { data } = canvas.getImageData(0, 0, across, down);
  const light = [];
  for (let at = 0; at < data.length; at += 4)
    light.push(0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]);
  const [low, high] = [Math.min(...light), Math.max(...light)];
  const digits = light.map((one) => Math.round((15 * (one - low)) / Math.max(high - low, 8)).toString(16));
  return { height: image.height, light: digits.join("") };
}"""


@dataclass(frozen=True, slots=True)
class Look:
    """What is kept of a picture: its height, and how light its fields are, as hexadecimal digits row by row.

    Luck alone makes pictures differ from an agreed one by `luck` in lightness, and by `tall` in height.
    """

    height: int
    light: str
    luck: float = 0.0
    tall: float = 0.0

    def lighter(self, other: Look) -> float:
        """Return how much fields differ, on average."""
        off = [abs(int(a, 16) - int(b, 16)) for a, b in zip(self.light, other.light, strict=True)]
        return sum(off) / len(off)

    def taller(self, other: Look) -> float:
        """Return how much heights differ, as a part of the height."""
        return abs(self.height - other.height) / self.height

    def among(self, others: Sequence[Look]) -> Look:
        """Return the same picture with what luck does, by pictures of other seasons."""
        luck, tall = max(map(self.lighter, others)), max(map(self.taller, others))
        return Look(self.height, self.light, round(luck, 2), round(tall, 3))

    def differs(self, other: Look) -> str:
        """Return in what a picture differs from this agreed one; empty if it is luck."""
        if self.taller(other) > _MORE_LUCK * self.tall + TALLER:
            return f"{other.height} pixels tall, not {self.height}"
        if (lighter := self.lighter(other)) > _MORE_LUCK * self.luck + LIGHTER:
            return f"fields lighter or darker by {lighter:.1f} of 16 on average, by luck {self.luck:.1f}"
        return ""


def look(page: Page, picture: bytes) -> Look:
    """Return what is kept of a picture; `page` is any page, which reads it."""
    return Look(**page.evaluate(_LOOK, [base64.b64encode(picture).decode(), ACROSS, DOWN]))


def differences(taken: Mapping[str, Look], agreed: Mapping[str, Look]) -> list[str]:
    """Return a line for each picture that differs from the agreed one, is new, or is missing."""
    found = []
    for name in sorted({*taken, *agreed}):
        if name not in agreed:
            found.append(f"{name}: new")
        elif name not in taken:
            found.append(f"{name}: not there any more")
        elif why := agreed[name].differs(taken[name]):
            found.append(f"{name}: {why}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="pictures of a season: `make pictures`")
    parser.add_argument(
        "--agree", action="store_true", help="keep those of the first folder; takes two folders or more"
    )
    asked = parser.parse_args()
    with chromium() as browser:
        page = browser.new_page()
        first, *others = [
            {file.stem: look(page, file.read_bytes()) for file in sorted(folder.glob("*.png"))}
            for folder in asked.folders
        ]
    if not first or not all(first.keys() == other.keys() for other in others) or asked.agree > len(others):
        parser.error("expected pictures in each folder, the same ones, and with --agree two folders or more")
    agreed = {name: Look(*values) for name, values in json.loads(KEPT.read_text()).items()} if KEPT.exists() else {}
    print("\n".join(differences(first, agreed)) or f"All {len(first)} pictures look as agreed.")
    if asked.agree:
        rows = [
            f'"{name}": {json.dumps(astuple(one.among([other[name] for other in others])))}'
            for name, one in first.items()
        ]
        KEPT.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
