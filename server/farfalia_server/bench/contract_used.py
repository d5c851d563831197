"""The part of the contract that the bots and the organiser of a benchmark use, as the stubs of a checkout have it."""

import json
from importlib import import_module

#: By module and message: fields.
_USED: dict[str, dict[str, tuple[str, ...]]] = {
    "bots_pb2": {"RegisterBotRequest": ("name",), "RegisterBotResponse": ("token",)},
    "tournaments_pb2": {
        "CreateTournamentRequest": ("name", "bots", "rounds"),
        "CreateTournamentResponse": ("tournament",),
        "Tournament": ("id",),
        "StartTournamentRequest": ("id",),
        "CancelTournamentRequest": ("id", "reason"),
    },
    "play_pb2": {
        "PlayRequest": ("hello", "actions", "pong", "nonces"),
        "Hello": ("client", "instance", "capacity"),
        "Capacity": ("matches", "questions"),
        "Action": ("match", "number", "action"),
        "Pong": ("nonce",),
        "Nonce": ("tournament", "match", "nonce"),
        "PlayResponse": ("ping", "entered", "finished", "questions"),
        "Ping": ("nonce",),
        "Entered": ("tournament", "match"),
        "Question": ("match", "number", "legal"),
    },
}


def used() -> dict[str, list[int] | None]:
    """Return number and type of each field that is used, None for one that is not there."""
    found: dict[str, list[int] | None] = {}
    for module, messages in _USED.items():
        known = import_module(f"farfalia.v1.{module}").DESCRIPTOR.message_types_by_name
        for message, names in messages.items():
            fields = known[message].fields_by_name if message in known else {}
            for name in names:
                field = fields.get(name)
                found[f"{message}.{name}"] = [field.number, field.type] if field else None
    return found


if __name__ == "__main__":
    print(json.dumps(used()))
