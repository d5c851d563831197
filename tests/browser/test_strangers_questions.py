"""What strangers ask, fifteen questions, is answered within three clicks from the front page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.browser.arena_scene import HOUSE, Scene
from tests.browser.chromium import Open, Visit, visiting
from tests.server.live import LiveServer, live_server, until
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import bots_pb2, tournaments_pb2


class Stranger:
    """Begins at the front page and has three clicks."""

    def __init__(self, window: Visit) -> None:
        self.page: Page = window.go("/")
        self.clicks = 3
        self.main = self.page.locator("main")

    def click(self, on: Locator) -> None:
        """Follow a link, or send a form."""
        assert self.clicks, "a fourth click"
        self.clicks -= 1
        with self.page.expect_event("load"):
            on.first.click()

    def link(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("link", name=name, exact=True)

    def row(self, text: str) -> Locator:
        return self.main.get_by_role("row").filter(has_text=text)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that anyone may join, with a bot of two versions, and a tournament that has a time to start."""
    with live_server(tmp_path_factory.mktemp("questions"), registration="open") as server:
        token = server.register("cleo")
        entrants = ("cleo", *HOUSE[:4])
        with RawBot(server.grpc_address, token, react=first_legal):
            for version in ("1", "2"):
                if version != "1":
                    server.call("RegisterBot", bots_pb2.RegisterBotRequest(name="cleo", version=version))
                server.wait_for(server.tournament(entrants, ruleset="basic", rounds=5))
        coming = tournaments_pb2.CreateTournamentRequest(name="Winter League", bots=HOUSE, rounds=2)
        coming.starts.FromDatetime(datetime(2061, 12, 1, 18, tzinfo=UTC))
        server.call("CreateTournament", coming)
        until(lambda: "stronger" in server.page("/bots/cleo?game=basic")[1], patience=60)
        yield server


def test_what_is_this(visit: Open) -> None:
    with visit() as window:
        stranger = Stranger(window)
        expect(stranger.main).to_contain_text("seats bots at card tables")


def test_how_is_it_played(visit: Open) -> None:
    with visit() as window:
        stranger = Stranger(window)
        rules = stranger.main.get_by_role("region", name="The rules in 60 seconds")
        assert rules.get_by_role("listitem").count() == 7
        stranger.click(stranger.link("See a deal, card by card"))
        expect(stranger.main.locator(".face").first).to_be_visible()


def test_what_is_being_played_now(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        expect(stranger.main.get_by_role("region", name="A table in progress").locator(".seat").first).to_be_visible()
        stranger.click(stranger.main.locator(f"a[href='/matches/{scene.live}']"))
        expect(stranger.main).to_contain_text("ada")
        expect(stranger.page.get_by_role("region", name="At the table")).to_be_visible()


def test_which_deal_is_it_and_who_leads(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.main.locator(f"a[href='/matches/{scene.live}']"))
        expect(stranger.page.locator(".points .score")).to_have_text(re.compile(r"deal \d+ of \d+", re.I))
        expect(stranger.page.locator(".points .score")).to_have_text(re.compile("ahead by|level"))
        assert stranger.page.locator(".points li b").count() == 3, "the points of each"


def test_who_is_best_and_is_it_luck(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        best = stranger.page.locator(".ladder tbody th a").first.inner_text()
        stranger.click(stranger.link("Ladder"))
        rows = stranger.page.locator(".ladder tbody tr")
        expect(rows.first).to_contain_text(best)
        expect(stranger.main).to_contain_text("Where bars overlap, the results do not yet tell which bot is better")
        assert stranger.page.locator(".ladder tbody .interval").count() == rows.count()


def test_can_i_check_it(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("All matches"))
        stranger.click(stranger.main.locator(f"a[href='/matches/{scene.match}']"))
        with window.page.expect_download() as download:
            stranger.link(f"match-{scene.match}.json").click()
        assert download.value.suggested_filename == f"match-{scene.match}.json"
        stranger.main.locator("summary").filter(has_text="board-").click()
        expect(stranger.main).to_contain_text("farfalia verify checks the record")


def test_how_good_is_a_bot_and_how_sure_is_that(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Ladder"))
        stranger.click(stranger.link("ada"))
        expect(stranger.page.get_by_role("heading", level=1)).to_contain_text("ada")
        expect(stranger.main.locator(".lead-in")).to_contain_text(re.compile(r"ada 1: .*of \d+"))
        expect(stranger.main).to_contain_text("95 %")


def test_against_whom_does_it_lose_in_this_game(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Ladder"))
        stranger.click(stranger.link("ada"))
        stranger.click(stranger.link("Loses most to"))
        table = stranger.main.get_by_role("region", name="Opponents")
        shares = [int(one.split(" ")[0]) for one in table.locator("td.whole").all_inner_texts()]
        assert len(shares) > 1
        assert shares[0] < 50
        expect(stranger.page.get_by_label("Game")).to_have_value("chinkway")


def test_what_did_it_fail_on(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Ladder"))
        stranger.click(stranger.link("ben"))
        stranger.click(stranger.main.locator("a[href*='/bots/ben/incidents']"))
        expect(stranger.row("deal 1").last).to_contain_text(re.compile(r"card \d+\.\d+"))


def test_what_were_its_worst_decisions(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Ladder"))
        stranger.click(stranger.link("house-greedy-1"))
        stranger.page.get_by_label("Game").select_option("two")
        stranger.click(stranger.page.get_by_role("button", name="Show"))
        stranger.main.get_by_text("Its dearest mistakes").click()
        dearest = stranger.main.get_by_role("listitem").filter(has_text="points dearer than")
        expect(dearest.first.get_by_role("link", name=re.compile(r"^Match \d+, deal \d+$"))).to_be_visible()


def test_is_its_second_version_better(browser: Browser, server: LiveServer) -> None:
    with visiting(browser, f"http://{server.http_address}") as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("cleo"))
        second = stranger.main.get_by_role("region", name="Versions").get_by_role("row").nth(1)
        expect(second.get_by_role("rowheader")).to_have_text("2")
        expect(second.get_by_role("cell").last).to_have_text(re.compile(r"(stronger|weaker) than 1.* %"))


def test_what_did_others_make_of_the_same_cards(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Matches"))
        stranger.click(stranger.main.get_by_role("link", name=re.compile(r"board-\d+-\d+")))
        assert stranger.page.url.partition("/boards/")[2]
        assert stranger.main.locator("a[href^='/matches/']").count() >= 2


def test_why_was_a_match_lost(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Matches"))
        stranger.click(stranger.main.locator(f"a[href='/matches/{scene.match}']"))
        assert stranger.main.get_by_role("row").count() > 5, "what each has collected in each deal"
        stranger.click(stranger.main.get_by_role("link", name=re.compile(r"deal 4$", re.I)))
        expect(stranger.page.locator("#replay")).to_be_visible()


def test_who_won_the_cup_and_how(visit: Open, scene: Scene) -> None:
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Summer Finals"))
        first = stranger.main.locator(".podium li").first
        winner = first.get_by_role("link").inner_text()
        expect(first.locator(".why")).not_to_be_empty()
        final = stranger.main.locator(".bracket section").last
        expect(final.get_by_role("row").filter(has_text="wins")).to_contain_text(winner)
        assert all(points.isdecimal() for points in final.locator("td.n:nth-of-type(2)").all_inner_texts())


def test_how_do_i_enter_a_bot_and_get_a_token(browser: Browser, server: LiveServer) -> None:
    with visiting(browser, f"http://{server.http_address}") as window:
        stranger = Stranger(window)
        for words in ("farfalia.run(", "pip install", "FARFALIA_TOKEN"):
            expect(stranger.main).to_contain_text(words)
        stranger.click(stranger.main.get_by_role("link", name="your account"))
        form = stranger.page.get_by_role("form", name="Make an account")
        form.get_by_label("Name").fill("stranger")
        form.get_by_label("Password").fill("a good password")
        stranger.click(form.get_by_role("button", name="Make an account"))
        stranger.page.get_by_label("Name", exact=True).fill("stray")
        stranger.click(stranger.page.get_by_role("button", name="Register"))
        expect(stranger.page.get_by_label("The token")).not_to_be_empty()


def test_when_does_it_begin_or_end(browser: Browser, server: LiveServer, visit: Open, scene: Scene) -> None:
    with visiting(browser, f"http://{server.http_address}") as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Winter League"))
        expect(stranger.main.locator(".starts")).to_contain_text("2061")
        expect(stranger.link("Calendar")).to_be_visible()
    with visit() as window:
        stranger = Stranger(window)
        stranger.click(stranger.link("Autumn Evening"))
        expect(stranger.main.locator("[data-fact=progress]")).to_have_text(re.compile(r"\d+ of \d+ matches"))
