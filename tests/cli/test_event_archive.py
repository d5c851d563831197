"""`farfalia event archive`: what is left of an event when its server is gone."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import httpx
from tests.cli.asked_server import admin, server
from tests.cli.command import Command
from tests.server.live import PATIENCE, LiveServer, until

__all__ = ["admin", "server"]


def test_an_archived_event_is_read_and_verified_without_a_server(
    admin: Command, server: LiveServer, tmp_path: Path
) -> None:
    admin.told("event", "create", "cup", "--title", "Spring Cup", "--rated-on", "own")
    admin.told("event", "publish", "cup")
    bots = [f"house-{name}-1" for name in ("greedy", "cautious", "random")]
    admin.told("tournament", "create", "Final", *bots, "--event", "cup", "--game", "three", "--rounds", 2, "--start")
    admin.told("tournament", "create", "Elsewhere", *bots, "--game", "three", "--rounds", 1, "--start")
    for number in (1, 2):
        admin.told("tournament", "watch", number)
    until(lambda: "house-greedy-1" in admin.told("ratings", "cup-three"))
    folder = tmp_path / "site"
    assert "with 2 records" in admin.told("event", "archive", "cup", folder)
    pages = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.html")}
    assert {"index.html", "events/cup/index.html", "tournaments/1/index.html", "ladders/cup-three/index.html"} <= set(
        pages
    )
    assert not any(name.startswith(("tournaments/2", "bots", "account")) for name in pages)
    assert "Spring Cup" in pages["events/cup/index.html"]
    for name, text in pages.items():
        for link in re.findall(r'(?:href|src)="([^"#]+)', text):
            assert not link.startswith("/"), (name, link)
            if "://" not in link:
                assert ((folder / name).parent / link).exists(), (name, link)
        assert not re.search(r"<form|<button|/account", text), name
    verified = admin("verify", "--ratings", folder / "records")
    assert (verified.returncode, "cup-three" in verified.stdout) == (0, True)
    answer = httpx.get(f"http://{server.http_address}/events/cup/archive.zip", timeout=PATIENCE).raise_for_status()
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path)
    assert files_in(tmp_path / "cup") == files_in(folder)
    downloaded = admin("verify", "--ratings", tmp_path / "cup" / "records")
    assert (downloaded.returncode, "cup-three" in downloaded.stdout) == (0, True)


def files_in(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_an_event_that_there_is_not_is_not_archived(admin: Command, tmp_path: Path) -> None:
    refused = admin("event", "archive", "nowhere", tmp_path / "site")
    assert refused.returncode == 1
    assert "there is no event 'nowhere'" in refused.stderr
    assert not (tmp_path / "site").exists()
