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
            f"farfalia: the base install has no command line ({error.name} is missing); the extra 'server' brings it:"
            " pip install -e '.[server]' in a checkout, or the line for it on the page /downloads/ of a server."
        )
    cli.main()


if __name__ == "__main__":
    main()
