"""What people come for, as they do it."""

from __future__ import annotations

import csv
import json

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.arena_scene import HOUSE, Scene
from tests.browser.chromium import Open


def test_the_address_of_a_card_opens_the_table_at_that_card_in_another_browser(visit: Open, scene: Scene) -> None:
    with visit() as mine, visit(width=390, scheme="dark") as other:
        page = mine.go(f"/matches/{scene.match}/3")
        for _ in range(9):
            page.keyboard.press("ArrowRight")
        address = mine.run("location.pathname")  # Playwright hears of a changed address a moment later
        assert address.startswith(f"/matches/{scene.match}/3/")
        said = page.locator(".said").last.inner_text()
        shown = other.go(address)
        expect(shown.locator(".said").last).to_have_text(said, use_inner_text=True)
        assert shown.locator(".trick .face").count() == page.locator(".trick .face").count() > 0
        shown = other.go(f"/matches/{scene.match}/3/4.5")
        expect(shown.locator(".trick .face"), "all cards of the fourth trick lie, as the address says").to_have_count(5)
        expect(shown.locator(".said").last).to_contain_text("Trick 4, card 5")


def test_a_bots_lost_match_is_found_and_its_worst_deal_stepped_through_by_keyboard(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go("/")
        follow(page, "The ladder of chinkway")
        reach(page, page.get_by_role("searchbox", name="Find on this ladder"))
        page.keyboard.type("ben")
        page.keyboard.press("Enter")
        page.wait_for_url("**search=ben**")
        follow(page, "ben")
        expect(page.get_by_role("heading", level=1)).to_contain_text("ben")
        page.goto(f"{window.address}/matches/{scene.match}")
        expect(page.locator("main")).to_contain_text("illegal")
        row = page.get_by_role("row").filter(has=page.get_by_role("link", name="ben", exact=True)).first
        points = [int(cell) for cell in row.get_by_role("cell").all_inner_texts()[-11:]]
        worst = points.index(min(points)) + 1
        follow(page, f"deal {worst}")
        page.wait_for_url(f"**/matches/{scene.match}/{worst}**")
        table = page.locator("#replay")
        expect(table).to_be_visible()
        seen = []
        for _ in range(6):
            page.keyboard.press("ArrowRight")
            seen.append(table.inner_text())
        assert len(set(seen)) == 6, "each key shows another card"
        page.keyboard.press("ArrowLeft")
        assert table.inner_text() == seen[4]


@pytest.mark.parametrize("width", [390, 1366, 1920])
def test_a_bot_that_is_not_rated_is_found_from_any_page(visit: Open, scene: Scene, width: int) -> None:
    with visit(width=width) as window:
        for path in ("/", "/rules", f"/matches/{scene.match}"):
            page = window.go(path)
            field = page.get_by_role("search", name="Search").get_by_role("searchbox")
            field.fill("BEN")
            field.press("Enter")
            page.wait_for_url("**/bots/ben")
        field.fill("greedy")
        field.press("Enter")
        page.wait_for_url("**/search?q=greedy")
        for name in ("house-greedy-1", "house-greedy-2", "house-greedy-3"):
            expect(page.get_by_role("main").get_by_role("link", name=name, exact=True)).to_be_visible()


def test_lines_join_the_boxes_of_a_bracket_on_a_wide_screen_only(visit: Open, scene: Scene) -> None:
    for width, joined in ((1366, True), (390, False)):
        with visit(width=width) as window:
            page = window.go(f"/tournaments/{scene.staged}")
            rounds = page.get_by_role("region", name="Bracket of stage 2").locator("section")
            expect(rounds).to_have_count(2)
            ends = [_line(box, "::after", 1) for box in rounds.first.get_by_role("listitem").all()]
            starts = [_line(box, "::before", -1) for box in rounds.last.get_by_role("listitem").all()]
            assert len({*ends, *starts}) == 1
            assert (None in ends) != joined


def _line(box: Locator, side: str, direction: int) -> int | None:
    """Where the line beside a box ends, in pixels from the left; None without one."""
    width = box.evaluate("(box, side) => getComputedStyle(box, side).content === 'none' ? 0 : 16", side)
    edge = box.bounding_box()
    assert edge is not None
    return round(edge["x"] + (edge["width"] + width if direction > 0 else -width)) if width else None


def test_without_scripts_no_heading_stands_above_a_table_that_cannot_be_drawn(visit: Open, scene: Scene) -> None:
    for scripts in (True, False):
        with visit(java_script_enabled=scripts) as window:
            page = window.go("/")
            expect(page.get_by_role("heading", name="A table in progress")).to_be_visible(visible=scripts)
            expect(
                page.get_by_role("region", name="At the tables now").locator(f"a[href='/matches/{scene.live}']")
            ).to_be_visible()


def test_the_ladder_is_sorted_by_matches_on_a_phone_which_shows_how_many_there_were(visit: Open) -> None:
    with visit(width=390) as window:
        page = window.go("/ladders/chinkway")
        ladder = page.get_by_role("table")
        row = ladder.get_by_role("row").filter(has=page.get_by_role("link", name="ben", exact=True))
        expect(row.get_by_role("cell").filter(has_text="10").last).to_be_visible()
        ladder.get_by_role("link", name="Matches").click()
        page.wait_for_url("**order=matches")
        sorted_by = ladder.get_by_role("columnheader", name="Matches")
        expect(sorted_by).to_have_attribute("aria-sort", "descending")
        expect(sorted_by).to_be_in_viewport()


def test_points_of_deals_stand_below_their_numbers_on_a_phone(visit: Open, scene: Scene) -> None:
    with visit(width=390) as window:
        page = window.go(f"/matches/{scene.match}")
        rows = page.get_by_role("region", name="Result").get_by_role("row")
        numbers = rows.first.locator(".of-deal").all()
        assert len(numbers) == 11
        edges = [[round(right_edge(one)) for one in rows.nth(at).locator(".of-deal").all()] for at in range(6)]
        assert all(own == edges[0] for own in edges)
        numbers[4].get_by_role("link").click()
        page.wait_for_url(f"**/matches/{scene.match}/5")


def right_edge(one: Locator) -> float:
    box = one.bounding_box()
    assert box is not None
    return box["x"] + box["width"]


def test_a_board_shows_what_other_tables_made_of_the_same_cards(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go(f"/tournaments/{scene.over}/boards/board-1-1")
        tables = {link.get_attribute("href") for link in page.locator("main a[href^='/matches/']").all()}
        of_board = {one.id for one in scene.server.matches(scene.over) if one.board == "board-1-1"}
        assert len(of_board) == 2
        for match in of_board:
            assert any((link or "").startswith(f"/matches/{match}") for link in tables)


def test_a_tournament_is_followed_to_its_end(visit: Open, scene: Scene) -> None:
    number = scene.server.tournament(HOUSE[:5], rounds=8)
    with visit() as window:
        page = window.go(f"/tournaments/{number}")
        expect(page.locator("main")).to_contain_text("8 of 8 matches")
        expect(page.get_by_role("region", name="Standings").get_by_role("row")).to_have_count(6)


def test_a_link_to_a_call_of_the_contract_opens_it_even_without_scripts(visit: Open) -> None:
    with visit(java_script_enabled=False) as window:
        page = window.go("/contract/ArenaService")
        call = page.locator("#GetBot")
        expect(call).to_be_hidden()
        page.goto(f"{window.address}/api")
        page.locator("a[href='/contract/ArenaService#GetBot']").click()
        expect(call).to_be_visible()
        expect(call).to_be_in_viewport()
        expect(page.locator("details[open]")).to_have_count(1)


def test_tables_and_events_that_are_downloaded_say_what_the_page_says(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go("/ladders/chinkway")
        names = page.locator(".ladder tbody th a").all_inner_texts()
        answer = page.request.get(f"{window.address}/api/ratings?ladder=chinkway&format=csv")
        rows = list(csv.DictReader(answer.text().splitlines()))
        assert [row["bot"] for row in rows] == names
        page = window.go(f"/matches/{scene.match}")
        row = page.get_by_role("row").filter(has=page.get_by_role("link", name="ben", exact=True)).first
        seat, _, points = row.get_by_role("cell").all_inner_texts()[:3]
        events = page.request.get(
            f"{window.address}/api/matches/{scene.match}/events", headers={"accept": "application/x-ndjson"}
        )
        told = [json.loads(line) for line in events.text().splitlines()]
        assert told[0]["entrants"][int(seat)] == "ben"
        assert told[-1]["type"] == "end"
        assert told[-2]["totals"][int(seat)] == int(points)


def reach(page: Page, target: Locator) -> None:
    """Press Tab until something has the focus."""
    for _ in range(80):
        if target.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {target}")


def follow(page: Page, name: str) -> None:
    """Go along a link without a mouse."""
    link = page.get_by_role("link", name=name, exact=True).first
    before = page.evaluate("location.href")
    reach(page, link)
    page.keyboard.press("Enter")
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_load_state("load")


def test_filters_of_a_bot_are_chosen_without_scripts_and_are_in_the_address(visit: Open) -> None:
    with visit(width=390, java_script_enabled=False) as window:
        page = window.go("/bots/house-greedy-1")
        filters = page.get_by_role("form", name="What this page is about")
        filters.get_by_label("Game").select_option("Two-handed")
        filters.get_by_label("Since").fill("2020-01-02")
        filters.get_by_role("button", name="Show").click()
        page.wait_for_url("**game=two**since=2020-01-02**")
        expect(page).to_have_title("house-greedy-1 at Two-handed · Farfalia")
        page.get_by_role("link", name="Loses most to").click()
        page.wait_for_url("**game=two&since=2020-01-02&sort=losses**")
        expect(filters.get_by_label("Since")).to_have_value("2020-01-02")


def test_columns_of_standings_are_chosen_without_scripts_and_folds_open_from_a_link(visit: Open, scene: Scene) -> None:
    with visit(java_script_enabled=False) as window:
        page = window.go(f"/tournaments/{scene.over}")
        table = page.get_by_role("region", name="Standings").get_by_role("table")
        expect(table.get_by_role("columnheader")).to_have_count(5)
        page.get_by_role("link", name="All columns").click()
        page.wait_for_url("**columns=all")
        assert table.get_by_role("columnheader").count() > 10
        expect(page.get_by_text("Commitment", exact=True)).to_be_hidden()
        page.get_by_role("link", name="How the cards are dealt").click()
        expect(page.get_by_text("Commitment", exact=True)).to_be_visible()
