"""`farfalia queue` and `nodes`: what a server knows about itself."""

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import nodes_pb2, programs_pb2
from farfalia_server.cli.output import print_json, say, table
from farfalia_server.cli.remote import JsonOption, ServerOption, ask
from farfalia_server.wording.phrases import date, node_state
from farfalia_server.wording.programs import host_sandbox, host_state, size

COLUMNS = ["<node", "matches", "bots", "load", "lag", "<since", "<state", "<version"]

HOST_COLUMNS = ["<host", "processes", "cores", "memory", "<sandbox", "<heard of", "<state", "<version"]


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    for command in (queue, nodes):
        app.command()(command)


def queue(server: ServerOption = DEFAULT_SERVER, json: JsonOption = False) -> None:
    """Print what is queued and running, and what is missing for it."""
    answer = ask(server, "GetQueue", nodes_pb2.GetQueueRequest())
    if json:
        print_json(answer)
        return
    say(f"{answer.queued} matches are queued, {answer.running} are running.")
    if answer.awaited:
        say(f"Waiting for: {', '.join(answer.awaited)}.")
    if answer.unplayable:
        say(f"No node has what these house bots need: {', '.join(answer.unplayable)}.")


def nodes(server: ServerOption = DEFAULT_SERVER, json: JsonOption = False) -> None:
    """Print the nodes: what each plays, and how busy it is.

    Load is processor time, 1 for a whole core. Lag is the longest delay of the event loop in the last minute. Hosts,
    which run programs that were handed in, follow if there are any.
    """
    answer = ask(server, "ListNodes", nodes_pb2.ListNodesRequest())
    hosting = ask(server, "ListHosts", programs_pb2.ListHostsRequest())
    if json:
        print_json({"nodes": list(answer.nodes), "hosts": list(hosting.hosts), "checks": hosting.checks})
    else:
        rows = [
            (
                node.name,
                f"{node.matches} of {node.room}" if node.room else str(node.matches),
                node.bots,
                f"{node.load:.2f}",
                f"{node.lag_ms:.0f} ms",
                date(node.since),
                node_state(node),
                node.version,
            )
            for node in answer.nodes
        ]
        table(COLUMNS, rows, gives_way=["since", "lag", "version"])
        if hosting.hosts:
            hosts = [
                (
                    host.report.name,
                    f"{host.report.processes} of {host.report.slots}",
                    host.report.cores,
                    size(host.report.memory),
                    host_sandbox(host),
                    date(host.seen),
                    host_state(host),
                    host.report.version,
                )
                for host in hosting.hosts
            ]
            table(HOST_COLUMNS, hosts, gives_way=["heard of", "cores", "version"])
            if hosting.checks:
                say(f"Programs that wait for their check, or are being checked: {hosting.checks}.")
