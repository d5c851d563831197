"""`farfalia queue` and `nodes`: what a server knows about itself."""

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import nodes_pb2
from farfalia_server.cli.output import print_json, say, table
from farfalia_server.cli.remote import JsonOption, ServerOption, ask
from farfalia_server.wording.phrases import date, node_state

COLUMNS = ["<node", "matches", "bots", "load", "lag", "<since", "<state", "<version"]


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    for command in (queue, nodes):
        app.command()(command)


def queue(server: ServerOption = DEFAULT_SERVER, json: JsonOption = False) -> None:
    """Print what is queued and running, and which bots are missing."""
    answer = ask(server, "GetQueue", nodes_pb2.GetQueueRequest())
    if json:
        print_json(answer)
        return
    say(f"{answer.queued} matches are queued, {answer.running} are running.")
    if answer.awaited:
        say(f"Waiting for: {', '.join(answer.awaited)}.")


def nodes(server: ServerOption = DEFAULT_SERVER, json: JsonOption = False) -> None:
    """Print the nodes: what each plays, and how busy it is.

    Load is processor time, 1 for a whole core. Lag is the longest delay of the event loop in the last minute.
    """
    answer = ask(server, "ListNodes", nodes_pb2.ListNodesRequest())
    if json:
        print_json(answer)
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
