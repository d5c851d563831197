"""The commands of the tools; `farfalia_server.cli.commands` finds them by their names."""
