"""The `farfalia` command."""

import sys


def main() -> None:
    """Run the command line, or say what it takes to have one."""
    try:
        from farfalia_server import cli
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in (
            "farfalia",
            "farfalia_engine",
            "farfalia_server",
            "farfalia_tournaments",
        ):
            raise
        sys.exit(
            "farfalia: the base install has no command line; pip install 'farfalia[server]' brings it"
            f" ({error.name} is missing)."
        )
    cli.main()


if __name__ == "__main__":
    main()
