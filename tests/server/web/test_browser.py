"""The pages in a real browser."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import tempfile

import pytest
from tests.server.web_site import Site

#: Only on a contributor's machine: CI installs a browser, and fails without one.
BROWSERLESS = shutil.which("chromium") is None and not os.environ.get("CI")


@pytest.mark.slow
@pytest.mark.skipif(BROWSERLESS, reason="no chromium here; CI installs it and never skips this")
async def test_a_browser_shows_the_pages_with_their_style(season: Site) -> None:
    match = await asyncio.to_thread(browsed, f"{season.address}/matches/1")
    assert len(set(re.findall(r'href="/matches/1/(\d+)"', match))) == 11
    assert "Match 1 · Farfalia" in match
    tournament = await asyncio.to_thread(browsed, f"{season.address}/tournaments/1")
    table = await asyncio.to_thread(browsed, f"{season.address}/matches/1/3/4.5")
    shown = re.search(r'<ul class="trick">(.*?)</ul>', table)
    assert shown is not None
    assert shown[1].count("<li") == 5, "all cards of the fourth trick lie, as the address says"
    assert shown[1].count("★") == 1
    assert "Trick 4, card 5" in table
    assert table.count('class="seat') == 5
    assert 'class="crosstable"' in tournament


def browsed(address: str) -> str:
    """The document as Chromium has it after loading the page."""
    quiet = ("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync")
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", *quiet, f"--user-data-dir={profile}"]
        done = subprocess.run([*command, "--dump-dom", address], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout
