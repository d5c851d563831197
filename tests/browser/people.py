"""What people do in a browser who sign up, and what every page has to be for them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from playwright.sync_api import Locator, Page, expect
from tests.browser.chromium import SIZES, Visit, violations
from tests.server.live import ADMIN

PASSWORD = "a good password"


def press(where: Page | Locator, button: str) -> None:
    where.get_by_role("button", name=button, exact=True).click()


def follow(where: Page | Locator, link: str) -> None:
    where.get_by_role("link", name=link, exact=True).click()


def fill(where: Page | Locator, texts: Mapping[str, str]) -> None:
    """Write into fields, which are found by their labels."""
    for label, text in texts.items():
        where.get_by_label(label, exact=True).fill(text)


def sheets_of_paper(page: Page) -> int:
    """How many a page takes when it is printed."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def sign_up(window: Visit, name: str, password: str = PASSWORD, *, invitation: str = "") -> Page:
    """Make an account, by the menu of the front page or at the address on an `invitation`, which has the code."""
    if invitation:
        window.page.goto(invitation)
    else:
        window.go("/").get_by_role("navigation", name="Pages").get_by_role("link", name="Account").click()
    page = window.page
    form = page.get_by_role("form", name="Make an account")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(password)
    with page.expect_event("load"):  # the page before has fields of the same names
        form.get_by_role("button", name="Make an account").click()
    return page


def register(page: Page, bot: str) -> str:
    """Register a bot on the page of its owner's account, and return the token that the next page shows."""
    fill(page, {"Name": bot})
    press(page, "Register")
    return page.get_by_label("The token").inner_text()


def clean(page: Page) -> None:
    """Nothing for axe to find, large or small, by day or by night, and nothing wider than the screen."""
    for width, scheme in ((1366, "light"), (390, "dark"), (320, "light")):
        page.set_viewport_size({"width": width, "height": SIZES.get(width, 640)})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert violations(page) == [], (width, scheme)
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"), width
    page.set_viewport_size({"width": 1366, "height": SIZES[1366]})
    page.emulate_media(color_scheme="light")


def become_admin(window: Visit, name: str) -> Page:
    page = window.go("/account")
    page.get_by_text("You have the admin token?").click()
    admin = page.get_by_role("form", name="Make an admin")
    for label, text in (("Admin token", ADMIN), ("Name", name), ("Password", PASSWORD)):
        admin.get_by_label(label).fill(text)
    clean(page)
    admin.get_by_role("button", name="Make an admin").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    return page
