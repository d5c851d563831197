"""How long the table of a deal takes from a key to the painted card, in Chromium on a slowed processor."""

from __future__ import annotations

import asyncio
import shutil
from typing import TYPE_CHECKING

from farfalia_server.net.measures import percentile

if TYPE_CHECKING:
    from playwright.async_api import Browser

#: How much slower the processor seems to the page, and keys that are pressed.
SLOWED, _STEPS = 4, 40
_QUIET = ("--no-sandbox", "--disable-gpu")
#: Presses the key for the next card and waits until the frame after it is painted, as often as it is told.
_MEASURE = """async (steps) => {
  const frame = () => new Promise(requestAnimationFrame);
  const painted = () => frame().then(() => new Promise((done) => setTimeout(done)));
  const took = [];
  for (let step = 0; step < steps; step++) {
    await painted();
    const began = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    const drawn = performance.now();
    await painted();
    took.push([(drawn - began) / 1000, (performance.now() - began) / 1000]);
  }
  return took;
}"""


async def measure(address: str) -> tuple[list[tuple[str, float, float]], str]:
    """Return rows of a name, the middle and the slowest of 95 % of the steps in seconds; or none, and why."""
    executable = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        return [], "Not measured: the steps of a replay need Playwright (pip install playwright) and Chromium."
    if executable is None:
        return [], "Not measured: the steps of a replay need Chromium, which is not on the PATH."
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=list(_QUIET))
        try:
            async with asyncio.timeout(120):
                return await _steps(browser, address), ""
        finally:
            await browser.close()


async def _steps(browser: Browser, address: str) -> list[tuple[str, float, float]]:
    page = await browser.new_page()
    await page.goto(address)
    await page.wait_for_selector("#replay:not([hidden])")
    slow = await page.context.new_cdp_session(page)
    await slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    took = await page.evaluate(_MEASURE, _STEPS)
    return [
        (name, percentile((step[at] for step in took), 0.5), percentile((step[at] for step in took), 0.95))
        for at, name in enumerate(("a step of a replay: script", "a step of a replay: painted"))
    ]
