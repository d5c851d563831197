"""How long pages of a large arena take, and what they weigh, while nobody plays and beside many tables."""

from __future__ import annotations

import asyncio
import gzip
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from time import monotonic, perf_counter

from farfalia_server.healthz import directly
from farfalia_server.net.measures import percentile
from farfalia_tools.bench.web.large_arena import Size

#: Seconds from one round of all pages to the next: longer than a page is shown again as it was.
_ROUND = 1.2
_PATIENCE = 120.0


@dataclass(frozen=True, slots=True)
class PageRow:
    """What was measured of one page; times in seconds, bytes as they were sent."""

    page: str
    quiet_p50: float
    quiet_p95: float
    beside_p50: float
    beside_p95: float
    bytes: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Answers:
    """The times of the answers of one page, and the largest of them."""

    seconds: tuple[float, ...]
    body: bytes
    sent: int

    @property
    def nodes(self) -> int:
        """Elements of the document; 0 of what is none."""
        counter = _Elements()
        if self.body.lstrip().startswith(b"<!doctype"):
            counter.feed(self.body.decode())
        return counter.count


class _Elements(HTMLParser):
    count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count += 1


def lists(size: Size, match: int) -> dict[str, Callable[[int], str]]:
    """Return the pages by name, each with its address in a round: another one where there are several like it.

    `match` is one that was played, card by card.
    """

    def spread(most: int) -> Callable[[int], int]:
        return lambda number: 1 + (number * 7919) % most

    bot, tournament, row = spread(size.bots), spread(size.tournaments), spread(size.matches)
    return {
        "front": lambda _: "/",
        "ladder": lambda number: f"/ladders/chinkway?search=bot-{bot(number)}" if number % 2 else "/ladders/chinkway",
        "tournaments": lambda number: f"/tournaments?before={size.tournaments + 1 - number % size.tournaments}",
        "tournament": lambda number: f"/tournaments/{tournament(number)}",
        "matches": lambda number: f"/matches?before={row(number) + 50}",
        "matches of a bot": lambda number: f"/matches?bot=bot-{bot(number)}",
        "bot": lambda number: f"/bots/bot-{bot(number)}",
        "match": lambda _: f"/matches/{match}",
        "deal": lambda number: f"/matches/{match}/{1 + number % 11}",
        "matches as JSON": lambda number: f"/api/matches?limit=100&before={row(number) + 100}",
        "ladder as JSON": lambda number: f"/api/ratings?ladder=chinkway&search=bot-{bot(number)}",
    }


async def ask(address: str, pages: dict[str, Callable[[int], str]], seconds: float, first: int) -> dict[str, Answers]:
    """Ask for all pages, round after round, for this many seconds; `first` is the number of the first round."""
    found: dict[str, list[tuple[float, bytes, int]]] = {name: [] for name in pages}
    until, number = monotonic() + seconds, first
    while number == first or monotonic() < until:
        again = monotonic() + _ROUND
        for name, path in pages.items():
            found[name].append(await asyncio.to_thread(_get, address + path(number)))
        number += 1
        await asyncio.sleep(max(0.0, again - monotonic()))
    return {name: _answers(answers) for name, answers in found.items()}


def _answers(answers: Sequence[tuple[float, bytes, int]]) -> Answers:
    _, body, sent = max(answers, key=lambda answer: answer[2])  # of a search, or of a whole ladder
    return Answers(tuple(took for took, _, _ in answers), body, sent)


def rows(quiet: dict[str, Answers], beside: dict[str, Answers]) -> list[PageRow]:
    """Return what was measured of each page while nobody played, and beside the tables."""
    return [
        PageRow(
            name,
            percentile(quiet[name].seconds, 0.5),
            percentile(quiet[name].seconds, 0.95),
            percentile(beside[name].seconds, 0.5),
            percentile(beside[name].seconds, 0.95),
            quiet[name].sent,
            quiet[name].nodes,
        )
        for name in quiet
    ]


def table(found: Sequence[PageRow], tables: int) -> list[str]:
    """Return the rows as lines of plain text."""
    width = max(len(row.page) for row in found) + 2
    beside = f"beside {tables} tables"
    head = f"{'':{width}}{'nobody plays':>18}{beside:>22}{'bytes':>10}{'nodes':>8}"
    return [
        head,
        *(
            f"{row.page:{width}}{_ms(row.quiet_p50, row.quiet_p95):>18}{_ms(row.beside_p50, row.beside_p95):>22}"
            f"{row.bytes:>10}{row.nodes or '-':>8}"
            for row in found
        ),
    ]


def _ms(middle: float, slow: float) -> str:
    return f"{middle * 1000:.0f} / {slow * 1000:.0f}"


def _get(address: str) -> tuple[float, bytes, int]:
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})  # noqa: S310  # of this machine
    began = perf_counter()
    with directly(request, _PATIENCE) as answer:
        body: bytes = answer.read()
        took, packed = perf_counter() - began, answer.headers.get("content-encoding") == "gzip"
    return took, gzip.decompress(body) if packed else body, len(body)
