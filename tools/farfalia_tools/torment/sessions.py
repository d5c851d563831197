"""People who are after the session of somebody else, or have many of their own."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from secrets import token_hex
from urllib.parse import urlencode

from google.protobuf.message import Message

from farfalia.arena import ArenaError
from farfalia.v1 import accounts_pb2
from farfalia_tools.torment.browser import FORM, HostileBrowser, PageAnswer
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness, TormentAccount
from farfalia_tools.torment.stream import DidNotHold

#: Forms that do something to who is signed in, with fields that would.
_FORMS: Mapping[str, Mapping[str, str]] = {
    "sign-out": {"everywhere": "yes"},
    "token": {"sure": "yes"},
    "new-bot": {"name": "intruder"},
    "rename": {"new_name": "intruder"},
    "tokens/create": {"name": "CI", "scope": "all"},
    "events/create": {"name": "intruders"},
}
#: Sessions of one account at a time.
_SESSIONS = 12


@torment
async def fixed_session(harness: Harness) -> str:
    """Give somebody cookies of one's choice before signing in, and use them afterwards.

    Signing in makes a new session each time; the chosen cookies, forms made with them, and a session that was signed
    out are worth nothing.
    """
    owner, victim, thief = await harness.account(), await harness.browser(), await harness.browser()
    chosen = {name: token_hex(16) for name in (victim.session, f"{victim.session}-visitor")}
    for browser in (victim, thief):
        browser.cookies.update(chosen)
    known = await thief.proof()
    await _signed_in(victim, owner)
    first = victim.cookies.get(victim.session, "")
    if first in ("", *chosen.values()):
        raise DidNotHold("signing in kept the cookie that was there before")
    if (await thief.get()).heading == owner.name:
        raise DidNotHold("the cookie that was chosen before signing in is signed in")
    if (forged := await victim.send("new-bot", {"name": f"{owner.name}-x"}, known)).status != 403:
        raise DidNotHold(f"a form from before signing in was answered {forged.status}")
    if (left := await victim.send("sign-out")).status != 303:
        raise DidNotHold(f"signing out was answered {left.status}")
    thief.cookies = {thief.session: first}
    if (await thief.get()).heading == owner.name:
        raise DidNotHold("a session that was signed out is still worth something")
    await _signed_in(victim, owner)
    if victim.cookies[victim.session] == first:
        raise DidNotHold("signing in again gave the same session")
    return "the cookie changed with each signing in, and the old ones were worth nothing"


@torment
async def foreign_forms(harness: Harness) -> str:
    """Send forms of another site in somebody's browser: no proof, a stranger's, another origin, JSON, another type.

    Each is refused with 403 or 415, sets no cookie, and changes nothing.
    """
    owner, victim, stranger = await harness.account(), await harness.browser(), await harness.browser()
    await _signed_in(victim, owner)
    before, own, foreign = await _account(harness, owner.name), await victim.proof(), await stranger.proof()
    attacks: list[tuple[str, str, dict[str, str]]] = [
        ("without a proof", "", {}),
        ("with a stranger's proof", foreign, {}),
        ("from another origin", own, {"origin": "https://evil.example"}),
        ("from no origin", own, {"origin": "null"}),
        ("from another site", own, {"sec-fetch-site": "cross-site"}),
        ("from a neighbouring site", own, {"sec-fetch-site": "same-site"}),
        ("as text", own, {"content-type": "text/plain"}),
        ("as JSON", own, {"content-type": "application/json"}),
        ("in parts", own, {"content-type": "multipart/form-data; boundary=x"}),
    ]
    for form, fields in _FORMS.items():
        for how, proof, headers in attacks:
            answer = await victim.post(form, urlencode({"proof": proof, **fields}).encode(), headers)
            wanted = 403 if headers.get("content-type", FORM) == FORM else 415
            if answer.status != wanted or answer.cookies:
                raise DidNotHold(f"the form {form} {how} was answered {answer.status}, expected {wanted}")
    if await _account(harness, owner.name) != before or (await victim.get()).heading != owner.name:
        raise DidNotHold("a foreign form changed something")
    return f"{len(_FORMS) * len(attacks)} forms were refused"


@torment
async def double_clicks(harness: Harness) -> str:
    """Send forms twice at once from two tabs: sign-ups, new bots, new names; then sign in and out from many browsers.

    Exactly one of two that exclude each other succeeds; after signing out everywhere no session is worth anything.
    """
    owner, first = await harness.account(), await harness.browser()
    await _signed_in(first, owner)
    second, proof = await harness.browser(), await first.proof()
    second.cookies = dict(first.cookies)

    async def twice(form: str, fields: Mapping[str, str]) -> Counter[int]:
        return Counter(one.status for one in await asyncio.gather(*(b.send(form, fields, proof) for b in tabs)))

    tabs = (first, second)
    bots = await twice("new-bot", {"name": f"{owner.name}-bot"})
    if bots != {200: 1, 409: 1}:
        raise DidNotHold(f"two tabs that made the same bot were answered {dict(bots)}")
    renamed = await twice("rename", {"new_name": f"{owner.name}-new"})
    if not renamed[303] or set(renamed) - {303, 404, 409}:
        raise DidNotHold(f"two tabs that gave the same name were answered {dict(renamed)}")
    owner = TormentAccount(f"{owner.name}-new", owner.password)
    found = await _account(harness, owner.name)
    if found is None or [bot.name for bot in found.bots] != [f"{owner.name.removesuffix('-new')}-bot"]:
        raise DidNotHold("after two clicks the account has not its one bot")
    browsers = [await harness.browser() for _ in range(_SESSIONS)]
    await asyncio.gather(*(_signed_in(browser, owner) for browser in browsers))
    kept = [dict(browser.cookies) for browser in browsers]
    leaving = await asyncio.gather(*(one.send("sign-out", {"everywhere": "yes"}) for one in browsers))
    if set(told := Counter(answer.status for answer in leaving)) - {303, 401, 403}:
        raise DidNotHold(f"signing out everywhere at once was answered {dict(told)}")
    for browser, cookies in zip(browsers, kept, strict=True):
        browser.cookies = cookies
    if any(page.heading == owner.name for page in await asyncio.gather(*(browser.get() for browser in browsers))):
        raise DidNotHold("after signing out everywhere a session is still worth something")
    return f"of two bots one was made, of two names one given, and {_SESSIONS} sessions ended together"


async def _signed_in(browser: HostileBrowser, owner: TormentAccount) -> PageAnswer:
    answer = await browser.send("sign-in", owner.signing_in)
    if answer.status != 303:
        raise DidNotHold(f"signing in was answered {answer.status}")
    return answer


async def _account(harness: Harness, name: str) -> accounts_pb2.GetAccountResponse | None:
    """Return an account with its bots, as the organiser sees it; None if there is none."""
    try:
        answer: Message = await harness.arena.ask("GetAccount", accounts_pb2.GetAccountRequest(name=name))
    except ArenaError:
        return None
    assert isinstance(answer, accounts_pb2.GetAccountResponse)
    return answer
