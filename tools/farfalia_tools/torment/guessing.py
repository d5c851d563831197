"""People who guess passwords, and who make accounts by the hundred."""

from __future__ import annotations

import asyncio
from secrets import token_hex

from farfalia_server.net.client_address import is_counted
from farfalia_server.play import limits
from farfalia_tools.torment.browser import HostileBrowser, PageAnswer
from farfalia_tools.torment.catalogue import torment
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.stream import DidNotHold

#: Guesses until one must have been refused as too many: some come back while others are checked.
_GUESSES = limits.WRONG_PASSWORDS_BURST * 3
#: Sign-ups until one must have been refused, and how many are under way at a time.
_SIGN_UPS, _AT_ONCE = 400, 8
_CLOSED = ("REGISTRATION_CLOSED", "INVITATION_MISSING")


@torment
async def guessed_passwords(harness: Harness) -> str:
    """Guess the passwords of one account, of a name that nobody has, and one password for many names from one address.

    After some guesses SIGN_INS_TOO_FAST refuses more, in the same words for both names; the owner signs in when the
    wait is over, and the owner of another account from another address at once.
    """
    owner, other = await harness.account(), await harness.account()
    told = [await _guess(await harness.browser(), [name] * _GUESSES) for name in (owner.name, f"{owner.name}-nobody")]
    (wrong, refused), unknown = told
    if refused is None:
        raise DidNotHold(f"after {_GUESSES} wrong passwords the account still takes more")
    if (wrong[0].status, wrong[0].text) != (unknown[0][0].status, unknown[0][0].text) or not unknown[1]:
        raise DidNotHold(f"an unknown name is told {unknown[0][0].text!r}, another one {wrong[0].text!r}")
    spraying = await harness.browser()
    _, sprayed = await _guess(spraying, [f"{owner.name}-{number}" for number in range(_GUESSES)])
    if sprayed is None and await _is_counted(harness):
        raise DidNotHold(f"{_GUESSES} wrong passwords from one address were all tried")
    if (there := await (await harness.browser()).call("SignIn", other.signing_in)).status != 200:
        raise DidNotHold(f"the owner of another account was told {there.text}")
    waited = float(refused.headers.get("retry-after", "nan"))
    home = await harness.browser()
    await asyncio.sleep(waited)
    if (back := await home.call("SignIn", owner.signing_in)).status != 200:
        raise DidNotHold(f"after the wait of {waited:.0f} s the owner was told {back.text}")
    return (
        f"the account took {len(wrong)} guesses and the unknown name {len(unknown[0])}, "
        f"{'an address many' if sprayed is None else 'then the address was refused'}; "
        f"the owner signed in after {waited:.0f} s"
    )


async def _guess(browser: HostileBrowser, names: list[str]) -> tuple[list[PageAnswer], PageAnswer | None]:
    """Return the answers to wrong passwords until one says that there were too many, and that one."""
    wrong: list[PageAnswer] = []
    for name in names:
        answer = await browser.call("SignIn", {"name": name, "password": token_hex(8)})
        if answer.reason == "SIGN_INS_TOO_FAST" and answer.status == 429:
            return wrong, answer
        if (answer.status, answer.reason) != (401, "PASSWORD_WRONG"):
            raise DidNotHold(f"a wrong password was answered {answer.status}: {answer.text[:200]}")
        wrong.append(answer)
    return wrong, None


async def _is_counted(harness: Harness) -> bool:
    """Return whether the server counts addresses of browsers: others than this machine, or believes who they are."""
    return is_counted(harness.server.target.rpartition(":")[0].strip("[]")) or harness.is_proxy


@torment
async def mass_sign_up(harness: Harness) -> str:
    """Make hundreds of accounts from one address.

    REGISTRATIONS_TOO_FAST refuses more within the hour, or the server has closed its registration; nobody else is
    kept from signing in meanwhile.
    """
    owner = await harness.account()
    browser, gate, told, made = await harness.browser(), asyncio.Semaphore(_AT_ONCE), set[str](), 0
    prefix = f"{harness.prefix}-m{token_hex(3)}"

    async def sign_up(number: int) -> None:
        nonlocal made
        async with gate:
            if told:
                return
            answer = await browser.call("CreateAccount", {"name": f"{prefix}-{number}", "password": token_hex(8)})
            made += answer.status == 200
            if answer.status != 200:
                told.add(answer.reason)

    async with asyncio.TaskGroup() as group:
        for number in range(_SIGN_UPS):
            group.create_task(sign_up(number))
        here = await (await harness.browser()).call("SignIn", owner.signing_in)
    if here.status != 200:
        raise DidNotHold(f"somebody else, who signed in, was told {here.text[:200]}")
    if not told or told - {"REGISTRATIONS_TOO_FAST", *_CLOSED}:
        raise DidNotHold(f"after {made} accounts the server said {', '.join(sorted(told)) or 'nothing'}")
    return f"{made} accounts were made, then the server said {', '.join(sorted(told))}"
