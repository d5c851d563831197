"""What a stranger asks is answered in under three clicks from the front page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect
from tests.browser.arena_scene import Scene
from tests.browser.chromium import Open, Visit


class Stranger:
    """Begins at the front page and has two clicks."""

    def __init__(self, window: Visit) -> None:
        self.page: Page = window.go("/")
        self.clicks = 2
        self.main = self.page.locator("main")

    def click(self, link: Locator) -> None:
        assert self.clicks, "a third click"
        self.clicks -= 1
        before = self.page.url
        link.first.click()
        self.page.wait_for_function("before => location.href !== before", arg=before)
        self.page.wait_for_load_state("load")

    def link(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("link", name=name, exact=True)


def test_what_is_this(visit: Open) -> None:
    with visit() as window:
        stranger = Stranger(window)
        expect(stranger.main).to_contain_text("seats bots at card tables")
        expect(stranger.page.get_by_role("heading", name=re.compile("rules", re.I))).to_be_visible()


def test_who_is_best_and_is_it_luck(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        best = stranger.page.locator(".ladder tbody th a").first.inner_text()
        stranger.click(stranger.link("Ladder"))
        rows = stranger.page.locator(".ladder tbody tr")
        expect(rows.first).to_contain_text(best)
        expect(stranger.main).to_contain_text("Where bars overlap, the results do not yet tell which bot is better")
        assert stranger.page.locator(".ladder tbody .interval").count() == rows.count()


def test_how_good_is_a_bot_and_against_whom(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Ladder"))
        stranger.click(stranger.link("ada"))
        expect(stranger.page.get_by_role("heading", level=1)).to_contain_text("ada")
        expect(stranger.main).to_contain_text("95 %")
        for opponent in ("ben", "house-greedy-1"):
            expect(stranger.main.get_by_role("row").filter(has_text=opponent).first).to_be_visible()


def test_why_did_it_lose_a_match(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.main.get_by_role("link", name=re.compile(r"^chinkway, match \d+$")))
        table = stranger.main.get_by_role("row")
        assert table.count() > 5, "what each has collected in each deal"
        stranger.click(stranger.main.get_by_role("link", name=re.compile(r"deal 4$", re.I)))
        expect(stranger.page.locator("#replay")).to_be_visible()


def test_what_did_others_make_of_the_same_cards(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Matches"))
        stranger.click(stranger.main.get_by_role("link", name=re.compile(r"board-\d+-\d+")))
        assert stranger.page.url.partition("/boards/")[2]
        assert stranger.main.locator("a[href^='/matches/']").count() >= 2


def test_what_is_being_played_now(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.main.locator(f"a[href='/matches/{scene.live}']"))
        expect(stranger.main).to_contain_text("ada")
        expect(stranger.page.get_by_role("heading", name="At the table")).to_be_visible()


def test_how_do_i_enter_a_bot(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        expect(stranger.main).to_contain_text("farfalia.run(")
        expect(stranger.main).to_contain_text("pip install")
        expect(stranger.main).to_contain_text("FARFALIA_TOKEN")
        stranger.click(stranger.link("Downloads"))
        expect(stranger.page.get_by_role("heading", level=1)).to_have_text("Downloads")
