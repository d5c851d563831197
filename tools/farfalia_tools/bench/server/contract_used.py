"""The part of the contract that the bots and the organiser of a benchmark use, as the stubs of a checkout have it."""

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any

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


#: By module: messages that are received, and read whole.
_RECEIVED = {
    "bots_pb2": ("RegisterBotResponse",),
    "nodes_pb2": ("ListNodesResponse",),
    "tournaments_pb2": ("CreateTournamentResponse", "StartTournamentResponse", "CancelTournamentResponse"),
    "play_pb2": ("PlayResponse",),
}


def used() -> dict[str, list[int] | None]:
    """Return number and type of each field that is used, None for one that is not there; and types by number.

    The latter are of all fields in messages that are received: one of another type makes a message unreadable, even if
    nobody looks at the field.
    """
    found: dict[str, list[int] | None] = {}
    for module, messages in _USED.items():
        known = _known(module)
        for message, names in messages.items():
            fields = known[message].fields_by_name if message in known else {}
            for name in names:
                field = fields.get(name)
                found[f"{message}.{name}"] = [field.number, field.type] if field else None
    reached = [
        known[name]
        for module, names in _RECEIVED.items()
        for known in (_known(module),)
        for name in names
        if name in known
    ]
    seen = {message.full_name for message in reached}
    while reached:
        message = reached.pop()
        for field in message.fields:
            found[f"{message.name} {field.number}"] = [field.type]
            inner = field.message_type
            if inner is not None and inner.full_name not in seen:
                seen.add(inner.full_name)
                reached.append(inner)
    return found


def differing(ours: Mapping[str, list[int] | None], theirs: Mapping[str, list[int] | None]) -> list[str]:
    """Return what is known in both and is not the same."""
    return [name for name, field in theirs.items() if name in ours and ours[name] != field]


def _known(module: str) -> Mapping[str, Any]:
    messages: Mapping[str, Any] = import_module(f"farfalia.v1.{module}").DESCRIPTOR.message_types_by_name
    return messages


if __name__ == "__main__":
    print(json.dumps(used()))
