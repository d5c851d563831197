"""The `farfalia` command."""

import signal


def main() -> None:
    """Run the command line."""
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:  # while modules are imported, Ctrl-C would show a traceback, or be lost in one of them
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from farfalia_server import cli

    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    cli.main()


if __name__ == "__main__":
    main()
