"""How thorough tests are: `make test` runs the quick ones, `make slow` the others, `make prove` all in full size."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from tests.event_loop import ASYNCIO
from tests.longest import LONGEST, TOGETHER

# An example may be a whole match: few of them, and never against the clock.
settings.register_profile("check", deadline=None, max_examples=40, derandomize=True)
settings.register_profile("prove", deadline=None, max_examples=100, derandomize=False, print_blob=True)

#: Seconds after which an async test is ended: it waits for something that will not happen.
PATIENCE = 300.0


@pytest.fixture
def anyio_backend() -> Any:
    """What runs async tests and fixtures: AnyIO's plugin, on a new event loop of asyncio for each test."""
    return ASYNCIO


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--prove", action="store_true", help="run the tests marked `prove`, too: all games, full sizes")
    parser.addoption(
        "--pictures", metavar="FOLDER", help="where tests/browser keeps pictures of all pages; none by default"
    )
    parser.addoption("--seed", type=int, help="the only random seed to simulate, of tests/server/simulation")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # what is collected stays to the end: to look through it for garbage costs a fifth of the collection
    settings.load_profile("prove" if config.getoption("--prove") else "check")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Failures(config))


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    # Virtual time has an end of its own: nothing is left that could happen.
    if iscoroutinefunction(pyfuncitem.obj) and pyfuncitem.funcargs.get("anyio_backend") == ASYNCIO:
        pyfuncitem.obj = limited(pyfuncitem.obj)


def limited(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    @wraps(test)
    async def run(**arguments: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            await test(**arguments)

    return run


class Failures:
    """Says at once what has failed: a log may be cut off before the summary."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            terminal: Any = self._config.pluginmanager.get_plugin("terminalreporter")
            crash = getattr(report.longrepr, "reprcrash", None)
            why = crash.message.partition("\n")[0] if crash else report.when
            terminal.write_line(f"\nFAILED {report.nodeid}: {why}", red=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    class Scheduling(LoadFileScheduling):  # type: ignore[misc]  # it has no types
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return TOGETHER.get(file, file)

    return Scheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--prove"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("prove")])
        items[:] = [item for item in items if not item.get_closest_marker("prove")]
    if hasattr(config, "workerinput"):  # several processes, whole files each: those that take longest come first
        places = {item.path: len(LONGEST) for item in items if item.get_closest_marker("slow")}
        places |= {Path(__file__).parent / name: place for place, name in enumerate(LONGEST)}
        items.sort(key=lambda item: places.get(item.path, len(LONGEST) + 1))
