"""A record as values, as message and as file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from google.protobuf import json_format
from tests.engine.recorded import recorded

import farfalia_engine as engine
from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import RecordError
from farfalia_server.records import codec, files


def played(seed: int = 1) -> engine.Record:
    """The record of a match that was really played, at random, and not without incident, nor without a hint."""
    record = recorded(seed=seed, house=(4,), troubles={(2, 1): engine.Cause.TIMEOUT})
    record = replace(record, hinted=(next(n for n, done in enumerate(record.actions) if done.seat == 0),))
    return replace(record, digest=record.computed_digest())


def with_another_try(record: engine.Record) -> engine.Record:
    """The record as if a person had taken its first decision back, and decided the same."""
    record = replace(record, taken_back=(engine.TakenBack(record.hinted[0], 2),))
    return replace(record, digest=record.computed_digest())


def test_a_record_is_the_same_after_a_journey_through_its_message() -> None:
    record = with_another_try(played())
    message = codec.to_message(record)
    assert codec.from_message(message) == record
    assert codec.from_message(record_pb2.Record.FromString(message.SerializeToString())) == record


def test_every_field_of_the_message_is_filled_from_the_values() -> None:
    message = codec.to_message(with_another_try(played()))
    assert {field.name for field, _ in message.ListFields()} == {
        field.name for field in message.DESCRIPTOR.fields if field.name != "options"
    }


def test_options_come_back_in_the_order_of_their_names_whatever_order_a_map_has() -> None:
    message = codec.to_message(played())
    for name in ("players", "order", "pack", "burnin"):
        message.options[name] = "any"
    assert list(codec.from_message(message).options) == ["burnin", "order", "pack", "players"]


def test_a_record_is_the_same_after_a_journey_through_a_file(tmp_path: Path) -> None:
    message = codec.to_message(played())
    files.write(tmp_path / "match.json", message)
    again = files.read(tmp_path / "match.json")
    assert again == message
    assert engine.verify(codec.from_message(again)).holds


def test_the_file_is_the_standard_json_form_of_the_message() -> None:
    message = codec.to_message(played())
    assert json_format.Parse(files.dumps(message), record_pb2.Record()) == message


def test_the_file_can_be_read_by_people_and_is_always_the_same() -> None:
    message = codec.to_message(played())
    message.options["b"] = "2"
    message.options["a"] = "1"
    message.incidents[0].text = "“slow”"
    text = files.dumps(message)
    assert text == files.dumps(record_pb2.Record.FromString(message.SerializeToString()))
    lines = text.splitlines()
    assert '  "options": {"a": "1", "b": "2"},' in lines
    assert lines[lines.index('  "actions": [') + 1].startswith('    {"seat": ')
    assert sum('"cause": "CAUSE_' in line for line in lines) == len(message.actions) + 1
    assert "“slow”" in text


def test_sealing_sets_the_digest_that_the_engine_expects() -> None:
    record = played()
    message = codec.to_message(record)
    message.ClearField("digest")
    message.source.ClearField("secret")
    assert codec.seal(message).digest == record.digest


def test_a_match_that_was_not_finished_has_no_outcome() -> None:
    message = codec.to_message(played())
    message.ClearField("outcome")
    assert codec.from_message(message).outcome is None
    assert not codec.to_message(codec.from_message(message)).HasField("outcome")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "x.json is not JSON, line 1, column 2: expecting property name enclosed in double quotes"),
        ("[1]", "x.json is not a record: it holds a list, expected an object"),
        ("null", "x.json is not a record: it holds null, expected an object"),
        ("3", "x.json is not a record: it holds a number, expected an object"),
        ("{}", "x.json has format 0, expected 1 or 2"),
        ('{"format": 3}', "x.json has format 3, expected 1 or 2"),
        ("[" * 100_000, "x.json is not a record: its lists are nested too deeply"),
        (b"\xff{}", "x.json is not UTF-8 text, byte 0: not part of a character"),
    ],
)
def test_what_is_no_record_is_refused_in_one_sentence(text: str | bytes, sentence: str) -> None:
    with pytest.raises(RecordError) as refusal:
        files.loads(text, "x.json")
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("member", "value", "place"),
    [
        ("seets", [], "seets: "),
        ("match", "many", "match: "),
        ("started", "yesterday", "started: "),
        ("actions", 3, "actions: "),
        ("actions", [{}, {}, {"seat": -1}], "actions[2]: "),
        ("actions", [{}, None], "actions[1]: "),
        ("actions", [{"cause": "CAUSE_LUCK"}], "actions[0]: "),
        ("actions", [{}, {"cause": 99}], "actions[1]: cause 99 is unknown, expected 0 to 8"),
        ("incidents", [{"cause": 99}], "incidents[0]: cause 99"),
        ("seats", [{"name": "a"}, {"nme": "b"}], "seats[1]: "),
        ("source", {"commitment": 7}, "source: "),
    ],
)
def test_the_place_of_what_is_wrong_is_named(member: str, value: object, place: str) -> None:
    with pytest.raises(RecordError) as refusal:
        files.loads(json.dumps({"format": 2, member: value}), "x.json")
    assert str(refusal.value).startswith(f"x.json is not a record, {place}")
    assert "\n" not in str(refusal.value)


def test_files_that_cannot_be_read_or_written_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read: No such file or directory"):
        files.read(tmp_path / "missing.json")
    with pytest.raises(RecordError, match="cannot be written: Is a directory"):
        files.write(tmp_path, record_pb2.Record())
