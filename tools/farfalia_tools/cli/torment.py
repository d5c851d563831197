"""`farfalia torment`: hostile bots and people against a running server, and what it does with them."""

import os
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farfalia import report as _quiet_grpc  # noqa: F401  # before grpc, which tells of each process started beside it
from farfalia_server.cli.output import print_json, prose
from farfalia_server.cli.remote import AdminOption, JsonOption
from farfalia_server.cli.signals import run_until_stopped

if TYPE_CHECKING:  # only the command itself needs to wait for its import
    from farfalia_tools.torment.catalogue import Torment, TormentFinding


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.command(no_args_is_help=True)(torment)


def torment(
    server: Annotated[
        str,
        typer.Argument(
            envvar="FARFALIA_SERVER", metavar="SERVER", help="Where the server is: host:port, or farfalias://host:port."
        ),
    ] = "",
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this torment; may be repeated. [all]")
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the torments, and do nothing.")] = False,
    seconds: Annotated[float, typer.Option(min=1, help="Seconds that a torment waits for what must happen.")] = 60,
    streams: Annotated[int, typer.Option(min=1, max=10_000, help="Streams to open in a stream storm.")] = 500,
    bots: Annotated[
        int, typer.Option(min=4, max=200, help="Honest bots in the field; a third as many are hostile.")
    ] = 12,
    tables: Annotated[int, typer.Option(min=1, help="Matches of the field, without hostile bots and with them.")] = 200,
    proxy: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="A proxy in front of SERVER: adds the torments that need one, and sends them there."
        ),
    ] = "",
    is_proxy: Annotated[
        bool,
        typer.Option(
            "--as-proxy", help="SERVER has this machine among its --proxies: browsers come from many addresses."
        ),
    ] = False,
    log: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="The server's log, which must have no traceback. [not read]"),
    ] = None,
    hostile_core: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="CORE",
            help="Keep hostile people on this core of the machine and honest bots off it, so that their pace is judged;"
            " keep SERVER off it, too, for example with taskset. [shared cores]",
        ),
    ] = None,
    times: Annotated[bool, typer.Option(help="Judge times, too; only on a machine that does nothing else.")] = True,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Send hostile bots and people to a server and judge it.

    Use a test server: the bots and accounts stay, and their matches are rated. A line for each torment says what was
    done, what must hold, and what was observed. The exit code is 0 if everything held, and 1 otherwise.
    """
    from farfalia_tools.torment.harness import Harness
    from farfalia_tools.torment.suite import TORMENTS, run

    chosen = _chosen(TORMENTS, only or [], proxied=bool(proxy) or listing)
    if listing:
        _list(chosen, json)
        return
    if not server:
        raise typer.BadParameter("SERVER is missing; expected host:port, or farfalias://host:port.")

    async def work() -> list["TormentFinding"]:
        sizes = {"streams": streams, "bots": bots, "tables": tables}
        harness = Harness(
            server,
            admin_token,
            patience=seconds,
            judge_times=times,
            proxy=proxy,
            is_proxy=is_proxy,
            log=log,
            hostile_core=_core(hostile_core),
            **sizes,
        )
        async with harness:
            return await _told(run(harness, chosen), (lambda finding: None) if json else _show)

    findings = run_until_stopped(work())
    if json:
        print_json({"torments": [asdict(finding) for finding in findings]})
    else:
        failed = [finding.name for finding in findings if not finding.held]
        prose(f"{len(findings) - len(failed)} of {len(findings)} torments held.", indent="  ")
    if not all(finding.held for finding in findings):
        raise typer.Exit(1)


def _core(core: int | None) -> int | None:
    """Return the core, if this machine has it and one more."""
    if core is not None:
        if not hasattr(os, "sched_getaffinity"):
            raise typer.BadParameter("Only Linux keeps a process on a core.", param_hint="--hostile-core")
        cores = os.sched_getaffinity(0)
        if core not in cores or len(cores) < 2:
            there = ", ".join(map(str, sorted(cores)))
            text = f"{core} is not one of two or more cores that this process may use: {there}."
            raise typer.BadParameter(text, param_hint="--hostile-core")
    return core


async def _told(
    findings: AsyncIterator["TormentFinding"], tell: Callable[["TormentFinding"], Any]
) -> list["TormentFinding"]:
    kept = []
    async for finding in findings:
        tell(finding)
        kept.append(finding)
    return kept


def _show(finding: "TormentFinding") -> None:
    verdict = "held" if finding.held else "DID NOT HOLD"
    prose(f"{finding.name}: {finding.does} Must hold: {finding.must} {verdict}: {finding.seen}.")


def _chosen(torments: dict[str, "Torment"], names: list[str], *, proxied: bool) -> list["Torment"]:
    """Return the torments of these names; without a name all, those that need a proxy only where there is one."""
    from farfalia_engine.hints import did_you_mean

    for name in names:
        if name not in torments:
            text = f"There is no torment {name}{did_you_mean(name, torments)}; --list shows all."
            raise typer.BadParameter(text, param_hint="--only")
        if torments[name].needs_proxy and not proxied:
            text = f"{name} needs --proxy ADDRESS: a server without a proxy in front of it does not withstand it."
            raise typer.BadParameter(text, param_hint="--only")
    wanted = [one for one in torments.values() if proxied or not one.needs_proxy]
    return [torments[name] for name in dict.fromkeys(names)] if names else wanted


def _list(torments: list["Torment"], json: bool) -> None:
    if json:
        rows = [
            {"name": one.name, "does": one.does, "must": one.must, "needs_proxy": one.needs_proxy} for one in torments
        ]
        print_json({"torments": rows})
    else:
        prose(
            *(
                f"{one.name}{' (needs --proxy)' if one.needs_proxy else ''}: {one.does} Must hold: {one.must}"
                for one in torments
            )
        )
