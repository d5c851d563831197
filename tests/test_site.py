"""The documentation as a site: it builds without a warning, and needs nothing from elsewhere."""

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from farfalia.v1 import play_pb2

ROOT = Path(__file__).resolve().parents[1]
#: What a browser loads by itself, by tag and attribute.
LOADED = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("img", "srcset"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
    ("use", "href"),
}
pytestmark = pytest.mark.slow


class Loaded(HTMLParser):
    """Collects the addresses of what a page loads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value for name, value in attrs if value and (tag, name) in LOADED]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it: a link that leads nowhere fails."""
    built = tmp_path_factory.mktemp("site")
    subprocess.run(["make", "--silent", "stub-tools"], check=True, cwd=ROOT)
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", built],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    return built


def loaded(site: Path) -> Iterator[tuple[Path, str]]:
    for page in site.rglob("*.html"):
        for address in Loaded(page.read_text()).addresses:
            yield page, address
    for sheet in (*site.rglob("*.css"), *site.rglob("*.svg")):
        for address in re.findall(r"url\(([^)]+)\)|@import\s+([^;]+)", sheet.read_text()):
            yield sheet, "".join(address).strip("\"' ")


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    addresses = list(loaded(site))
    assert any(address.endswith(".css") for _, address in addresses)
    assert [each for each in addresses if re.match(r"(\w+:)?//", each[1])] == []


def test_what_a_page_loads_is_there(site: Path) -> None:
    local = {(page.parent, re.split("[?#]", address)[0]) for page, address in loaded(site) if page.name != "404.html"}
    missing = [f"{folder / name}" for folder, name in local if name and not re.match(r"/|\w+:", name)]
    assert [path for path in missing if not Path(path).exists()] == []


@pytest.mark.parametrize(
    ("page", "package"),
    [("farfalia", "farfalia"), ("engine", "farfalia_engine"), ("tournaments", "farfalia_tournaments")],
)
def test_the_reference_has_every_public_name(site: Path, page: str, package: str) -> None:
    headings = re.findall(r'<h3 id="[\w.]+\.(\w+)"', (site / f"docs/reference/{page}.html").read_text())
    assert set(importlib.import_module(package).__all__) - set(headings) == set()


def test_the_page_of_the_contract_has_every_message_of_a_bots_stream(site: Path) -> None:
    page = (site / "proto/farfalia/v1/index.html").read_text()
    for message in play_pb2.DESCRIPTOR.message_types_by_name.values():
        assert f'id="{message.name}"' in page
        assert {field.name for field in message.fields if f"<code>{field.name}</code>" not in page} == set()
    assert "Who speaks. Needed in the first message and in no other." in page
