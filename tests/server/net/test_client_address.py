"""From where a call comes."""

import pytest

from farfalia_server import settings_loading
from farfalia_server.contract.errors import SettingsError
from farfalia_server.net.client_address import Proxies, counted_as, is_counted, peer_host


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("ipv4:10.0.0.1:5000", "10.0.0.1"),
        ("ipv6:%5B::1%5D:5000", "::1"),
        ("ipv6:[2001:db8::5]:5000", "2001:db8::5"),
        ("ipv6:[::ffff:10.0.0.1]:5000", "10.0.0.1"),
        ("ipv6:%5B::ffff:127.0.0.1%5D:5000", "127.0.0.1"),
        ("unix:/tmp/socket", "unix"),
    ],
)
def test_a_peer_has_a_host(peer: str, host: str) -> None:
    assert peer_host(peer) == host


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8::5", "2001:db8::/64"),
        ("2001:db8::ffff:1:2:3", "2001:db8::/64"),
        ("::1", "::1"),
        ("unix", "unix"),
    ],
)
def test_the_addresses_of_one_site_are_counted_as_one(host: str, counted: str) -> None:
    assert counted_as(host) == counted


@pytest.mark.parametrize(
    ("host", "forwarded", "client"),
    [
        ("203.0.113.5", "", "203.0.113.5"),
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),  # not a proxy: what it says of others is not believed
        ("10.0.0.2", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.2", "192.0.2.9, 198.51.100.1", "198.51.100.1"),  # only what the proxy itself has added
        ("10.0.0.2", "198.51.100.1, 172.16.5.6", "198.51.100.1"),
        ("10.0.0.2", "", "10.0.0.2"),
        ("::ffff:10.0.0.2", "198.51.100.1", "198.51.100.1"),
        ("::ffff:172.16.5.6", "198.51.100.1", "198.51.100.1"),
        ("unix", "198.51.100.1", "unix"),
    ],
)
def test_a_proxy_is_believed_and_nobody_else(host: str, forwarded: str, client: str) -> None:
    assert Proxies("10.0.0.2, 172.16.0.0/12").client(host, forwarded) == client


@pytest.mark.parametrize("text", ["here", "10.0.0.0/40", "10.0.0.1 10.0.0.2"])
def test_what_is_no_list_of_proxies_is_a_sentence(text: str) -> None:
    with pytest.raises(SettingsError, match=rf"^--proxies is '{text}'; expected addresses and networks, separated by"):
        settings_loading.load({"proxies": text})


def test_this_machine_is_not_counted() -> None:
    assert not any(is_counted(host) for host in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "unix"))
    assert is_counted("10.0.0.1")
    assert is_counted("::ffff:10.0.0.1")
