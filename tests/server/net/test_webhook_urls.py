"""Where webhooks may lead: the form of a URL, and every address that its host has."""

from __future__ import annotations

import asyncio
import socket

import pytest

from farfalia_server.net.webhook_urls import LONGEST_URL, UrlRefused, WebhookTargets, address_of, checked_url

PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *("::1", "fe80::1", "fd00:ec2::254", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1"),
]


@pytest.mark.parametrize("address", PRIVATE)
async def test_a_host_with_one_address_that_is_not_public_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(*_: object, **__: object) -> list[object]:
        return [(socket.AF_INET, 1, 6, "", (one, 443)) for one in ("93.184.215.14", address)]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", found)
    parts = checked_url("https://ci.example/hook", WebhookTargets.PUBLIC)
    with pytest.raises(UrlRefused, match="is no public address"):
        await address_of(parts, WebhookTargets.PUBLIC)
    assert await address_of(parts, WebhookTargets.ANY) == "93.184.215.14"


@pytest.mark.parametrize(
    "url",
    [
        *("http://ci.example/", "ftp://ci.example/", "https://", "ci.example", "https://a:b@ci.example/"),
        *("https://ci.example/#top", "https://ci.example:0/", "https://ci.example:99999/", "https://ci.example/a b"),
        *("https://[::1/", "https://10.0.0.1/", "https://[::1]:8080/", f"https://ci.example/{'a' * LONGEST_URL}"),
    ],
)
def test_what_is_no_public_https_url_is_refused_before_it_is_kept(url: str) -> None:
    with pytest.raises(UrlRefused, match="expected"):
        checked_url(url, WebhookTargets.PUBLIC)


def test_a_closed_network_may_take_http() -> None:
    assert checked_url("http://10.0.0.1:8080/hook?of=ant", WebhookTargets.ANY).port == 8080
