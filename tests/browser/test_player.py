"""The player of a deal beyond its keys: jumping, help, strikes, and what it keeps for the next time."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.browser.arena_scene import Scene
from tests.browser.chromium import Open, violations


def test_a_card_is_jumped_to_and_one_that_is_not_there_is_named(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go(f"/matches/{scene.match}/3")
        field = page.get_by_label("Go to trick.card")
        field.fill("4.2")
        field.press("Enter")
        expect(page.locator(".said")).to_contain_text("Trick 4, card 2")
        assert window.run("location.pathname") == f"/matches/{scene.match}/3/4.2"
        field.fill("99.9")
        field.press("Enter")
        assert "There is no card 99.9" in field.evaluate("one => one.validationMessage")
        expect(page.locator(".said")).to_contain_text("Trick 4, card 2")


def test_a_question_mark_opens_the_keys_and_escape_closes_them(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go(f"/matches/{scene.match}/3")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".said")).to_contain_text("Trick 1, card 1")


def test_speed_and_seat_are_kept_for_the_next_deal(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go(f"/matches/{scene.match}/3")
        seat = page.locator("label").filter(has_text=re.compile("^At the bottom")).locator("select")
        names = seat.locator("option").all_inner_texts()
        page.get_by_label("Speed").select_option("fast")
        seat.select_option(names[-1])
        expect(page.locator(".seat.bottom header b")).to_have_text(names[-1])
        page.get_by_role("link", name="next deal").click()
        expect(page.get_by_label("Speed")).to_have_value("fast")
        expect(page.locator(".seat.bottom header b")).to_have_text(names[-1])


def test_a_strike_is_marked_and_leads_to_its_card(visit: Open, scene: Scene) -> None:
    record = scene.server.record(scene.match)
    with visit() as window:
        page = window.go(f"/matches/{scene.match}")
        page.locator("table a[href*='/matches/'][href*='.']").first.click()
        expect(page.locator(".said")).to_contain_text("a house bot decided: illegal answer, strike 1")
        assert len(record.incidents) == 1
        page.keyboard.press("Home")
        page.locator(".strikes button").click()
        expect(page.locator(".said")).to_contain_text("strike 1")
        assert page.locator(".ticks .strike").count() == 1


def test_after_the_last_card_the_player_goes_on_to_the_next_deal(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go(f"/matches/{scene.match}/1")
        page.keyboard.press("End")
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"**/matches/{scene.match}/2")
        expect(page.get_by_role("button", name="Play")).to_have_text("▶")
        page.get_by_label("Speed").select_option("fastest")
        page.keyboard.press("End")
        page.get_by_role("button", name="Play").click()
        page.wait_for_url(f"**/matches/{scene.match}/3*")
        page.wait_for_url(f"**/matches/{scene.match}/4*")
        last = page.locator(".deals a:not([rel])").last.get_attribute("href")
        page = window.go(str(last))
        page.keyboard.press("End")
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="Forward one card")).to_have_attribute("aria-disabled", "true")
        assert window.run("location.pathname").startswith(str(last))


def test_a_card_in_a_trick_has_the_colour_that_it_has_in_a_hand(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go(f"/matches/{scene.match}/3/4.2")
        colours = page.evaluate(
            """() => ["spades", "clubs", "S", "L"].map((suit) => [".trick li", ".seat .cards"].map((where) => {
              const card = document.createElement("span");
              card.className = `face ${suit}`;
              document.querySelector(`.felt ${where}`).append(card);
              return getComputedStyle(card).color;
            }))"""
        )
        assert [trick for trick, _ in colours] == [hand for _, hand in colours]


def test_a_name_takes_one_line_however_long_with_its_end_for_readers(visit: Open, scene: Scene) -> None:
    with visit(width=390) as window:
        page = window.go(f"/matches/{scene.match}/3/4.5")
        names = page.locator(".seat header b")
        heights = names.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
        assert len(heights) == 5
        assert max(heights) - min(heights) < 1
        assert page.locator(".trick .star").count() == 1
        assert all(names.nth(at).get_attribute("title") == names.nth(at).text_content() for at in range(5))
