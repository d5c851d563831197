"""How many processes a server is by default: by the cores that it may use, and no more than its quota of them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from farfalia_server import settings, settings_loading
from farfalia_server.contract.errors import SettingsError
from farfalia_server.net.cpu_cores import usable_cores

linux = pytest.mark.skipif(sys.platform != "linux", reason="control groups are Linux's")


def grouped(folder: Path, *, of_container: str, of_service: str) -> int:
    """The usable cores of a process in a service in a container, with what `cpu.max` of each says."""
    own = folder / "own"
    own.write_text("1:name=systemd:/elsewhere\n0::/container/service\n")
    service = folder / "groups" / "container" / "service"
    service.mkdir(parents=True)
    (service / "cpu.max").write_text(of_service)
    (service.parent / "cpu.max").write_text(of_container)
    return usable_cores(own, folder / "groups")


@linux
@pytest.mark.parametrize(
    ("of_container", "of_service", "cores"),
    [
        ("max 100000\n", "max 100000\n", 64),
        ("max 100000\n", "350000 100000\n", 3),
        ("200000 100000\n", "400000 100000\n", 2),
        ("50000 100000\n", "max 100000\n", 1),
    ],
)
def test_the_smallest_quota_counts_and_is_rounded_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of_container: str, of_service: str, cores: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(64)))
    assert grouped(tmp_path, of_container=of_container, of_service=of_service) == cores


@linux
def test_a_process_that_is_kept_to_some_cores_has_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3, 5})
    assert usable_cores(tmp_path / "none", tmp_path) == 2
    assert grouped(tmp_path, of_container="max 100000", of_service="800000 100000") == 2


@pytest.mark.parametrize(("cores", "workers"), [(1, 1), (2, 1), (3, 2), (8, 7), (1024, settings.MOST_WORKERS)])
def test_a_server_leaves_a_core_for_pages_and_is_one_process_on_two(
    monkeypatch: pytest.MonkeyPatch, cores: int, workers: int
) -> None:
    monkeypatch.setattr(settings, "usable_cores", lambda: cores)
    assert (
        settings_loading.load().effective_workers
        == settings_loading.load({"workers": "auto"}).effective_workers
        == workers
    )
    assert settings_loading.load({"workers": "4"}).effective_workers == 4


@pytest.mark.parametrize("wrong", ["0", "257", "-1", "many", "1.5", ""])
def test_a_wrong_number_of_workers_is_refused(wrong: str) -> None:
    with pytest.raises(SettingsError, match="expected auto, or a number from 1 to 256"):
        settings_loading.load({"workers": wrong})


def test_this_machine_has_a_core() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)
