"""Every page and state for other eyes and hands: axe, small and large screens, large text, keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.arena_scene import Scene
from tests.browser.chromium import AXE, SIZES, Open, Visit, violations, visiting
from tests.browser.states import PAGES, STATES

#: The rules of axe whose answer may be another one on a phone at night.
OF_COLOUR_AND_SIZE = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")


@pytest.fixture(scope="module")
def window(browser: Browser, scene: Scene) -> Iterator[Visit]:
    """One window for all pages: a new one for each would cost as much as what is looked at."""
    with visiting(browser, scene.address) as window:
        window.context.add_init_script(AXE)
        yield window


@pytest.mark.parametrize("name", STATES, ids=lambda name: name.replace(" ", "-"))
def test_axe_finds_nothing_and_no_screen_scrolls_sideways(window: Visit, scene: Scene, name: str) -> None:
    window.faults.clear()
    window.page.emulate_media(color_scheme="light", forced_colors="none")
    window.page.set_viewport_size({"width": 1366, "height": SIZES[1366]})
    page = window.go(STATES[name].format_map(vars(scene)))
    found = [f"1366 light: {one}" for one in violations(page) + broken_names(window)]
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": SIZES[390]})
    found += [f"390 dark: {one}" for one in violations(page, *OF_COLOUR_AND_SIZE)]
    page.set_viewport_size({"width": 320, "height": 640})
    found += [f"320: {one}" for one in sticking_out(window) + broken_names(window) + violations(page, "target-size")]
    page.set_viewport_size({"width": 1366, "height": SIZES[1366]})
    page.emulate_media(forced_colors="active")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    found += [f"text at 200 %: {one}" for one in sticking_out(window)]
    assert found == []
    assert window.faults == []


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_no_table_of_results_is_scrolled_but_a_crosstable(visit: Open, scene: Scene, width: int) -> None:
    with visit(width=width) as window:
        shown = {name: scrolled(window, path.format_map(vars(scene))) for name, path in PAGES.items()}
    found = {name: wide for name, wide in shown.items() if wide}
    assert found.pop("tournament that is over") == ["Against each other"]
    assert found.pop("tournament with a final", []) in ([], ["Against each other"])
    assert found == {}


def scrolled(window: Visit, path: str) -> list[str]:
    """The names of regions that are wider than the screen, with everything unfolded."""
    window.go(path)
    found: list[str] = window.run(
        """() => {
          for (const one of document.querySelectorAll("details")) one.open = true;
          return [...document.querySelectorAll(".wide")]
            .filter((one) => one.scrollWidth > one.clientWidth + 1)
            .map((one) => one.getAttribute("aria-label"));
        }"""
    )
    return found


def test_in_a_crosstable_that_is_scrolled_the_names_stay(visit: Open, scene: Scene) -> None:
    with visit(width=390) as window:
        page = window.go(f"/tournaments/{scene.over}")
        page.get_by_role("heading", name="Against each other").click()
        table = page.get_by_role("region", name="Against each other")
        expect(table).to_contain_text("Scroll the table sideways")
        expect(table.get_by_text("Scroll the table sideways")).to_be_visible()
        table.scroll_into_view_if_needed()
        names = table.get_by_role("rowheader")
        before = [one.bounding_box() for one in names.all()]
        table.evaluate("one => (one.scrollLeft = one.scrollWidth)")
        assert [one.bounding_box() for one in names.all()] == before
        last = table.get_by_role("row").nth(1).get_by_role("cell").last
        expect(last).to_be_in_viewport()
        page.set_viewport_size({"width": 1366, "height": SIZES[1366]})
        expect(table.get_by_text("Scroll the table sideways")).to_be_hidden()


def test_axe_finds_nothing_while_a_deal_is_played_again(visit: Open, scene: Scene) -> None:
    with visit(reduced_motion="no-preference") as window:
        page = window.go(f"/matches/{scene.match}/1")
        page.get_by_role("button", name="Play", exact=True).click()
        assert_clean_in_motion(page, lambda: None)


def test_axe_finds_nothing_while_a_table_plays(visit: Open, scene: Scene) -> None:
    with visit(reduced_motion="no-preference") as window:
        page = window.go(f"/matches/{scene.live}")
        assert_clean_in_motion(page, lambda: scene.player.let(scene.bot, 3))


def assert_clean_in_motion(page: Page, move: Callable[[], object]) -> None:
    """Look twice, each time while cards are played."""
    cards = page.locator(".bar input")
    for _ in range(2):
        before = cards.input_value()
        move()
        assert violations(page) == []
        expect(cards).not_to_have_value(before)


def sticking_out(window: Visit) -> list[str]:
    """What makes the page wider than the screen."""
    found: list[str] = window.run(
        """() => {
          const root = document.documentElement;
          if (root.scrollWidth <= root.clientWidth) return [];
          const wide = [...document.querySelectorAll("body *")].filter((one) => {
            const box = one.getBoundingClientRect();
            return box.width && box.right > root.clientWidth + 1 && !one.closest(".wide, pre, .hidden, .skip");
          });
          return wide.map((one) => `${one.tagName} .${one.className} ${one.textContent?.trim().slice(0, 30)}`);
        }"""
    )
    return found


def broken_names(window: Visit) -> list[str]:
    """Names of bots that go over two lines although a phone has room for them in one."""
    found: list[str] = window.run(
        """() => [...document.querySelectorAll("a[href^='/bots/'], .bot")]
          .filter((one) => one.innerText.length <= 20 && one.getClientRects().length > 1)
          .map((one) => `two lines: ${one.innerText}`)"""
    )
    return found


def test_the_keyboard_goes_through_a_page_in_the_order_of_reading_and_is_always_seen(visit: Open, scene: Scene) -> None:
    with visit() as window:
        for path in ("/", "/ladders/chinkway", f"/tournaments/{scene.over}", f"/matches/{scene.match}/1"):
            page = window.go(path)
            page.keyboard.press("Tab")
            assert page.locator(":focus").inner_text() == "Skip to content"
            assert page.locator(":focus").bounding_box()["x"] > 0  # type: ignore[index]
            visited: list[list[float]] = []
            for _ in range(25):
                page.keyboard.press("Tab")
                place, ringed = window.run(
                    """() => {
                      const focused = document.activeElement, style = getComputedStyle(focused);
                      const order = [...document.querySelectorAll("*")].indexOf(focused);
                      return [order, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1];
                    }"""
                )
                assert ringed, f"{path}: {page.locator(':focus').evaluate('one => one.outerHTML')[:120]}"
                visited.append(place)
            assert visited == sorted(visited), path


def test_a_reader_hears_a_trick_and_not_each_card(visit: Open, scene: Scene) -> None:
    with visit(reduced_motion="no-preference") as window:
        page = window.go(f"/matches/{scene.match}/1")
        window.run(
            """() => {
              globalThis.heard = [];
              for (const region of document.querySelectorAll("[role=status], [aria-live=polite]"))
                new MutationObserver(() => globalThis.heard.push(region.textContent))
                  .observe(region, { childList: true, characterData: true, subtree: true });
            }"""
        )
        for _ in range(22):
            page.keyboard.press("ArrowRight")
        said = [one for one in window.run("globalThis.heard") if one]
        assert said, "the end of a trick is said"
        assert len(set(said)) <= 22 / 4, said
