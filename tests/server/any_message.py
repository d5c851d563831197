"""Any message of a kind: each of its fields is left out, or has something that its type can hold."""

from __future__ import annotations

from typing import Any, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

M = TypeVar("M", bound=Message)

_BITS = {"INT32": 31, "SINT32": 31, "SFIXED32": 31, "INT64": 63, "SINT64": 63, "SFIXED64": 63}
_BITS |= {"UINT32": 32, "FIXED32": 32, "UINT64": 64, "FIXED64": 64}
#: How deep messages are in messages at most.
_DEEPEST = 4


def messages(kind: type[M], words: st.SearchStrategy[str]) -> st.SearchStrategy[M]:
    """Messages of this kind, whose texts are these words or any others."""
    texts = words | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    descriptor: Any = kind.DESCRIPTOR
    return _fields(descriptor, texts, _DEEPEST).map(lambda fields: kind(**fields))


def _fields(message: Descriptor, texts: st.SearchStrategy[str], deepest: int) -> st.SearchStrategy[dict[str, Any]]:
    known = [field for field in message.fields if deepest or field.message_type is None]
    return st.fixed_dictionaries({}, optional={field.name: _values(field, texts, deepest) for field in known})


def _values(field: FieldDescriptor, texts: st.SearchStrategy[str], deepest: int) -> st.SearchStrategy[Any]:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        of_key, of_value = field.message_type.fields
        return st.dictionaries(_single(of_key, texts, deepest), _single(of_value, texts, deepest), max_size=2)
    single = _single(field, texts, deepest)
    return st.lists(single, max_size=3) if field.is_repeated else single


def _single(field: FieldDescriptor, texts: st.SearchStrategy[str], deepest: int) -> st.SearchStrategy[Any]:
    if field.message_type is not None:
        made = GetMessageClass(field.message_type)
        return _fields(field.message_type, texts, deepest - 1).map(lambda fields: made(**fields))
    name = _TYPES[field.type]
    if field.enum_type is not None:
        return st.sampled_from([*field.enum_type.values_by_number, 99])
    if name in _BITS:
        most = 2 ** _BITS[name] - 1
        least = 0 if name[0] in "UF" else -most - 1
        return st.sampled_from([least, 0, 1, 2, 5, most]) | st.integers(least, most)
    return {
        "BOOL": st.booleans(),
        "STRING": texts,
        "BYTES": st.binary(max_size=40),
        "DOUBLE": st.floats(),
        "FLOAT": st.floats(width=32),
    }[name]


#: The names of types, such as UINT32, by their numbers.
_TYPES = {value: name[5:] for name, value in vars(FieldDescriptor).items() if name.startswith("TYPE_")}
