"""Chromium as tests drive it: it asks our server only, and what goes wrong in a page is kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    Route,
    expect,
    sync_playwright,
)

EXECUTABLE = shutil.which("chromium")
#: Only on a contributor's machine: CI installs a browser, and fails without one.
BROWSERLESS = EXECUTABLE is None and not os.environ.get("CI")
WHY = "no chromium here; CI installs it and never skips this"
#: Milliseconds that what must come may take.
PATIENCE = 60_000
#: An address where nothing is, and one that looks like another; that their pages are answered with 404 is no fault.
NOWHERE, MISSPELT = "/nowhere", "/bots/house-gredy-1"
#: Width and height of a laptop, a phone and a projector.
SIZES = {1366: 768, 390: 844, 1920: 1080}
Scheme = Literal["light", "dark"]


@dataclass
class Visit:
    """A window of its own, as another person has one, and what happened in it."""

    context: BrowserContext
    page: Page
    address: str
    faults: list[str] = field(default_factory=list)
    finished: list[Request] = field(default_factory=list)

    def go(self, path: str) -> Page:
        self.page.goto(f"{self.address}{path}", wait_until="load")
        return self.page

    def run(self, script: str, *given: Any) -> Any:
        return self.page.evaluate(script, *given)


#: Opens a window at the server of the season, as the fixture `visit` does.
Open = Callable[..., AbstractContextManager[Visit]]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser; only while it runs, since its driver keeps this thread's event loop."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=EXECUTABLE, args=["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"]
        )
        yield browser
        browser.close()


@contextmanager
def visiting(
    browser: Browser,
    address: str,
    *,
    width: int = 1366,
    height: int | None = None,
    scheme: Scheme = "light",
    **more: Any,
) -> Iterator[Visit]:
    """A new window at our server. It reaches no other host, and at the end nothing may have gone wrong in it."""
    context = browser.new_context(
        viewport={"width": width, "height": height or SIZES.get(width, 768)},
        color_scheme=scheme,
        **{"reduced_motion": "reduce", **more},
    )
    context.set_default_timeout(PATIENCE)
    visit = Visit(context, context.new_page(), address)
    missing = {f"{address}{path}" for path in (NOWHERE, MISSPELT)}

    def only_here(route: Route) -> None:
        if not route.request.url.startswith((f"{address}/", "data:")):
            visit.faults.append(f"asked another host: {route.request.url}")
            route.abort()
            return
        route.continue_()

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and message.location["url"] not in missing:
            visit.faults.append(f"{message.type}: {message.text} ({visit.page.url})")

    def answered(response: Response) -> None:
        if response.status >= 400 and response.url not in missing:
            visit.faults.append(f"{response.status}: {response.url}")

    context.route("**/*", only_here)
    context.on("console", said)
    context.on("weberror", lambda error: visit.faults.append(str(error.error)))
    context.on("response", answered)
    context.on("requestfinished", lambda request: visit.finished.append(request))
    try:
        yield visit
    finally:
        context.close()
    assert visit.faults == [], visit.faults


AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
_RUN = """async (rules) => {
  const found = await axe.run(document, { resultTypes: ["violations"], ...rules });
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target} ${node.failureSummary}`));
}"""


def violations(page: Page, *only: str) -> list[str]:
    """What axe finds on the page as it is now, by all of its rules or by some."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE)
    rules: dict[str, Any] = {"rules": {"target-size": {"enabled": True}}}
    if only:
        rules = {"runOnly": {"type": "rule", "values": list(only)}}
    found: list[str] = page.evaluate(_RUN, rules)
    return found
