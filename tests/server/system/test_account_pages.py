"""The pages of those who sign in: what a person does there, and what nobody else can do to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from tests.server.live import ADMIN, LiveServer, live_server
from tests.server.rawbot import RawBot
from tests.server.system.every_form import FILES, FORMS
from tests.server.system.form_browser import PASSWORD, Browser, browser, heading, once_in, other, token_in

from farfalia.v1 import accounts_pb2, bots_pb2, programs_pb2, tournaments_pb2
from farfalia_server.contract.registration import Registration
from farfalia_server.web.account_pages import AccountPages
from farfalia_server.web.bot_desk import BotDesk
from farfalia_server.web.challenge_pages import ChallengePages
from farfalia_server.web.draft_desk import DraftDesk
from farfalia_server.web.event_desk import EventDesk
from farfalia_server.web.form_pages import FormPages
from farfalia_server.web.oidc_pages import OidcPages
from farfalia_server.web.password_pages import PasswordPages
from farfalia_server.web.people_pages import PeoplePages
from farfalia_server.web.program_pages import ProgramPages
from farfalia_server.web.token_pages import TokenPages
from farfalia_server.web.tournament_desk import TournamentDesk

PAGES = {"/account"} | {
    f"/account/{page}"
    for page in (
        "bot",
        "bot/match",
        "challenges",
        "events",
        "events/log",
        "lost-password",
        "new-password",
        "oidc/callback",
        "people",
        "person",
        "program",
        "program/archive",
        "tokens",
        "tournaments",
        "tournaments/draft",
    )
}
__all__ = ["browser", "other"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("accounts"), registration="open") as live:
        yield live
    assert "Traceback" not in live.log()


@pytest.fixture(scope="module")
def olga(server: LiveServer) -> Iterator[Browser]:
    """Somebody who has signed up, with a bot of the name ant."""
    with Browser(server) as olga:
        assert olga.sign_up("olga").status_code == 303
        assert "Token of ant" in olga.send("new-bot", name="ant").text
        yield olga


def account(server: LiveServer, name: str) -> accounts_pb2.GetAccountResponse:
    answer = server.call("GetAccount", accounts_pb2.GetAccountRequest(name=name))
    assert isinstance(answer, accounts_pb2.GetAccountResponse)
    return answer


def test_a_stranger_signs_up_and_registers_a_bot_that_plays(server: LiveServer, browser: Browser) -> None:
    answer = browser.sign_up("stella")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert heading(browser.client.get("/account").text) == "stella"
    shown = browser.send("new-bot", name="star")
    assert (shown.status_code, shown.headers["cache-control"]) == (200, "no-store")
    token = token_in(shown.text)
    assert f"FARFALIA_TOKEN={token}" in shown.text
    with RawBot(server.grpc_address, token) as bot:
        bot.until(lambda: bot.messages)
        assert "connected</span>" in browser.client.get("/account").text
    assert token not in browser.client.get("/account").text
    assert [bot.name for bot in account(server, "stella").bots] == ["star"]


def test_somebody_signs_out_and_in_again(browser: Browser) -> None:
    browser.sign_up("sally")
    first = browser.session
    assert browser.send("sign-out").status_code == 303
    assert not browser.session
    assert heading(browser.client.get("/account").text) == "Your account"
    assert browser.send("sign-in", name="sally", password=PASSWORD).status_code == 303
    assert browser.session not in ("", first)
    assert heading(browser.client.get("/account").text) == "sally"


def test_a_session_that_was_ended_signs_nobody_in(browser: Browser, other: Browser) -> None:
    browser.sign_up("sven")
    other.client.cookies.set("farfalia", browser.session)
    assert heading(other.client.get("/account").text) == "sven"
    browser.send("sign-out", everywhere="yes")
    assert "Your session has ended" in other.client.get("/account").text


def test_a_new_password_ends_other_sessions_and_not_the_one_that_chose_it(browser: Browser, other: Browser) -> None:
    browser.sign_up("susan")
    other.send("sign-in", name="susan", password=PASSWORD)
    wrong = browser.send("password", old="not this", password="quite another")
    assert (wrong.status_code, "password is wrong" in wrong.text) == (401, True)
    assert browser.send("password", old=PASSWORD, password="quite another").status_code == 303
    assert heading(browser.client.get("/account").text) == "susan"
    assert "Your session has ended" in other.client.get("/account").text
    assert other.send("sign-in", name="susan", password=PASSWORD).status_code == 401
    assert other.send("sign-in", name="susan", password="quite another").status_code == 303


def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(browser: Browser) -> None:
    answer = browser.send("sign-up", name="no spaces please", password=PASSWORD)
    assert answer.status_code == 400
    assert 'value="no spaces please"' in answer.text
    assert 'aria-invalid="true"' in answer.text
    assert PASSWORD not in answer.text
    short = browser.send("sign-up", name="shorty", password="short")
    assert "password has 5 characters; expected 8 to 200" in short.text.lower()
    taken = browser.send("sign-up", name="shorty", password="")
    assert "choose a password" in taken.text.lower()


def test_a_wrong_name_and_a_wrong_password_are_answered_alike(olga: Browser, browser: Browser) -> None:
    answers = [browser.send("sign-in", name=name, password="wrong") for name in ("olga", "nobody-there", "no name")]
    assert {answer.status_code for answer in answers} == {401}
    texts = {re.sub(r'value="[^"]*"', "", answer.text) for answer in answers}
    assert len(texts) == 1


def test_guessing_is_slowed_down(browser: Browser) -> None:
    browser.sign_up("guessed")
    other = [browser.send("sign-in", name="guessed", password=f"guess {number}").status_code for number in range(12)]
    assert other[0] == 401
    assert other[-1] == 429


def test_an_account_that_is_revoked_has_neither_session_nor_password(server: LiveServer, browser: Browser) -> None:
    browser.sign_up("banned")
    server.call("RevokeAccount", accounts_pb2.RevokeAccountRequest(name="banned"))
    assert heading(browser.client.get("/account").text) == "Your account"
    assert browser.send("sign-in", name="banned", password=PASSWORD).status_code == 401


@pytest.mark.parametrize("form", FORMS)
def test_no_get_changes_anything(server: LiveServer, olga: Browser, form: str) -> None:
    before = account(server, "olga")
    answer = olga.client.get(f"/account/{form}", params={"proof": olga.proof(), **FORMS[form]})
    assert answer.status_code == 405
    assert account(server, "olga") == before


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "attack", ["no proof", "a wrong proof", "a stranger's proof", "another origin", "another site", "no form"]
)
def test_a_foreign_form_changes_nothing(
    server: LiveServer, olga: Browser, browser: Browser, form: str, attack: str
) -> None:
    before, fields = account(server, "olga"), dict(FORMS[form])
    headers: dict[str, str] = {}
    if attack == "a wrong proof":
        fields["proof"] = "0" * 64
    elif attack == "a stranger's proof":
        fields["proof"] = browser.proof()
    elif attack != "no proof":
        fields["proof"] = olga.proof()
    if attack == "another origin":
        headers = {"origin": "https://evil.example"}
    elif attack == "another site":
        headers = {"sec-fetch-site": "cross-site"}
    if attack == "no form":
        answer = olga.client.post(f"/account/{form}", json=fields)
        assert answer.status_code == 415
    else:
        query = {"name": "ant"} if form in FILES else None
        files = FILES.get(form)
        answer = olga.client.post(f"/account/{form}", params=query, data=fields, files=files, headers=headers)
        assert answer.status_code == 403
    assert account(server, "olga") == before
    assert not server.call("ListPrograms", programs_pb2.ListProgramsRequest(bot="ant")).programs
    assert heading(olga.client.get("/account").text) == "olga"
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "form", ["password", "email", "token", "new-bot", "bot-token", "revoke-bot", "rename", "remove"]
)
def test_who_is_not_signed_in_changes_nothing(server: LiveServer, olga: Browser, browser: Browser, form: str) -> None:
    before = account(server, "olga")
    assert browser.send(form, **FORMS[form]).status_code == 401
    assert account(server, "olga") == before
    assert "intruder" not in {bot.name for bot in server.call("ListBots", bots_pb2.ListBotsRequest()).bots}


def test_every_form_is_attacked_here() -> None:
    none = cast(Any, None)
    made: list[FormPages] = [AccountPages(none, none, none, Registration.OPEN, "1"), PeoplePages(none, none, none)]
    made.append(OidcPages(none, none, none, Registration.OPEN, ""))
    made += [
        desk(none, none, none)
        for desk in (
            *(EventDesk, TournamentDesk, DraftDesk, BotDesk, ProgramPages),
            *(TokenPages, ChallengePages, PasswordPages),
        )
    ]
    routes = [route for part in made for route in part.routes()]
    assert {f"/account/{form}" for form in FORMS} == {route.path for route in routes if "POST" in (route.methods or ())}
    assert {route.path for route in routes if "GET" in (route.methods or ())} == PAGES


@pytest.mark.parametrize(
    "form",
    [
        *(f"bot/{act}" for act in ("suspend", "hide", "strike")),
        *(form for form in FORMS if form.startswith(("people/", "events/", "tournaments/")) and "withdraw" not in form),
    ],
)
def test_who_is_no_organiser_manages_nobody(server: LiveServer, olga: Browser, form: str) -> None:
    before = account(server, "olga")
    assert olga.send(form, **FORMS[form]).status_code in (403, 404)
    assert account(server, "olga") == before
    assert not server.call("ListTournaments", tournaments_pb2.ListTournamentsRequest()).tournaments


def test_who_is_no_organiser_sees_no_page_of_theirs(olga: Browser) -> None:
    for page in ("/account/people", "/account/tournaments"):
        assert olga.client.get(page).status_code == 403


def test_an_organiser_invites_gives_back_a_password_and_bans(
    server: LiveServer, browser: Browser, other: Browser
) -> None:
    answer = browser.send("admin", name="anna", password=PASSWORD, token=ADMIN)
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert 'href="/account/people"' in browser.client.get("/account").text
    invited = browser.send("people/invite", note="class 3b", uses="2", days="7")
    (code,) = re.findall(r"account\?code=([\w-]+)", invited.text)
    assert f"<code>{code}</code>" in invited.text
    people = browser.client.get("/account/people").text
    assert "class 3b" in people
    assert code not in people
    other.sign_up("pupil")
    (link,) = re.findall(r"new-password\?link=([\w-]+)", browser.send("people/new-password", account="pupil").text)
    assert link in other.client.get("/account/new-password", params={"link": link}).text
    other.client.cookies.clear()
    short = other.send("choose-password", link=link, password="short")
    assert (short.status_code, "expected 8 to 200" in short.text, link in short.text) == (400, True, True)
    assert other.send("choose-password", link=link, password="a new password").status_code == 303
    assert other.send("choose-password", link=link, password="another password").status_code == 401
    assert other.send("sign-in", name="pupil", password="a new password").status_code == 303
    asked = browser.send("people/ban", account="pupil")
    assert heading(asked.text) == "Ban pupil?"
    assert heading(other.client.get("/account").text) == "pupil"
    assert browser.send("people/ban", account="pupil", sure="yes").status_code == 303
    assert heading(other.client.get("/account").text) == "Your account"
    assert account(server, "pupil").account.HasField("revoked")


def test_a_number_that_is_none_is_refused_beside_its_field(browser: Browser) -> None:
    browser.send("admin", name="ann", password=PASSWORD, token=ADMIN)
    answer = browser.send("people/invite", note="x", uses="many")
    assert (answer.status_code, "expected a whole number" in answer.text) == (400, True)
    assert 'value="many"' in answer.text
    assert browser.send("people/invite", uses="20000").status_code == 400


def test_a_wrong_admin_token_makes_nobody_an_admin(browser: Browser) -> None:
    answer = browser.send("admin", name="eve", password=PASSWORD, token="guessed")
    assert answer.status_code == 401
    assert "guessed" not in answer.text


def test_a_form_that_is_sent_twice_does_what_it_says_once(server: LiveServer, browser: Browser) -> None:
    browser.sign_up("dora")
    fields = {"proof": browser.proof(), "once": once_in(browser.client.get("/account").text), "name": "doras"}
    first, second = (browser.client.post("/account/new-bot", data=fields) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert token_in(first.text) == token_in(second.text)
    other = browser.client.post("/account/new-bot", data=fields | {"name": "another"})
    assert token_in(other.text) != token_in(first.text), "the same page, filled in differently"
    assert [bot.name for bot in account(server, "dora").bots] == ["another", "doras"]


@pytest.mark.parametrize("form", ["bot-token", "revoke-bot", "bot/rename", "bot/remove", "bot/challengers"])
def test_nobody_touches_the_bots_of_others(server: LiveServer, olga: Browser, browser: Browser, form: str) -> None:
    before = account(server, "olga")
    browser.sign_up(f"thief-{form.replace('/', '-')}")
    assert browser.send(form, **FORMS[form]).status_code == 403
    assert account(server, "olga") == before


def test_a_session_that_somebody_else_has_chosen_is_not_taken_over(browser: Browser) -> None:
    chosen = "farfalia_session_chosen"
    browser.client.headers["cookie"] = f"farfalia={chosen}"
    answer = browser.sign_up("fixed")
    (session,) = (line for line in answer.headers.get_list("set-cookie") if line.startswith("farfalia="))
    assert chosen not in session


def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(browser: Browser) -> None:
    answer = browser.sign_up("cookie")
    (session,) = (line for line in answer.headers.get_list("set-cookie") if line.startswith("farfalia="))
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {part.strip() for part in session.split(";")}


def test_a_form_of_ten_megabytes_is_refused(browser: Browser) -> None:
    answer = browser.client.post("/account/sign-up", data={"name": "x" * 10_000_000})
    assert answer.status_code == 413


def test_a_session_makes_calls_in_place_of_a_token(server: LiveServer, browser: Browser) -> None:
    browser.sign_up("caller")
    headers = {"authorization": f"Bearer {browser.session}"}
    answer = browser.client.post("/api/calls/GetAccount", json={}, headers=headers)
    assert answer.json()["account"]["name"] == "caller"
    cookies = browser.client.post("/api/calls/GetAccount", json={})
    assert (cookies.status_code, cookies.json()["reason"]) == (401, "TOKEN_MISSING")


def test_the_admin_gives_back_a_lost_password(server: LiveServer, browser: Browser) -> None:
    browser.sign_up("forgetful")
    server.call("SetPassword", accounts_pb2.SetPasswordRequest(name="forgetful", password="from the admin"))
    assert "Your session has ended" in browser.client.get("/account").text
    assert browser.send("sign-in", name="forgetful", password="from the admin").status_code == 303
    assert ADMIN not in browser.client.get("/account").text
