"""A table that is watched while it plays, and after its server was killed and started again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect
from tests.browser.arena_scene import Player
from tests.browser.chromium import violations, visiting
from tests.server.live import live_server
from tests.server.rawbot import RawBot

from farfalia.v1 import record_pb2, stages_pb2, tournaments_pb2

GAME = "three"
CONTROL = record_pb2.TimeControl(limit_ms=600_000, bank_ms=0, grace=3)
#: Cards of the first deal, four in each of its tricks.
CARDS = 4 * 13


def test_a_table_is_drawn_as_it_plays_and_goes_on_when_the_server_comes_back(browser: Browser, tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        token, holding = server.register("ada"), Player()
        holding.hold(0)
        names = ["ada", "house-greedy-1", "house-greedy-2"]
        settings: dict[str, Any] = {"control": CONTROL, "ruleset": GAME, "boards": stages_pb2.BOARDS_FRESH}
        number = server.tournament(names, rounds=1, start=False, **settings)
        with RawBot(server.grpc_address, token, rulesets=(GAME,), react=holding) as bot:
            bot.until(lambda: bot.messages)
            server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
            bot.until(lambda: holding.asked)
            (match,) = [match.id for match in server.matches(number)]
            with visiting(browser, f"http://{server.http_address}") as window:
                page = window.go(f"/matches/{match}")
                page.get_by_label("Speed").select_option("very fast")
                answer(holding, bot, 6)
                page.get_by_role("button", name="To the card in play").click()
                seen = played(page, 8)
                assert page.locator(".seat").count() == 4
                assert page.locator(".stack").count() == 7, "of a dummy is seen what lies open"
                assert page.locator(".stack .face:not(.back)").count() <= 7
                assert page.locator(".hand, .cards:not(.stacks) .face:not(.back)").count() == 0, "no hand is shown"
                assert violations(page) == []
                bot.close()
                server.kill()
                expect(page.get_by_text("The server does not answer; the page tries again.")).to_be_visible()
                server.start()
                holding.asked = []
                with RawBot(server.grpc_address, token, rulesets=(GAME,), react=holding) as again:
                    again.until(lambda: holding.asked)
                    answer(holding, again, 4)
                    assert played(page, seen + 4) > seen, "the table goes on where it was"
                    expect(page.get_by_text("The server does not answer")).to_have_count(0)
                    holding.let(again, 10**6)
                    expect(page.get_by_text("The match is over.").first).to_be_visible()
                refused = [fault for fault in window.faults if "ERR_" in fault]
                window.faults = [fault for fault in window.faults if fault not in refused]
                assert refused, "the browser tried again by itself"


def test_the_front_page_shows_a_table_and_when_it_is_over_the_next(browser: Browser, tmp_path: Path) -> None:
    with live_server(tmp_path) as server, visiting(browser, f"http://{server.http_address}") as window:
        page, token, holding = window.go("/"), server.register("ada"), Player()
        watched = page.get_by_role("region", name="A table in progress")
        expect(watched).to_have_count(0)
        with RawBot(server.grpc_address, token, rulesets=(GAME,), react=holding) as bot:
            bot.until(lambda: bot.messages)
            for _ in range(2):
                holding.hold(0)
                names = ["ada", "house-greedy-1", "house-greedy-2"]
                number = server.tournament(
                    names, rounds=1, control=CONTROL, ruleset=GAME, boards=stages_pb2.BOARDS_FRESH
                )
                bot.until(lambda: holding.asked)
                (match,) = [match.id for match in server.matches(number)]
                expect(watched.get_by_role("link", name=f"{GAME}, match {match}")).to_be_visible()
                expect(watched.locator(".seat")).to_have_count(4)
                expect(watched.get_by_role("button", name="Stop")).to_be_visible()
                holding.let(bot, 10**6)
                server.wait_for(number)


def answer(player: Player, bot: RawBot, questions: int) -> None:
    """Answer so many more, one after the other."""
    for _ in range(questions):
        player.let(bot, 1)
        bot.until(lambda: player.asked)


def played(page: Page, cards: int) -> int:
    """How many cards of the first deal lie, once it is as many as that."""
    page.wait_for_function("(cards) => Number(document.querySelector('.bar input')?.value) >= cards", arg=cards)
    return int(page.locator(".bar input").input_value())
