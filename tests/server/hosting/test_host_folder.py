"""Where a host keeps the sockets of its programs: a path of a socket is short."""

from __future__ import annotations

from pathlib import Path

from farfalia_server.hosting.host import _socket_folder


def test_sockets_are_in_the_hosts_folder_unless_its_path_is_too_long() -> None:
    short = Path("/srv/farfalia-host")
    assert _socket_folder(short, "one") == short / "sockets-one"
    long = Path("/srv") / ("a" * 90)
    assert len(str(_socket_folder(long, "one") / "0123456789abcdef.sock")) < 108
    assert _socket_folder(long, "one") == _socket_folder(long, "one")
    assert _socket_folder(long, "one") != _socket_folder(long, "two")
