"""From where a call comes."""

import pytest

from farfalia_server.net.client_address import counted_as, peer_host


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("ipv4:10.0.0.1:5000", "10.0.0.1"),
        ("ipv6:%5B::1%5D:5000", "::1"),
        ("ipv6:[2001:db8::5]:5000", "2001:db8::5"),
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
