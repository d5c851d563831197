"""Every English sentence of the contract has a code beside it, by which programs decide; the sentence may change."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

PROTOS = sorted((Path(__file__).resolve().parents[1] / "proto/farfalia/v1").glob("*.proto"))

#: Fields that hold a name, a token, an address or a version, by their own names.
NAMES = {
    "against",
    "game",
    "advanced",
    "boards",
    "connected",
    "formerly",
    *("runtimes", "sandbox"),
    "instead_of",
    "open_boards",
    *("account", "challenger", "event", "ladders", "like", "new_name", "placeholder", "team", "zone"),
    *("flow", "identity", "issuer", "state", "suggested_name", "url"),
    *(
        "address",
        "after",
        "aspect",
        "awaited",
        "board",
        "bot",
        "bots",
        "client",
        "client_version",
        "code",
        "email",
        "engine",
        "entrant",
        "entrants",
    ),
    *(
        "features",
        "house",
        "rungs",
        "unplayable",
        "invitation",
        "ladder",
        "name",
        "old",
        "other",
        "pages",
        "password",
        "rated",
        "requires",
        "ruleset",
        "rulesets",
        "server",
        "session",
    ),
    *("bot_token", "daily", "day", "earlier", "key", "later", "secret", "server_version", "token", "version"),
}
#: Texts from people and bots, and who writes them: the server has no code for what they say.
FREE_TEXT = {
    "Action.failure": "the bot's author, in an exception",
    "Announcement.text": "the organiser, in AnnounceRequest",
    "Announcement.who": "a name",
    "TournamentDraft.who": "a name",
    "AnnounceRequest.text": "the organiser",
    "Beacon.round": "the organiser, of a public value",
    "ListActsRequest.who": "a name",
    "Beacon.source": "the organiser, of a public value",
    "Beacon.value": "the organiser, of a public value",
    "BotInfo.owner": "the person who registers the bot",
    "SearchHit.detail": "names, of whom or what the hit belongs to",
    "CancelTournamentRequest.reason": "the admin",
    "CreateInvitationRequest.note": "the admin",
    "CreateTournamentRequest.beacon_round": "the organiser, of a public value",
    "CreateTournamentRequest.beacon_source": "the organiser, of a public value",
    "Delivery.answer": "the program that was told, or the network",
    "Event.about": "the organiser",
    "Event.title": "the organiser",
    "FinishOidcRequest.error": "the provider",
    "Invitation.note": "the admin, in CreateInvitationRequest",
    "ListBotsRequest.search": "the person who looks for a bot",
    "ListRatingsRequest.owner": "the person who looks for a bot",
    "ListRatingsRequest.search": "the person who looks for a bot",
    "LogLine.text": "the bot",
    "ModerateAccountRequest.reason": "the organiser",
    "ModerateBotRequest.reason": "the organiser",
    "Pause.reason": "the organiser, in PauseTournamentRequest",
    "Pause.who": "a name",
    "PauseTournamentRequest.reason": "the organiser",
    "Program.output": "the program",
    "ReportProgramCheckRequest.output": "the program",
    "RemoveAccountRequest.reason": "the person who removes it",
    "RemoveBotRequest.reason": "the person who removes it",
    "RenameAccountRequest.reason": "the person who renames it",
    "RenameBotRequest.reason": "the person who renames it",
    "RegisterBotRequest.owner": "the person who registers the bot",
    "ResumeTournamentRequest.reason": "the organiser",
    "StartTournamentRequest.beacon_value": "the organiser, of a public value",
    "Tournament.cancel_reason": "the admin, in CancelTournamentRequest",
    "Act.reason": "the organiser, in the request",
    "Act.subject": "names and numbers",
    "Act.who": "a name",
    "VoidMatchesRequest.reason": "the organiser",
}
#: Strings that are codes themselves, or data for programs.
CODES = {
    "BotIncident.instead",
    "Node.roles",
    "Notice.reason",
    "ProfilePart.part",
    "ProgramStep.name",
    "RatingChainEntry.line",
    "Standing.brackets",
    "VersionResult.before",
}
#: What the field beside a sentence that is called `text` may be called.
BESIDE = ("cause", "kind", "name", "reason", "status")


def strings(message: Descriptor) -> Iterator[FieldDescriptor]:
    """The text fields of a message and of those inside it; keys and values of maps are names."""
    if message.GetOptions().map_entry:
        return
    yield from (field for field in message.fields if field.type == FieldDescriptor.TYPE_STRING)
    for nested in message.nested_types:
        yield from strings(nested)


def label(field: FieldDescriptor) -> str:
    return field.full_name.removeprefix("farfalia.v1.")


def text_fields() -> list[FieldDescriptor]:
    files = [importlib.import_module(f"farfalia.v1.{proto.stem}_pb2").DESCRIPTOR for proto in PROTOS]
    return [field for file in files for message in file.message_types_by_name.values() for field in strings(message)]


SENTENCES = {
    label(field): field
    for field in text_fields()
    if field.name not in NAMES and label(field) not in FREE_TEXT.keys() | CODES
}


@pytest.mark.parametrize("name", sorted(SENTENCES))
def test_a_sentence_has_a_code_beside_it(name: str) -> None:
    field = SENTENCES[name]
    codes = BESIDE if field.name == "text" else (f"{field.name}_reason",)
    assert field.containing_type is not None
    fields = field.containing_type.fields_by_name
    beside = [fields[code] for code in codes if code in fields]
    assert any(code.enum_type or label(code) in CODES for code in beside), f"one of {', '.join(codes)} is missing"
    assert not field.is_repeated, "a list of sentences is a list of messages, each with its code"


def test_what_needs_no_code_is_in_the_contract() -> None:
    found = text_fields()
    assert FREE_TEXT.keys() | CODES <= {label(field) for field in found}
    assert {field.name for field in found} >= NAMES
