"""Connects a sample bot: `python -m farfalia.bots greedy`."""

from __future__ import annotations

import argparse

from farfalia import run
from farfalia.bots import NAMES, create
from farfalia.errors import BadSetting


def main() -> None:
    """Run the sample bot that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m farfalia.bots", description="Connect a sample bot to a server.")
    parser.add_argument("name", help=f"one of {', '.join(NAMES)}")
    parser.add_argument("--server", help="host:port or https://host; FARFALIA_SERVER if left out")
    parser.add_argument("--token", help="token of the bot; FARFALIA_TOKEN if left out")
    parser.add_argument("--seed", type=int, default=0, help="of the bot's own chance moves (default: 0)")
    parser.add_argument("--iterations", type=int, help="of a bot that searches, per decision (default: 1000)")
    parser.add_argument("--seconds", type=float, help="of a bot that searches, per decision, instead of iterations")
    parser.add_argument("--matches", type=int, help="matches to offer at once")
    parser.add_argument("--questions", type=int, help="questions to take at once")
    parser.add_argument("--quiet", action="store_true", help="say only what goes wrong")
    arguments = parser.parse_args()
    try:
        bot = create(arguments.name, arguments.seed, iterations=arguments.iterations, seconds=arguments.seconds)
    except BadSetting as error:
        parser.error(str(error))
    run(
        bot,
        arguments.server,
        arguments.token,
        matches=arguments.matches,
        questions=arguments.questions,
        quiet=arguments.quiet or None,
    )


if __name__ == "__main__":
    main()
