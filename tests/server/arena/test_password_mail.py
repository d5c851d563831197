"""Links to a new password by e-mail, and who sees the address to which they go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from structlog.testing import capture_logs
from tests.server.arena_client import OPEN, PUBLIC, Arena, serving
from tests.server.live import PATIENCE
from tests.server.mail_server import UNKNOWN, Mailboxes, link_in, mail_server, token_of

from farfalia.v1 import accounts_pb2, acts_pb2
from farfalia_server.arena.call_limits import CallLimits
from farfalia_server.net.client_address import Proxies
from farfalia_server.net.mailer import Mailer
from farfalia_server.play import limits

ADA, PASSWORD = "ada@mail.example", "a good password"
#: Where strangers come from, through a proxy on this machine.
STRANGER = "203.0.113.7"


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailboxes]:
    with mail_server(tmp_path_factory.mktemp("mail")) as boxes:
        yield boxes


@pytest.fixture
async def arena(tmp_path: Path, boxes: Mailboxes) -> AsyncIterator[Arena]:
    boxes.mails.clear()
    proxied = CallLimits(Proxies("127.0.0.1"))
    async with serving(tmp_path, OPEN, proxied, Mailer(boxes.server(), "Arena")) as arena:
        yield arena


async def mails(boxes: Mailboxes, count: int = 1) -> list[str]:
    """The links of this many mails, which arrive a little after they were asked for."""
    async with asyncio.timeout(PATIENCE):
        while len(boxes.mails) < count:
            await asyncio.sleep(0.01)
    return [link_in(mail) for _, mail in boxes.mails]


async def ada(arena: Arena, **fields: Any) -> str:
    """The token of an account with an address."""
    made = await arena.ask("CreateAccount", name="ada", password=PASSWORD, email=ADA, **fields)
    return str(made.token)


async def email_of(arena: Arena, token: str, name: str = "") -> str:
    return str((await arena.ask("GetAccount", token, name=name)).email)


async def test_an_organisers_link_is_sent_and_shown_and_good_once(arena: Arena, boxes: Mailboxes) -> None:
    await ada(arena)
    made = await arena.ask("CreatePasswordLink", arena.admin, name="ada")
    assert (made.status, made.text) == (accounts_pb2.MAIL_STATUS_SENT, "")
    assert await mails(boxes) == [f"{PUBLIC.pages}account/new-password?link={made.token}"]
    (recipients, mail) = boxes.mails[0]
    assert (recipients, mail["Subject"]) == ([ADA], "New password for ada at Arena")
    await arena.ask("SetPassword", made.token, password="another password")
    assert (await arena.refused("SetPassword", made.token, password="one more password"))[1] == "TOKEN_UNKNOWN"
    await arena.ask("SignIn", name="ada", password="another password")


async def test_without_an_address_the_link_is_shown_alone(arena: Arena, boxes: Mailboxes) -> None:
    await arena.ask("CreateAccount", name="ben")
    made = await arena.ask("CreatePasswordLink", arena.admin, name="ben")
    assert (made.status, bool(made.token)) == (accounts_pb2.MAIL_STATUS_NO_ADDRESS, True)
    assert boxes.mails == []


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"port": 1}, "connection refused"),
        ({"host": "localhost"}, "its certificate is not good"),
        ({"password": "guessed"}, "does not let arena sign in"),
    ],
    ids=["down", "a wrong certificate", "a wrong password"],
)
async def test_a_mail_that_cannot_be_sent_loses_no_link(
    tmp_path: Path, boxes: Mailboxes, settings: dict[str, Any], words: str
) -> None:
    async with serving(tmp_path, OPEN, mailer=Mailer(boxes.server(**settings), "Arena")) as arena:
        await ada(arena)
        made = await arena.ask("CreatePasswordLink", arena.admin, name="ada")
        assert (made.status, words in made.text) == (accounts_pb2.MAIL_STATUS_FAILED, True), made.text
        await arena.ask("SetPassword", made.token, password="another password")


async def test_a_requested_link_is_good_once_and_ends_the_others(arena: Arena, boxes: Mailboxes) -> None:
    await ada(arena)
    by_hand = (await arena.ask("CreatePasswordLink", arena.admin, name="ada")).token
    await arena.ask("RequestPasswordLink", name="ada")
    token = token_of((await mails(boxes, 2))[1])
    assert token not in ("", by_hand)
    await arena.ask("SetPassword", token, password="another password")
    for used in (token, by_hand):
        assert (await arena.refused("SetPassword", used, password="one more password"))[1] == "TOKEN_UNKNOWN"


async def test_who_asks_for_a_link_does_not_end_that_of_an_organiser(arena: Arena, boxes: Mailboxes) -> None:
    await ada(arena)
    by_hand = (await arena.ask("CreatePasswordLink", arena.admin, name="ada")).token
    await arena.ask("RequestPasswordLink", name="ada")
    await mails(boxes, 2)
    await arena.ask("SetPassword", by_hand, password="another password")


async def test_the_answer_says_nothing_of_the_account(arena: Arena, boxes: Mailboxes) -> None:
    token = await ada(arena)
    for name in ("ben", "suspended", "revoked"):
        await arena.ask("CreateAccount", name=name, email=f"{name}@mail.example" if name != "ben" else "")
    await arena.ask("ModerateAccount", arena.admin, name="suspended", suspended=True)
    await arena.ask("RevokeAccount", arena.admin, name="revoked")
    for name in ("nobody-there", "ben", "suspended", "revoked", "no name at all", "", "ada"):
        answer = await arena.ask("RequestPasswordLink", name=name)
        assert answer == accounts_pb2.RequestPasswordLinkResponse()
    await mails(boxes)
    assert [recipients for recipients, _ in boxes.mails] == [[ADA]]
    assert await email_of(arena, token) == ADA


async def test_the_answer_does_not_wait_for_the_mail(tmp_path: Path) -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await may_answer.wait()
        writer.close()

    listening = await asyncio.start_server(slow, "127.0.0.1", 0)
    async with listening:
        boxes = Mailboxes()
        boxes.port = listening.sockets[0].getsockname()[1]
        async with serving(tmp_path, OPEN, mailer=Mailer(boxes.server(), "Arena")) as arena:
            await ada(arena)
            await arena.ask("RequestPasswordLink", name="ada")
            await asked.wait()
            may_answer.set()


@pytest.mark.parametrize("name", ["ada", "nobody-there"])
async def test_links_for_one_account_are_limited_whether_it_exists_or_not(
    arena: Arena, boxes: Mailboxes, name: str
) -> None:
    await ada(arena)
    for _ in range(limits.PASSWORD_LINKS_BURST):
        await arena.ask("RequestPasswordLink", name=name)
    told = await arena.refused("RequestPasswordLink", name=name.upper())
    assert told[:2] == (grpc.StatusCode.RESOURCE_EXHAUSTED, "LINKS_TOO_FAST")


async def test_links_that_one_address_asks_for_are_limited(arena: Arena) -> None:
    arena.come_from = STRANGER
    for number in range(limits.PASSWORD_LINKS_BURST):
        await arena.ask("RequestPasswordLink", name=f"somebody-{number}")
    assert (await arena.refused("RequestPasswordLink", name="somebody-else"))[1] == "LINKS_TOO_FAST"
    arena.come_from = "198.51.100.9"
    await arena.ask("RequestPasswordLink", name="somebody-else")


async def test_many_accounts_cannot_flood_one_mailbox(arena: Arena, boxes: Mailboxes) -> None:
    for number in range(limits.PASSWORD_LINKS_BURST + 2):
        await arena.ask("CreateAccount", name=f"mallory-{number}", email="Victim@mail.example")
        await arena.ask("RequestPasswordLink", name=f"mallory-{number}")
    await ada(arena)
    await arena.ask("RequestPasswordLink", name="ada")
    async with asyncio.timeout(PATIENCE):
        while [ADA] not in [recipients for recipients, _ in boxes.mails]:
            await asyncio.sleep(0.01)
    assert sum(recipients != [ADA] for recipients, _ in boxes.mails) <= limits.PASSWORD_LINKS_BURST


async def test_without_a_mail_server_nothing_takes_an_address(tmp_path: Path) -> None:
    async with serving(tmp_path, OPEN) as arena:
        assert (await arena.refused("CreateAccount", name="ada", email=ADA))[1] == "MAIL_OFF"
        made = await arena.ask("CreateAccount", name="ada")
        assert (await arena.refused("SetEmail", made.token, email=ADA))[1] == "MAIL_OFF"
        await arena.ask("SetEmail", made.token, email="")
        assert (await arena.refused("RequestPasswordLink", name="ada"))[1] == "MAIL_OFF"
        link = await arena.ask("CreatePasswordLink", arena.admin, name="ada")
        assert (link.status, bool(link.token)) == (accounts_pb2.MAIL_STATUS_OFF, True)


@pytest.mark.parametrize("email", ["ada", "ada@mail.example\r\nBcc: eve@x", "a@x, b@x", "ädа@mail.example", "x" * 300])
async def test_what_is_no_address_is_refused(arena: Arena, email: str) -> None:
    assert (await arena.refused("CreateAccount", name="ada", email=email))[1:] == ("FIELD_INVALID", "email")
    token = (await arena.ask("CreateAccount", name="ada")).token
    assert (await arena.refused("SetEmail", token, email=email))[1:] == ("FIELD_INVALID", "email")


async def test_another_address_needs_the_password_in_a_session(arena: Arena) -> None:
    await ada(arena)
    session = (await arena.ask("SignIn", name="ada", password=PASSWORD)).session
    assert (await arena.refused("SetEmail", session, email="eve@mail.example"))[1] == "PASSWORD_WRONG"
    await arena.ask("SetEmail", session, email=" ada@elsewhere.example ", password=PASSWORD)
    assert await email_of(arena, session) == "ada@elsewhere.example"


async def test_another_address_ends_the_links_that_went_to_the_first(arena: Arena, boxes: Mailboxes) -> None:
    token = await ada(arena)
    by_hand = (await arena.ask("CreatePasswordLink", arena.admin, name="ada")).token
    await arena.ask("RequestPasswordLink", name="ada")
    requested = token_of((await mails(boxes, 2))[1])
    await arena.ask("SetEmail", token, email="ada@elsewhere.example")
    for link in (by_hand, requested):
        assert (await arena.refused("SetPassword", link, password="another password"))[1] == "TOKEN_UNKNOWN"


async def test_a_token_for_a_part_neither_sees_nor_changes_the_address(arena: Arena, boxes: Mailboxes) -> None:
    token = await ada(arena)
    part = (await arena.ask("CreateApiToken", token, name="CI", scope=accounts_pb2.TOKEN_SCOPE_BOTS)).token
    link = (await arena.ask("CreatePasswordLink", arena.admin, name="ada")).token
    assert await email_of(arena, part) == ""
    for some in (part, link):
        assert (await arena.refused("SetEmail", some, email="eve@mail.example"))[0] is grpc.StatusCode.PERMISSION_DENIED


async def test_only_the_account_and_who_manages_it_see_its_address(arena: Arena) -> None:
    token = await ada(arena)
    tokens = {
        role: (await arena.ask("CreateAccount", arena.admin, name=f"account-{role}", role=role)).token
        for role in (accounts_pb2.ROLE_OWNER, accounts_pb2.ROLE_VIEWER, accounts_pb2.ROLE_ORGANISER)
    }
    for may in (arena.admin, tokens[accounts_pb2.ROLE_ORGANISER]):
        assert await email_of(arena, may, "ada") == ADA
    for other in ("", tokens[accounts_pb2.ROLE_OWNER], tokens[accounts_pb2.ROLE_VIEWER]):
        code = (await arena.refused("GetAccount", other, name="ada"))[0]
        assert code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)
        assert (await arena.refused("SetEmail", other, name="ada", email="eve@x"))[0] is code
    for call in ("ListAccounts", "ListActs"):
        assert ADA not in str(await arena.ask(call, tokens[accounts_pb2.ROLE_ORGANISER]))
    answers = [
        await arena.ask("RenameAccount", token, new_name="ada2"),
        await arena.ask("ModerateAccount", arena.admin, name="ada2", suspended=True),
    ]
    assert ADA not in str(answers)


async def test_an_organiser_who_changes_an_address_is_in_the_log_without_it(arena: Arena) -> None:
    await ada(arena)
    await arena.ask("SetEmail", arena.admin, name="ada", email="ada@elsewhere.example")
    act = (await arena.ask("ListActs", arena.admin)).acts[-1]
    assert (act.kind, act.who, act.subject, act.reason) == (acts_pb2.ACT_KIND_SET_EMAIL, "admin", "ada", "")


async def test_a_removed_account_has_no_address(arena: Arena) -> None:
    token = await ada(arena)
    placeholder = (await arena.ask("RemoveAccount", token)).placeholder
    assert await email_of(arena, arena.admin, placeholder) == ""
    database = arena.here.store.accounts
    assert [account.email for account in await database.page(10)] == [""]


async def test_the_log_of_the_server_has_no_address_and_no_link(arena: Arena, boxes: Mailboxes) -> None:
    with capture_logs() as logs:
        await arena.ask("CreateAccount", name="ada", email=UNKNOWN)
        made = await arena.ask("CreatePasswordLink", arena.admin, name="ada")
        assert UNKNOWN in made.text
        await arena.ask("SetEmail", arena.admin, name="ada", email=ADA)
        await arena.ask("RequestPasswordLink", name="ada")
        token = token_of((await mails(boxes))[0])
    assert {one["event"] for one in logs} >= {"mail_failed"}
    for secret in (UNKNOWN, ADA, token, made.token, "mail-secret"):
        assert secret not in str(logs)


async def test_a_token_that_is_called_like_a_link_stops_none(arena: Arena, boxes: Mailboxes) -> None:
    token = await ada(arena)
    for name in ("password link", "requested password link"):
        await arena.ask("CreateApiToken", token, name=name, scope=accounts_pb2.TOKEN_SCOPE_BOTS)
    await arena.ask("CreatePasswordLink", arena.admin, name="ada")
    await arena.ask("RequestPasswordLink", name="ada")
    await mails(boxes, 2)
