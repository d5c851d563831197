"""The stage: it fits one screen, nothing in it moves by itself, and a person at the table chooses on it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.arena_scene import Scene
from tests.browser.chromium import Open, Visit, violations
from tests.cli.command import played

from farfalia_engine import Deals, replay, ruleset
from farfalia_server.records.spectator_events import SpectatorEvents

#: Width and height of a phone, a tablet, a laptop, a projector and a large screen.
SCREENS = {390: 844, 768: 1024, 1366: 768, 1920: 1080, 3840: 2160}

_SEAT = """async ([events, me, choices]) => {
  const script = document.querySelector("script[type=module]").src;
  const { Player, held } = await import(new URL("player.js", script).href);
  const box = document.createElement("div");
  box.id = "seat";
  box.style.cssText = "position: fixed; inset: 0; z-index: 9; background: var(--paper)";
  document.querySelector("main").append(box);
  globalThis.chosen = [];
  const onChoose = (action) => globalThis.chosen.push(action);
  globalThis.player = new Player(box, held("words"), { live: true, me, onChoose });
  player.add(events);
  player.offer(choices, { limit: 60000, bank: 0 });
}"""


_MOVED = """globalThis.moved = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      moved.push([value, ...sources.map(({ node }) => (node?.outerHTML ?? "").slice(0, 120))]);
  }).observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize("width", SCREENS)
def test_strip_table_sentence_and_controls_fit_one_screen(visit: Open, scene: Scene, width: int) -> None:
    with visit(width=width, height=SCREENS[width]) as window:
        for path in (f"/matches/{scene.match}/3/4.5", f"/matches/{scene.match}/11/10.5", f"/matches/{scene.live}"):
            page = window.go(path)
            expect(page.locator(".seat").first).to_be_visible()
            for part in (".points", ".felt", ".said", ".desk"):
                assert inside(page.locator(part), page), f"{path}: {part}"
            for part in (".seat", ".trick li", ".centre"):
                assert all(within(one, page.locator(".felt")) for one in page.locator(part).all()), f"{path}: {part}"
            for card in page.locator(".trick li .face").all():
                assert apart(card, page.locator(".race")), f"{path}: a card covers the race"
            assert window.run("document.documentElement.scrollWidth") == width


def inside(part: Locator, page: Page) -> bool:
    """Whether a part is seen as a whole without scrolling."""
    box, screen = part.bounding_box(), page.viewport_size
    assert box is not None
    assert screen is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= screen["height"]


def within(part: Locator, outer: Locator) -> bool:
    """Whether nothing of a part is cut off; a pixel is rounding."""
    box, around = part.bounding_box(), outer.bounding_box()
    assert box is not None
    assert around is not None
    wide = around["x"] - 1 <= box["x"] and box["x"] + box["width"] <= around["x"] + around["width"] + 1
    return wide and around["y"] - 1 <= box["y"] and box["y"] + box["height"] <= around["y"] + around["height"] + 1


def apart(one: Locator, other: Locator) -> bool:
    """Whether two parts do not lie over each other; a pixel is rounding."""
    first, second = one.bounding_box(), other.bounding_box()
    assert first is not None
    assert second is not None
    beside = first["x"] + first["width"] <= second["x"] + 1 or second["x"] + second["width"] <= first["x"] + 1
    return beside or first["y"] + first["height"] <= second["y"] + 1 or second["y"] + second["height"] <= first["y"] + 1


@pytest.mark.parametrize("width", [390, 1366])
def test_nothing_moves_when_a_table_in_play_is_drawn_and_goes_on(visit: Open, scene: Scene, width: int) -> None:
    with visit(width=width, reduced_motion="no-preference") as window:
        window.context.add_init_script(_MOVED)
        page = window.go(f"/matches/{scene.live}")
        page.get_by_label("Speed").or_(page.locator(".seat").first).first.wait_for(state="attached")
        cards = page.locator(".bar input")
        for _ in range(2):
            before = cards.input_value()
            scene.player.let(scene.bot, 3)
            expect(cards).not_to_have_value(before)
        assert window.run("moved") == []


@pytest.mark.parametrize("width", [390, 1366])
def test_nothing_moves_when_a_table_waits_for_others(visit: Open, scene: Scene, width: int) -> None:
    body = 'data: {"type": "behind", "deals": 1}\n\n'
    with visit(width=width) as window:
        window.context.add_init_script(_MOVED)
        window.page.route(
            f"**/api/matches/{scene.live}/events",
            lambda route: route.fulfill(content_type="text/event-stream", body=body),
        )
        page = window.go(f"/matches/{scene.live}")
        status = page.locator(".status")
        expect(status).not_to_be_empty()
        assert status.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), "it is seen as a whole"
        assert window.run("moved") == []


def test_a_ring_around_the_seat_that_is_to_act_drains_with_its_limit(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go(f"/matches/{scene.live}")
        expect(page.locator(".seat.turn")).to_have_count(1)
        length = "document.querySelector('.turn .ring').getAnimations()[0].effect.getTiming().duration"
        page.wait_for_function(f"{length} === 600_000")
        page.keyboard.press("Home")
        assert window.run("document.querySelectorAll('.ring').values().every((one) => !one.getAnimations().length)")


def test_the_strip_says_which_deal_it_is_and_who_leads(visit: Open, scene: Scene) -> None:
    record = scene.server.record(scene.match)
    before = [sum(points) for points in zip(*(deal.points for deal in record.outcome.deals[:2]), strict=True)]
    with visit() as window:
        page = window.go(f"/matches/{scene.match}/3/4.5")
        points = page.locator(".points li b").all_inner_texts()
        assert [int(one) for one in points] == sorted(before, reverse=True)
        names = page.locator(".points .name").all_inner_texts()
        totals = {seat.name: own for seat, own in zip(record.seats, before, strict=True)}
        assert [totals[name] for name in names] == sorted(before, reverse=True)
        expect(page.locator(".points .score")).to_contain_text("ahead by")


def test_a_deal_and_a_match_end_with_their_points_and_places(visit: Open, scene: Scene) -> None:
    record = scene.server.record(scene.match)
    with visit() as window:
        page = window.go(f"/matches/{scene.match}/3")
        page.keyboard.press("End")
        expect(page.locator(".moment")).to_contain_text("Points of deal 3")
        page = window.go(f"/matches/{scene.match}/{len(record.outcome.deals)}")
        page.keyboard.press("End")
        expect(page.locator(".moment")).to_contain_text("Final result")
        places = page.locator(".moment .place").all_inner_texts()
        assert [int(place) for place in places] == sorted(record.outcome.places)
        assert violations(page) == []


def test_n_and_p_go_to_the_neighbouring_deals_and_f_fills_the_screen(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = window.go(f"/matches/{scene.match}/3")
        page.keyboard.press("n")
        page.wait_for_url(f"**/matches/{scene.match}/4")
        page.keyboard.press("p")
        page.wait_for_url(f"**/matches/{scene.match}/3")
        page.keyboard.press("f")
        page.wait_for_function("document.fullscreenElement?.matches('.full-stage')")
        page.keyboard.press("f")
        page.wait_for_function("!document.fullscreenElement")


def test_when_a_match_is_over_the_page_goes_on_to_another_table_unless_one_stays(visit: Open, scene: Scene) -> None:
    record = played(1, game="three-short")
    story = SpectatorEvents(next(replay(record)), [seat.name for seat in record.seats], match=scene.live)
    story.follow_all(record.actions)
    told = [{"id": f"1.{number}", **event.values} for number, event in enumerate(story.events, 1)]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in [*told, {"type": "end"}])
    others = [one.id for one in scene.server.matches(scene.running) if one.id != scene.live]
    with visit() as window:
        window.page.route(
            f"**/api/matches/{scene.live}/events",
            lambda route: route.fulfill(content_type="text/event-stream", body=body),
        )
        page = window.go(f"/matches/{scene.live}")
        expect(page.locator(".moment")).to_contain_text("Final result")
        link = page.get_by_role("link", name="Next table in")
        assert link.get_attribute("href") in [f"/matches/{other}" for other in others]
        assert violations(page) == []
        page.get_by_role("button", name="Stay here").click()
        expect(link).to_have_count(0)
        page = window.go(f"/matches/{scene.live}")
        expect(page.get_by_role("link", name="Next table in")).to_be_visible()
        page.wait_for_url(lambda address: address.endswith(tuple(f"/{other}" for other in others)))


def test_without_script_both_pages_are_words(visit: Open, scene: Scene) -> None:
    with visit(java_script_enabled=False) as window:
        page = window.go(f"/matches/{scene.match}/3")
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Match {scene.match}, deal 3 of 11")
        expect(page.get_by_role("region", name="Tricks of deal 3")).to_be_visible()
        page = window.go(f"/matches/{scene.live}")
        expect(page.get_by_role("link", name="Refresh this page")).to_be_in_viewport()
        expect(page.get_by_role("heading", name="Entrants")).to_be_in_viewport()


def seated(window: Visit, scene: Scene, choices: list[dict[str, Any]]) -> Page:
    """A page with a person's seat at a table of four, before the first card, and what may be chosen there."""
    rules = ruleset("four")
    state = rules.new_match(Deals(bytes(32)))
    story = SpectatorEvents(state, ["wim", "xia", "yan", "zoe"], match=1, limit_ms=60_000)
    assert state.pending is not None
    me = state.pending.seats[0]
    hand = [rules.card_text(card) for card in state.observation(me).hand]
    events = [event.values for event in story.events] + [{"type": "own", "seat": me, "cards": hand}]
    offered = [{**one, "cards": [hand[at] for at in one.get("cards", [])]} for one in choices]
    page = window.go(f"/matches/{scene.match}/1")
    window.run(_SEAT, [events, me, offered])
    return page


CARDS = [{"action": 7, "cards": [0], "text": "one"}, {"action": 8, "cards": [2], "text": "other"}]


def test_a_legal_card_is_chosen_by_a_click_and_others_are_not(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = seated(window, scene, CARDS)
        own = page.locator("#seat .seat.bottom .face")
        expect(page.locator("#seat .may")).to_have_count(2)
        assert violations(page) == []
        own.nth(1).click()
        assert window.run("chosen") == []
        own.nth(2).click()
        assert window.run("chosen") == [8]
        expect(page.locator("#seat .may")).to_have_count(0)
        own.nth(0).click()
        assert window.run("chosen") == [8]


def test_a_card_is_chosen_by_keyboard(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = seated(window, scene, CARDS)
        expect(page.locator("#seat .may").first).to_be_focused()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        assert window.run("chosen") == [8]


def test_a_choice_without_cards_is_one_key_away(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = seated(window, scene, [{"action": 98, "text": "spades"}, {"action": 99, "text": "no trumps"}])
        expect(page.get_by_role("button", name="spades")).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert window.run("chosen") == [99]


def test_a_card_is_dragged_to_the_middle_and_back_it_is_not_chosen(visit: Open, scene: Scene) -> None:
    with visit() as window:
        page = seated(window, scene, CARDS)
        card, middle = page.locator("#seat .may").first, page.locator("#seat .middle")
        drag(page, card, page.locator("#seat .seat.left"))
        assert window.run("chosen") == []
        drag(page, card, middle)
        assert window.run("chosen") == [7]


def drag(page: Page, card: Locator, to: Locator) -> None:
    start, end = card.bounding_box(), to.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 10, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=5)
    page.mouse.up()


def test_several_cards_are_marked_and_taken_by_a_button_as_are_choices_without_cards(visit: Open, scene: Scene) -> None:
    pairs = [
        {"action": 10 * one + other, "cards": [one, other], "text": f"{one} and {other}"}
        for one, other in ((0, 1), (0, 2), (1, 2))
    ]
    with visit() as window:
        page = seated(window, scene, [*pairs, {"action": 99, "text": "no trumps"}])
        own = page.locator("#seat .seat.bottom .face")
        own.nth(0).click()
        own.nth(1).click()
        own.nth(1).click()
        own.nth(2).click()
        page.get_by_role("button", name="0 and 2").click()
        assert window.run("chosen") == [2]
        page = seated(window, scene, [*pairs, {"action": 99, "text": "no trumps"}])
        page.get_by_role("button", name="no trumps").click()
        assert window.run("chosen") == [99]


def test_a_match_that_is_over_is_drawn_for_every_number_of_seats(visit: Open, scene: Scene) -> None:
    """Nothing is cut off whatever the game, on a phone and on a laptop."""
    for game in ("two", "three", "four", "five-hand", "farrago"):
        options = {"players": "5"} if game == "farrago" else {}
        record = played(1, game=game, options=options)
        story = SpectatorEvents(next(replay(record)), [seat.name for seat in record.seats], match=1)
        story.follow_all(record.actions)
        events = [event.values for event in story.events]
        for width in (390, 1366):
            with visit(width=width, height=SCREENS[width]) as window:
                page = window.go(f"/matches/{scene.match}/1")
                window.run(_SEAT, [events, 0, []])
                felt = page.locator("#seat .felt")
                expect(page.locator("#seat .moment")).to_be_visible()
                assert all(within(one, felt) for one in page.locator("#seat .seat").all()), (game, width)
                assert within(page.locator("#seat .moment"), felt), (game, width)
