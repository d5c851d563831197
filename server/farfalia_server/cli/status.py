"""`farfalia queue` and `nodes`: what a server knows about itself."""

import typer

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import nodes_pb2
from farfalia_server.cli.output import print_json, say, table
from farfalia_server.cli.remote import JsonOption, ServerOption, ask


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
    """Print the nodes and how many bots and matches each has."""
    answer = ask(server, "ListNodes", nodes_pb2.ListNodesRequest())
    if json:
        print_json(answer)
    else:
        table(["<node", "<version", "bots", "matches"], [(n.name, n.version, n.bots, n.matches) for n in answer.nodes])
