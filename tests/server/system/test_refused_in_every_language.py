"""What a form, or an address, is refused for is said in the language of the reader: no sentence stays English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

import httpx
import pytest
from tests.server.live import ADMIN, LiveServer, live_server
from tests.server.system.every_form import FILES, FORMS
from tests.server.system.form_browser import PASSWORD, Browser

from farfalia_server.wording.language import LANGUAGES, SOURCE

pytestmark = pytest.mark.slow  # a thousand requests

#: Addresses of nothing, and parameters that do not do.
ADDRESSES: Final = (
    *("/matches/9", "/matches/x", "/matches/9/1", "/matches/9/1/4.2", "/matches/9/1/x", "/matches/9/actions/1"),
    *("/tournaments/9", "/tournaments/x", "/tournaments/9/boards/board-1-1", "/tournaments/9/sheets"),
    *("/bots/nobody", "/bots/olg", "/bots/%00", "/bots/nobody/vs/ant", "/bots/ant/vs/ant", "/bots/ant?version=9"),
    *("/bots/ant?since=today", "/bots/ant?nothing=1", "/bots?nothing=1", "/bots?limit=x", "/bots?limit=2000"),
    *("/ladders/nowhere", "/ladders/for", "/ladders/four?order=height", "/ladders/four?after=%20"),
    *("/matches?bot=nobody", "/matches?game=chess", "/matches?state=odd", "/matches?tournament=9", "/matches?limit=-1"),
    *("/matches?against=ant", "/matches?strikes=perhaps", "/matches?place=2", "/matches?nothing=1", "/matches?place=9"),
    *("/matches?event=nowhere", "/matches?since=x", "/matches?before=9", "/events/nowhere", "/rules/chess", "/nowhere"),
    *("/docs/nothing", "/downloads/nothing", "/play/9", "/play/with/nothing"),
    *("/embed/matches/9", "/search?nothing=1", f"/search?q={'x' * 300}", "/account/events?event=nowhere", "/language"),
    *("/account/tournaments/draft?draft=9", "/account/bot?name=nobody", "/account/bot/match?name=ant&match=9"),
    *("/account/program?name=nobody", "/account/challenges?game=chess", "/matches/9/analysis", "/tournaments/9/wall"),
)
#: What stands in no field.
BAD: Final = "?? \N{ZERO WIDTH SPACE}"
_REFUSAL: Final = re.compile(r'<(?:p class="notice" role="alert"|strong [^>]*class="wrong")>(.*?)</(?:p|strong)>', re.S)
_ERROR: Final = re.compile(r"</h1>\s*<p>(.*?)</p>", re.S)
_TAG: Final = re.compile(r"<[^>]*>")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("refused"), registration="open") as live:
        yield live
    assert "Traceback" not in live.log()


@pytest.fixture(scope="module")
def people(server: LiveServer) -> Iterator[dict[str, Browser]]:
    """Somebody without an account, an owner with a bot of the name ant, and an organiser of the arena."""
    with Browser(server) as stranger, Browser(server) as owner, Browser(server) as organiser:
        assert owner.sign_up("olga").status_code == 303
        assert owner.send("new-bot", name="ant").status_code == 200
        assert organiser.send("admin", name="otto", password=PASSWORD, token=ADMIN).status_code == 303
        assert organiser.send("events/create", name="course", title="A course").status_code == 303
        yield {"stranger": stranger, "owner": owner, "organiser": organiser}


def refusals(answer: httpx.Response) -> list[str]:
    """What a page says of why something was refused."""
    if answer.status_code < 400:
        return []
    if not answer.headers["content-type"].startswith("text/html"):
        return [answer.text]
    found = _REFUSAL.findall(answer.text) or _ERROR.findall(answer.text)[:1]
    return [unescape(_TAG.sub("", one)).strip() for one in found]


def sent(browser: Browser, form: str, fields: dict[str, str], proof: str) -> httpx.Response:
    return browser.client.post(
        f"/account/{form}",
        params={"name": "ant"} if form in FILES else None,
        data={"proof": proof, **fields},
        files={"files": ("..", b"")} if form in FILES else None,
    )


def in_every_language(browser: Browser, answered: str, fields: dict[str, str] | None = None) -> dict[str, list[str]]:
    """Why a form, or an address, is refused, by the language of who asks."""
    found, proof = {}, "" if fields is None else browser.proof()
    for code in LANGUAGES:
        browser.client.headers["accept-language"] = code
        answer = browser.client.get(answered) if fields is None else sent(browser, answered, fields, proof)
        found[code] = refusals(answer)
    return found


def left_english(found: dict[str, list[str]]) -> list[str]:
    """The sentences that are the same in English and in another language."""
    return [one for code, texts in found.items() if code != SOURCE for one in texts if one in found[SOURCE]]


@pytest.mark.parametrize("form", [form for form in FORMS if form != "sign-out"])
def test_a_refused_form_says_why_in_the_readers_language(people: dict[str, Browser], form: str) -> None:
    refused = []
    given = FORMS[form]
    bad = {name: "yes" if name == "sure" else BAD for name in given}
    unknown = bad | {name: "9" for name in given if given[name].isdigit()}
    for who, fields in (
        *((who, bad) for who in people),
        ("organiser", unknown),
        ("organiser", {}),
    ):
        found = in_every_language(people[who], form, fields)
        assert not left_english(found), (who, fields)
        refused += found[SOURCE]
    assert refused


@pytest.mark.parametrize("who", ["stranger", "owner"])
def test_an_address_that_is_refused_says_why_in_the_readers_language(people: dict[str, Browser], who: str) -> None:
    refused = 0
    for address in ADDRESSES:
        found = in_every_language(people[who], address)
        assert not left_english(found), address
        refused += bool(found[SOURCE])
    assert refused > len(ADDRESSES) / 2
