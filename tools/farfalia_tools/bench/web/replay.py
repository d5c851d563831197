"""How long the table of a deal takes from a key to the painted card, in Chromium on a slowed processor.

Playwright and Chromium are started by a process of their own, `python -m farfalia_tools.bench.web.replay CHROMIUM
ADDRESS`, which prints the rows as JSON: Ctrl-C would end them before the command can.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

from farfalia_server.net.measures import percentile
from farfalia_tools.bench.processes import output_of, standard_input

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


#: A name, the middle and the slowest of 95 % of the steps in seconds.
Row = tuple[str, float, float]


async def measure(address: str) -> tuple[list[Row], str]:
    """Return the rows; or none, and why."""
    executable = shutil.which("chromium") or shutil.which("google-chrome")
    if find_spec("playwright") is None:
        return [], "Not measured: the steps of a replay need Playwright (pip install playwright) and Chromium."
    if executable is None:
        return [], "Not measured: the steps of a replay need Chromium, which is not on the PATH."
    rows = json.loads(await output_of("farfalia_tools.bench.web.replay", executable, address))
    return [(name, middle, slowest) for name, middle, slowest in rows], ""


async def _main(executable: str, address: str) -> None:
    # It ends with its standard input, and its browser with it.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: None)
    told = await standard_input()
    measuring, ending = asyncio.create_task(_measure(executable, address)), asyncio.create_task(told.read())
    await asyncio.wait((measuring, ending), return_when=asyncio.FIRST_COMPLETED)
    if measuring.done():
        print(json.dumps(measuring.result()))
    else:
        measuring.cancel()
        with suppress(asyncio.CancelledError):
            await measuring


async def _measure(executable: str, address: str) -> list[Row]:
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=list(_QUIET))
        try:
            async with asyncio.timeout(120):
                return await _steps(browser, address)
        finally:
            await browser.close()


async def _steps(browser: Browser, address: str) -> list[Row]:
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


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
