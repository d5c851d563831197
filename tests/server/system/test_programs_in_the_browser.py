"""Programs in a browser without scripts: handed in with a form, followed, chosen, and refused."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import unescape

import httpx
import pytest
from tests.server.hosting_process import BAD, GOOD, archive, host_process
from tests.server.live import LiveServer, live_server, until
from tests.server.system.form_browser import Browser, browser, heading, other

from farfalia.v1 import programs_pb2
from farfalia_server.contract.bounds import LARGEST_ARCHIVE

__all__ = ["browser", "other"]
File = tuple[str, bytes | str]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("programs"), registration="open") as live:
        yield live
    assert "Traceback" not in live.log()


def owner(browser: Browser, name: str) -> str:
    """Sign somebody up who has a bot; its name."""
    browser.sign_up(f"owner-of-{name}")
    browser.send("new-bot", name=name)
    return name


def hand_in(browser: Browser, bot: str, *files: File, **fields: str) -> httpx.Response:
    """Send the form with these files, or none chosen, as a browser does."""
    chosen = [("files", file) for file in files or [("", b"")]]
    data = {"proof": browser.proof(), "once": "1", **fields}
    return browser.client.post("/account/program/hand-in", params={"name": bot}, data=data, files=chosen)


def programs(server: LiveServer, bot: str) -> list[programs_pb2.Program]:
    return list(server.call("ListPrograms", programs_pb2.ListProgramsRequest(bot=bot)).programs)


def checked(browser: Browser, where: str) -> str:
    """The page of a program once its check is over."""
    page = ""

    def over() -> bool:
        nonlocal page
        page = browser.client.get(where).raise_for_status().text
        return "data-checking" not in page

    until(over, lambda: page)
    return page


@pytest.mark.slow
def test_a_file_is_handed_in_checked_played_with_and_left(server: LiveServer, browser: Browser) -> None:
    bot = owner(browser, "ant")
    assert "You connect it yourself" in browser.client.get(f"/account/bot?name={bot}").text
    sent = hand_in(browser, bot, ("bot.py", GOOD), ("notes.txt", "a few words"))
    assert (sent.status_code, sent.headers["location"]) == (303, "/account/program?name=ant&number=1")
    waits = browser.client.get(sent.headers["location"]).text
    assert "It waits:" in waits
    assert "no host is there that checks it" in waits
    with host_process(server):
        page = checked(browser, sent.headers["location"])
        assert heading(page) == "Program 1 of ant"
        assert "It is ready, and ant plays with it." in page
        assert page.count(">passed</span>") == 6
        assert "2 of chinkway without a strike" in page
        assert "none: protects nobody" in browser.client.get("/nodes").text
    assert "It plays with" in browser.client.get(f"/account/bot?name={bot}").text
    assert browser.send("program/activate", bot=bot, number="0").status_code == 303
    assert not programs(server, bot)[0].active
    assert "Play with it" in browser.client.get(f"/account/program?name={bot}").text
    assert browser.send("program/activate", bot=bot, number="1").status_code == 303
    assert programs(server, bot)[0].active


@pytest.mark.slow
def test_what_a_refused_program_wrote_is_shown_and_is_no_part_of_the_page(server: LiveServer, browser: Browser) -> None:
    sent = hand_in(browser, owner(browser, "bee"), ("bot.py", BAD))
    with host_process(server):
        page = checked(browser, sent.headers["location"])
    assert "It is refused" in page
    assert "&lt;b&gt;I am lost&lt;/b&gt;" in page
    assert "no map" in page
    refused = browser.send("program/activate", bot="bee", number="1")
    assert (refused.status_code, "expected one that is ready" in refused.text) == (409, True)


def test_an_archive_goes_as_it_is_and_comes_back_as_it_was(server: LiveServer, browser: Browser) -> None:
    bot, packed = owner(browser, "cat"), archive(bot=GOOD, filler=os.urandom(200_000).hex())
    assert hand_in(browser, bot, ("cat.tar.gz", packed), check_only="yes").status_code == 303
    (program,) = programs(server, bot)
    assert (program.size, program.activates) == (len(packed), False)
    download = browser.client.get("/account/program/archive", params={"name": bot, "number": 1})
    assert download.headers["content-disposition"] == 'attachment; filename="cat-program-1.tar.gz"'
    assert download.content == packed


def test_a_form_that_is_sent_twice_hands_in_once(server: LiveServer, browser: Browser) -> None:
    bot = owner(browser, "dog")
    places = {hand_in(browser, bot, ("bot.py", GOOD)).headers["location"] for _ in range(2)}
    assert len(places) == len(programs(server, bot)) == 1
    assert hand_in(browser, bot, ("bot.py", BAD)).headers["location"] not in places, "another file is another form"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((), "no file is chosen"),
        ((("a/bot.py", GOOD), ("b/bot.py", BAD)), "two files are called 'bot.py'"),
        ((("..", GOOD),), "is no name of a file"),
    ],
    ids=["none", "twice", "dots"],
)
def test_files_that_cannot_be_packed_are_refused(browser: Browser, files: tuple[File, ...], said: str) -> None:
    bot = owner(browser, f"elk-{len(files)}-{len(said)}")
    answer = hand_in(browser, bot, *files)
    assert answer.status_code == 400
    (wrong,) = re.findall(r'id="hand-in-files-wrong"[^>]*>(.*?)</strong>', answer.text)
    assert said in unescape(wrong).lower()


def test_what_is_too_large_is_refused_on_the_page(server: LiveServer, browser: Browser) -> None:
    bot = owner(browser, "fox")
    answer = hand_in(browser, bot, ("fox.zip", b"PK\x03\x04" + bytes(LARGEST_ARCHIVE + (2 << 20))))
    assert (answer.status_code, heading(answer.text)) == (413, "Programs of fox")
    assert "expected at most that" in answer.text
    assert not programs(server, bot)


def test_nobody_else_sees_or_hands_in(server: LiveServer, browser: Browser, other: Browser) -> None:
    bot = owner(browser, "gnu")
    hand_in(browser, bot, ("bot.py", GOOD))
    addresses = [f"/account/program{rest}" for rest in ("?name=gnu", "?name=gnu&number=1", "/archive?name=gnu")]
    assert {other.client.get(address).headers["location"] for address in addresses} == {"/account"}
    assert hand_in(other, bot, ("bot.py", BAD)).headers["location"] == "/account"
    owner(other, "hen")
    assert {other.client.get(address).status_code for address in addresses} == {403}
    assert hand_in(other, bot, ("bot.py", BAD)).status_code == 403
    assert other.send("program/activate", bot=bot, number="1").status_code == 403
    assert len(programs(server, bot)) == 1


def test_the_proof_comes_before_any_file(server: LiveServer, browser: Browser) -> None:
    bot = owner(browser, "ibex")
    parts = {"files": ("bot.py", GOOD), "proof": (None, browser.proof())}
    answer = browser.client.post("/account/program/hand-in", params={"name": bot}, files=parts)
    assert (answer.status_code, "not from the page" in answer.text) == (403, True)
    broken = b'--x\r\ncontent-disposition: form-data; name="proof"\r\n\r\n' + browser.proof().encode()
    kind = {"content-type": "multipart/form-data; boundary=x"}
    for body in (b"", b"--y--", broken):
        answer = browser.client.post(f"/account/program/hand-in?name={bot}", content=body, headers=kind)
        assert answer.status_code in (400, 403), body
    assert not programs(server, bot)
