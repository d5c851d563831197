"""What `farfalia doctor` says of the mail server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.mail_server import SECRET, Mailboxes, mail_server

from farfalia_server.doctor import Finding, FindingState
from farfalia_server.doctor.mail import check_mail
from farfalia_server.settings_loading import load


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailboxes]:
    with mail_server(tmp_path_factory.mktemp("mail")) as boxes:
        yield boxes


async def found(**settings: Any) -> list[Finding]:
    return [finding async for finding in check_mail(load(settings))]


async def test_without_a_mail_server_nothing_is_said() -> None:
    assert await found() == []


async def test_a_mail_server_that_lets_the_server_sign_in_is_well(boxes: Mailboxes) -> None:
    (finding,) = await found(**boxes.settings(), public_url="https://arena.example")
    told = f"The mail server 127.0.0.1:{boxes.port} answers and lets arena sign in."
    assert (finding.state, finding.text) == (FindingState.OK, told)
    assert boxes.mails == []


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"port": 1}, "connection refused"),
        ({"host": "localhost"}, "its certificate is not good"),
        ({"password": "guessed"}, "does not let arena sign in"),
        ({"security": "tls"}, "wrong version number"),
    ],
)
async def test_a_mail_server_that_is_not_well_is_a_problem(
    boxes: Mailboxes, settings: dict[str, Any], words: str
) -> None:
    (finding,) = await found(**boxes.settings(**settings), public_url="https://arena.example")
    assert (finding.state, words in finding.text) == (FindingState.PROBLEM, True), finding.text
    assert "smtp_host" in finding.remedy
    assert SECRET not in finding.text
    assert "guessed" not in finding.text


async def test_links_that_lead_to_this_machine_alone_are_warned_of(boxes: Mailboxes) -> None:
    _, finding = await found(**boxes.settings())
    assert (finding.state, finding.text) == (
        FindingState.WARNING,
        "Links in mails lead to 127.0.0.1, on this machine alone.",
    )
    assert "public_url" in finding.remedy
