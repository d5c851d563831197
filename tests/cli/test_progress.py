"""The progress of long work where there is no terminal."""

import asyncio

import pytest

from farfalia_server.cli.output import Bar


async def test_the_last_change_is_printed_though_another_one_was_just_before(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = ""
    with Bar("boards", 40) as bar:
        for done in (0, 1):
            bar.update(done, 40)
        monkeypatch.setattr(Bar, "INTERVAL", 0.1)  # only now: the first two come at once, on a busy machine too
        bar.update(2, 40)
        while "boards: 2 of 40" not in printed:
            await asyncio.sleep(0.01)
            printed += capsys.readouterr().err
        bar.update(40, 40)
        bar.update(39, 40)
    await asyncio.sleep(0.2)
    printed += capsys.readouterr().err
    assert printed.splitlines() == ["boards: 0 of 40", "boards: 2 of 40", "boards: 40 of 40"]
