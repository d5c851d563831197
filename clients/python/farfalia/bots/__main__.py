"""Connects a sample bot: `python -m farfalia.bots greedy`."""

from __future__ import annotations

import argparse

from farfalia import run
from farfalia.bots import NAMES, create


def main() -> None:
    """Run the sample bot that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m farfalia.bots", description="Connect a sample bot to a server.")
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--server", help="host:port or https://host; FARFALIA_SERVER if left out")
    parser.add_argument("--token", help="token of the bot; FARFALIA_TOKEN if left out")
    parser.add_argument("--seed", type=int, default=0, help="of the bot's own chance moves (default: 0)")
    parser.add_argument("--matches", type=int, help="matches to offer at once")
    parser.add_argument("--questions", type=int, help="questions to take at once")
    arguments = parser.parse_args()
    run(
        create(arguments.name, arguments.seed),
        arguments.server,
        arguments.token,
        matches=arguments.matches,
        questions=arguments.questions,
    )


if __name__ == "__main__":
    main()
