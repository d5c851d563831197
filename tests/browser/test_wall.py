"""The wall of a tournament: it directs itself, keys direct it, and it fits its screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.arena_scene import Scene
from tests.browser.chromium import Open

#: A place that an entrant has at the first look and another one at the next.
_MOVED = """() => {
  const fetched = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await fetched(...asked);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const row of page.querySelectorAll("#standings [data-entrant]")) {
      const place = Number(row.dataset.place);
      if (place < 3) row.dataset.place = 3 - place;
    }
    return new Response(page.documentElement.outerHTML, { headers: { "content-type": "text/html" } });
  };
}"""


def kind(page: Page) -> str:
    """What is on the wall; one scene always is."""
    (shown,) = page.locator("[data-scene]").all()
    return shown.get_attribute("data-scene") or ""


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080), (3840, 2160)])
def test_every_scene_fits_the_screen(visit: Open, scene: Scene, width: int, height: int) -> None:
    seen = set()
    with visit(width=width, height=height) as window:
        for number in (scene.staged, scene.over, scene.running, scene.planned):
            page = window.go(f"/tournaments/{number}/projector")
            expect(page.get_by_role("button", name="Full screen")).to_be_visible()
            expect(page.locator("#scenes[data-unready]")).to_have_count(0)
            first = kind(page)
            while True:
                seen.add(kind(page))
                tall, wide = window.run("[document.body.scrollHeight, document.body.scrollWidth]")
                assert (tall <= height, wide <= width) == (True, True), (number, kind(page), tall, wide)
                page.keyboard.press("ArrowRight")
                if kind(page) == first:
                    break
    assert seen >= {"podium", "standings", "bracket", "result", "table", "entrants"}


def test_keys_go_on_and_back_hold_and_turn_the_wall_black(visit: Open, scene: Scene) -> None:
    with visit(reduced_motion="no-preference") as window:
        page = window.go(f"/tournaments/{scene.staged}/projector")
        expect(page.get_by_role("button", name="Hold")).to_be_visible()
        assert kind(page) == "podium"
        page.keyboard.press("ArrowRight")
        assert kind(page) == "standings"
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        assert kind(page) == "result", "before the first one is the last one"
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="Go on by itself")).to_be_visible()
        page.keyboard.press("b")
        page.wait_for_url("**/projector?black=true")
        assert window.run("getComputedStyle(document.body).backgroundColor") == "rgb(0, 0, 0)"


def test_the_wall_goes_on_by_itself(visit: Open, scene: Scene) -> None:
    with visit(reduced_motion="no-preference") as window:
        window.page.clock.install()
        page = window.go(f"/tournaments/{scene.staged}/projector")
        expect(page.get_by_role("button", name="Hold")).to_be_visible()
        assert kind(page) == "podium"
        window.page.clock.run_for(12_000)
        assert kind(page) == "standings"
        window.page.clock.run_for(12_000)
        assert kind(page) == "bracket"


def test_arrows_say_who_has_moved_since_the_standings_were_shown_last(visit: Open, scene: Scene) -> None:
    with visit() as window:
        window.page.clock.install()
        page = window.go(f"/tournaments/{scene.staged}/projector?scene=standings")
        expect(page.get_by_role("button", name="Go on by itself")).to_be_visible()
        assert page.locator(".moved > *").count() == 0
        window.run(_MOVED)
        page.keyboard.press("ArrowRight")
        window.page.clock.run_for(5_000)
        page.wait_for_timeout(500)
        page.keyboard.press("ArrowLeft")
        expect(page.locator("tr[data-entrant]").nth(0).locator(".moved")).to_have_text("▼1down 1")
        expect(page.locator("tr[data-entrant]").nth(1).locator(".moved")).to_have_text("▲1up 1")
        expect(page.locator("tr[data-entrant]").nth(2).locator(".moved")).to_have_text("")


def test_the_table_on_the_wall_is_drawn_and_followed(visit: Open, scene: Scene) -> None:
    with visit(width=1920) as window:
        page = window.go(f"/tournaments/{scene.running}/projector")
        table = page.frame_locator("iframe")
        expect(table.locator(".seat").first).to_be_visible()
        assert (page.locator("iframe").get_attribute("title") or "").startswith("The table of match ")
        expect(page.get_by_role("heading", name="Round 1, deal 1 of 4")).to_be_visible()
