"""What people come for, as they do it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from playwright.sync_api import expect
from tests.browser.arena_scene import Scene
from tests.browser.chromium import Visit

Open = Callable[..., AbstractContextManager[Visit]]


def test_the_address_of_a_card_opens_the_table_at_that_card_in_another_browser(visit: Open, scene: Scene) -> None:
    with visit() as mine, visit(width=390, scheme="dark") as other:
        page = mine.go(f"/matches/{scene.match}/3")
        for _ in range(9):
            page.keyboard.press("ArrowRight")
        address = page.url.removeprefix(scene.address)
        assert address.startswith(f"/matches/{scene.match}/3/")
        said = page.locator(".said").last.inner_text()
        shown = other.go(address)
        expect(shown.locator(".said").last).to_have_text(said, use_inner_text=True)
        assert shown.locator(".trick .face").count() == page.locator(".trick .face").count() > 0
        shown = other.go(f"/matches/{scene.match}/3/4.5")
        expect(shown.locator(".trick .face"), "all cards of the fourth trick lie, as the address says").to_have_count(5)
        expect(shown.locator(".said").last).to_contain_text("Trick 4, card 5")
