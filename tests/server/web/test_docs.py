"""The documents of the repository as pages: all of them, with links that hold, cards, pictures and a reference."""

from __future__ import annotations

import importlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.browser.tour import BYTES, HEIGHT, WIDTH
from tests.server.web_site import Site, words

from farfalia_engine import GAMES
from farfalia_server.web.card_figures import rows
from farfalia_server.web.document_markdown import DocumentBody, document_body
from farfalia_server.web.documents import Documents, documents
from farfalia_server.web.picture_size import picture_size
from farfalia_server.web.python_reference import with_reference
from farfalia_server.web.wheel import documents as files_of_documents

ROOT = Path(__file__).resolve().parents[3]
ADDRESSES = ["/docs/", *(one.address for one in documents().listed)]
RULES = (ROOT / "docs/rules.md").read_text()
#: The tricks of a deal in the rules, and the figures that show one of them.
TABLES = re.compile(r"^trick .*\n(?:\d+ .*\n)+", re.MULTILINE)
SHOWN_TRICKS = re.findall(r"^Trick (\d+): (.+)$", RULES, re.MULTILINE)


class Links(HTMLParser):
    """Where the links of a page lead, what it loads, and the ids that it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.loaded: list[str] = []
        self.pictures: list[dict[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag == "a" and "href" in given else []
        if tag == "img":
            self.pictures.append(given)
        names = {"img": "src", "source": "srcset", "script": "src", "link": "href"}
        self.loaded += [given[names[tag]] or ""] if names.get(tag) in given else []


def body(text: str, path: str = "docs/a.md") -> DocumentBody:
    """What a document with this text becomes, beside a document B, a picture and a download."""
    listed = b"- [A](a.md): one\n- [B](b.md): two\n- [C](../clients/README.md): three\n"
    texts = {"docs/README.md": listed, "docs/a.md": b"", "docs/b.md": b"", "clients/README.md": b""}
    pictures = {"docs/assets/a.svg": b'<svg viewBox="0 0 30 20">', "docs/assets/a.dark.svg": b""}
    there = Documents(texts | pictures, {"clients/node/bot.mjs": b"", "clients/README.md": b""})
    return document_body(text, there, path, picture=lambda path: f"/static/{path[12:]}", cards=lambda block: "[cards]")


async def test_every_document_of_the_repository_is_listed_with_its_title_and_shown(site: Site) -> None:
    written = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")} - {"docs/README.md"}
    listed = documents().listed
    assert {one.path for one in listed} == written | {"clients/README.md", "clients/node/README.md"}
    page = (await site.get("/docs/")).text
    for one in listed:
        assert f'<a href="{one.address}">' in page
        assert one.title == documents().text(one.path).partition("\n")[0].removeprefix("# ")
        assert one.line
        assert one.group


async def test_every_link_and_anchor_of_every_document_leads_somewhere(site: Site) -> None:
    found = {address: Links((await site.get(address)).text) for address in ADDRESSES}
    for address, page in found.items():
        assert len(page.ids) == len(set(page.ids)), address
        for link in page.links:
            path, _, anchor = link.partition("#")
            if re.match(r"https?:", link):
                continue
            if path and path not in found:
                found_there = Links((await site.get(path)).text)
                assert not anchor or anchor in found_there.ids, f"{address}: {link}"
            elif anchor:
                assert anchor in found[path or address].ids, f"{address}: {link}"


async def test_documents_load_only_what_this_server_has_and_know_the_size_of_pictures(site: Site) -> None:
    loaded: set[str] = set()
    for address in ADDRESSES:
        text = (await site.get(address)).text
        page = Links(text)
        loaded |= set(page.loaded)
        for picture in page.pictures[1:]:  # the first is the sign of the site
            assert picture["alt"]
            assert int(picture["width"] or 0) > 100 < int(picture["height"] or 0)
        assert not re.search(r"<script|<style| style=| on\w+=", text), address
    assert [one for one in loaded if not one.startswith("/static/")] == []
    for path in loaded:
        assert (await site.get(path)).headers["cache-control"].endswith("immutable")


async def test_each_document_has_a_title_and_a_description_of_its_own_and_shows_no_markup(site: Site) -> None:
    heads: set[str] = set()
    for address in ADDRESSES:
        page = (await site.get(address)).text
        title, described = re.findall(
            r"<title>(.*?)</title>|<meta name=\"description\" content=\"([^\"]{20,300})\">", page
        )
        heads |= {title[0], described[1]}
        assert len(re.findall("<h1>", page)) == 1
        shown = re.sub(r"<(pre|code).*?</\1>", "", page, flags=re.DOTALL)
        assert not re.search(r"&lt;!--|&lt;a id|^```|^:::|\]\(", words(shown)), address
    assert len(heads) == 2 * len(ADDRESSES)


async def test_a_document_is_sent_once_and_made_once(site: Site) -> None:
    first = await site.get("/docs/rules")
    assert "immutable" in first.headers["cache-control"]
    again = await site.client.get("/docs/rules", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304


async def test_what_is_no_document_is_named(site: Site) -> None:
    for name in ("nothing", "rules.md", "assets/architecture.svg", "../README"):
        assert (await site.client.get(f"/docs/{name}")).status_code == 404, name
    assert "There is no document 'nothing'; /docs/ lists all" in await site.text("/docs/nothing", 404)


async def test_every_page_leads_to_the_documents_and_each_document_to_its_neighbours(site: Site) -> None:
    assert '<a href="/docs/">' in (await site.get("/matches")).text
    before, document, after = documents().listed[:3]
    page = (await site.get(document.address)).text
    assert f'<a rel="prev" href="{before.address}">' in page
    assert f'<a rel="next" href="{after.address}">' in page
    assert '<a href="/docs/" aria-current="page">' in page


async def test_pages_lead_to_the_document_that_says_more(site: Site) -> None:
    for page, link in {
        "/": "/docs/tutorial",
        "/rules": "/docs/rules",
        "/rules/three-short": "/docs/rules#three-short",
        "/downloads/": "/docs/bots",
        "/api": "/docs/watching",
        "/contract/Role": "/docs/accounts",
        "/contract/DealSource": "/docs/deals",
    }.items():
        assert link in Links((await site.get(page)).text).links, page
    assert set(GAMES) <= set(Links((await site.get("/docs/rules")).text).ids)


def test_links_are_those_of_the_pages_and_of_what_only_the_repository_has_the_text_is_left() -> None:
    text = "# A\n[b](b.md#x) [c](../clients) [d](../clients/node/bot.mjs) [e](../Makefile#l) [f](https://x.example)"
    text += " [g](#a)"
    links = Links(body(text).html)
    assert links.links == ["/docs/b#x", "/docs/clients", "/downloads/clients/node/bot.mjs", "https://x.example", "#a"]
    assert words(body(text).html) == "b c d e f g"
    assert Links(body("# A\n[a](../docs/a.md)", "clients/README.md").html).links == ["/docs/a"]
    assert words(body("# A\n[b.md](b.md#x) [docs/b.md](b.md) [the B](b.md) [Makefile.md](../Makefile.md)").html) == (
        "B B the B Makefile.md"
    )
    assert "javascript:" not in Links(body("# A\n[a](javascript:alert%281%29)").html).links


def test_html_passes_only_as_an_anchor() -> None:
    html = body(
        '# A\n<!-- a note -->\n\n- <a id="F1"></a>**F1** <b onclick="x">x</b>\n\n<script>alert(1)</script>'
    ).html
    assert '<a id="F1"></a><strong>F1</strong>' in html
    assert "note" not in html
    assert "&lt;script&gt;" in html
    assert not re.search(r"<(b|script)\b", html)


def test_headings_have_the_ids_that_github_gives_them() -> None:
    made = body("# A\n## Burnin' Down the House\n### What `x_y` is: (1)\n## A\n## [b](b.md)")
    assert [one.id for one in made.headings] == ["burnin-down-the-house", "what-x_y-is-1", "a-1", "b"]
    assert '<h2 id="a-1"><a href="#a-1">A</a></h2>' in made.html
    assert '<h2 id="b"><a href="/docs/b">b</a></h2>' in made.html


def test_wide_code_and_tables_are_scrolled_by_the_keyboard_and_have_names() -> None:
    made = body(f"# A\n## T\n| | n |\n|---|--:|\n| a | 1 |\n\n| a |\n|---|\n| b |\n\n```sh\n{'x' * 60}\n```\n").html
    assert re.findall(r'role="region" aria-label="(.*?)" tabindex="0"', made) == ["T", "T, 2"]
    assert '<th scope="col" class="n">n</th>' in made
    assert "<th></th>" not in made.replace(' scope="col"', "")
    assert '<pre tabindex="0"><code>xxx' in made


def test_a_picture_has_its_size_and_one_for_dark_screens() -> None:
    assert body("# A\n![a picture](assets/a.svg)").html == (
        '<p><picture><source srcset="/static/a.dark.svg" media="(prefers-color-scheme: dark)" width="30" height="20">'
        '<img src="/static/a.svg" alt="a picture" width="30" height="20" loading="lazy"></picture></p>\n'
    )


def test_screenshots_are_few_and_small_and_come_in_both_schemes() -> None:
    shots = {name: content for name, content in files_of_documents().items() if name.endswith(".webp")}
    light = {name.removesuffix(".webp") for name in shots if not name.endswith(".dark.webp")}
    assert light == {name.removesuffix(".dark.webp") for name in shots if name.endswith(".dark.webp")}
    assert 0 < len(light) <= 6
    assert max(map(len, shots.values())) <= BYTES
    assert {picture_size(content) for content in shots.values()} == {(WIDTH, HEIGHT)}


def test_a_block_of_cards_says_what_each_card_is() -> None:
    [row, other] = rows("Trick 1: S10 (2 leads) WB 7S' (0 wins)\nProposal: B\n")
    assert row.title == "Trick 1"
    assert [(one.words, one.note, one.won) for one in row.cards] == [
        ("10 of strawberries, a butterfly", "2 leads", False),
        ("wild card, burns butterflies", "", False),
        ("7 of spades, the second one", "0 wins", True),
    ]
    assert [one.words for one in other.cards] == ["butterfly"]
    with pytest.raises(ValueError, match="'S14' is no card"):
        rows("Trick 1: S14")


@pytest.mark.parametrize(("number", "cards"), SHOWN_TRICKS)
def test_a_trick_in_the_rules_is_that_of_the_deal_above_it(number: str, cards: str) -> None:
    above = RULES[: RULES.index(f"Trick {number}: {cards}")]
    head, *tricks = (line.split() for line in TABLES.findall(above)[-1].splitlines())
    places = head[1 : head.index("winner")]
    _, *played = tricks[int(number) - 1]
    by_place = dict(zip(places, played, strict=False))
    order = sorted(places, key=lambda place: (int(place) - int(led(by_place))) % len(places))
    assert [one.name for one in rows(f"x: {cards}")[0].cards] == [by_place[place].rstrip("*") for place in order]
    shown = rows(f"x: {cards}")[0].cards
    assert [one.note.split()[0] for one in shown] == order
    assert [one.note.split()[0] for one in shown if one.won] == [played[len(places)]]


def led(by_place: dict[str, str]) -> str:
    return next(place for place, card in by_place.items() if card.endswith("*"))


async def test_cards_of_the_rules_are_drawn(site: Site) -> None:
    page = (await site.get("/docs/rules")).text
    assert page.count('role="img" aria-label="12 of strawberries, a butterfly"') == 1
    assert "```" not in page
    assert 'id="icon-S"' in page


@pytest.mark.parametrize(
    ("document", "package"),
    [("farfalia", "farfalia"), ("engine", "farfalia_engine"), ("tournaments", "farfalia_tournaments")],
)
def test_the_reference_has_every_public_name(document: str, package: str) -> None:
    text = with_reference((ROOT / f"docs/reference/{document}.md").read_text())
    headings = re.findall(r"^### (\w+)$", text, re.MULTILINE)
    assert set(importlib.import_module(package).__all__) - set(headings) == set()


def test_a_reference_has_signatures_docstrings_comments_and_examples() -> None:
    text = with_reference("::: farfalia_engine\n")
    assert "```signature\nruleset(name: str, options: Mapping[str, str] | None = None) -> Ruleset\n```" in text
    assert "#### Ruleset.places" in text
    assert "- `options: dict[str, str]`: Options that differ from their defaults" in text
    assert re.search(r"```python\n>>> .*\n", text)
