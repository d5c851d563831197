"""The addresses that a server tells bots and people."""

import socket

import pytest

from farfalia_server import settings_loading
from farfalia_server.contract.errors import SettingsError
from farfalia_server.net.addresses import Addresses, addresses


@pytest.mark.parametrize(
    ("host", "tls", "public_address", "public_url", "bots", "pages"),
    [
        ("127.0.0.1", False, "", "", "127.0.0.1:1", "http://127.0.0.1:2/"),
        ("::1", True, "", "", "https://[::1]:1", "https://[::1]:2/"),
        ("0.0.0.0", False, "arena.example", "", "arena.example:1", "http://arena.example:2/"),
        ("0.0.0.0", True, "arena.example", "", "https://arena.example:1", "https://arena.example:2/"),
        ("::", False, "arena.example:9", "", "arena.example:9", "http://arena.example:2/"),
        ("::", False, "2001:db8::5", "", "[2001:db8::5]:1", "http://[2001:db8::5]:2/"),
        ("::", False, "[2001:db8::5]:9", "", "[2001:db8::5]:9", "http://[2001:db8::5]:2/"),
        # A proxy with TLS before a server without.
        ("", False, "https://bots.example", "https://arena.example", "https://bots.example", "https://arena.example/"),
        ("", False, "https://a.example:9", "http://a.example:80/", "https://a.example:9", "http://a.example:80/"),
    ],
)
def test_what_is_told_is_what_others_reach(
    host: str, tls: bool, public_address: str, public_url: str, bots: str, pages: str
) -> None:
    told = addresses(host, 1, 2, tls=tls, public_address=public_address, public_url=public_url)
    assert told == Addresses(bots, pages)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_without_a_public_address_a_wildcard_stands_for_the_machine_by_its_name(host: str) -> None:
    name = socket.gethostname()
    assert addresses(host, 1, 2, tls=True) == Addresses(f"https://{name}:1", f"https://{name}:2/", guessed=True)


@pytest.mark.parametrize(
    "value",
    ["0.0.0.0", "::", "a b", "arena:", "arena:0", "arena:70000", "arena:x", "ftp://arena", "[arena]", "a/b", "-"],
)
def test_an_address_that_cannot_be_is_a_sentence(value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings_loading.load({"public_address": value})
    expected = "HOST, HOST:PORT or https://HOST:PORT, with a host that others can reach"
    assert str(caught.value) == f"--public-address is {value!r}; expected {expected}"


@pytest.mark.parametrize("value", ["arena", "arena:80", "https://", "https://arena/pages", "http://0.0.0.0:7601"])
def test_an_address_of_pages_that_cannot_be_is_a_sentence(value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings_loading.load({"public_url": value})
    expected = "http://HOST:PORT or https://HOST:PORT, with a host that others can reach"
    assert str(caught.value) == f"--public-url is {value!r}; expected {expected}"
