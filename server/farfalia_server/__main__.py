"""The `farfalia` command."""

import signal
import sys


def main() -> None:
    """Run the command line, or say what it takes to have one."""
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:  # while modules are imported, Ctrl-C would show a traceback, or be lost in one of them
        signal.signal(signal.SIGINT, signal.SIG_DFL)
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
    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    cli.main()


if __name__ == "__main__":
    main()
