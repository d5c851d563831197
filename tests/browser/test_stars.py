"""Bots that somebody follows: kept in the browser, first on the front page, with what has changed since."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.arena_scene import Scene
from tests.browser.chromium import Open, violations

#: As if the last visit were a day ago, when the bot had 4 matches and no strike.
_YESTERDAY = """() => {
  const kept = JSON.parse(localStorage.getItem("farfalia-stars"));
  Object.assign(kept.ben.last, { at: Date.now() - 86_400_000, matches: 4, strikes: 0 });
  localStorage.setItem("farfalia-stars", JSON.stringify(kept));
}"""


def test_a_bot_with_a_star_is_first_on_the_front_page_with_what_has_changed(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go("/")
        yours = page.get_by_role("region", name="Your bots")
        expect(page.get_by_role("heading", name="Bots play cards here")).to_be_visible()
        expect(yours).to_have_count(0)
        star = window.go("/bots/ben").get_by_role("button", name="Follow")
        expect(star).to_have_attribute("aria-pressed", "false")
        star.focus()
        page.keyboard.press("Enter")
        expect(star).to_have_attribute("aria-pressed", "true")
        window.go("/")
        expect(yours.get_by_role("link", name="ben")).to_be_visible()
        expect(yours).to_contain_text("on the ladder chinkway")
        expect(yours.get_by_text("Since your last visit")).to_have_count(0)
        assert violations(page) == []
        window.run(_YESTERDAY)
        for _ in range(2):  # a second look in one visit says the same
            window.go("/")
            expect(yours).to_contain_text("matches: 6, strikes: 1")
        window.go("/bots/ben").get_by_role("button", name="Follow").click()
        window.go("/")
        expect(page.get_by_role("heading", name="Bots play cards here")).to_be_visible()
        expect(yours).to_have_count(0)


def test_what_is_kept_and_is_no_star_of_ours_breaks_no_page(visit: Open, scene: Scene) -> None:
    with visit() as window:
        window.go("/")
        for kept in ("{", '{"no such bot": {}}'):
            window.run("text => localStorage.setItem('farfalia-stars', text)", kept)
            page = window.go("/")
            expect(page.get_by_role("heading", name="Bots play cards here")).to_be_visible()
        expect(page.get_by_role("region", name="Your bots")).to_contain_text("There is no bot of this name any more.")
        assert all("/api/bots/" in fault or "404" in fault for fault in window.faults)
        window.faults.clear()
