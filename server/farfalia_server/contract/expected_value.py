"""What a value should have been, by the kind of pydantic's complaint about it."""

from collections.abc import Mapping
from typing import Any

_EXPECTED = {
    "bool_parsing": "yes or no",
    "enum": "{expected}",
    "float_parsing": "a number",
    "float_type": "a number",
    "greater_than_equal": "{ge} or more",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller number",
    "int_type": "a whole number",
    "less_than_equal": "{le} or less",
    "path_type": "a path",
    "string_too_long": "{max_length} characters or less",
    "string_too_short": "{min_length} characters or more",
    "string_type": "a text",
}


def expected_value(problem: Mapping[str, Any]) -> str:
    """Return the end of a sentence about one of pydantic's error details: `a whole number`."""
    template: str = _EXPECTED.get(problem["type"], problem["msg"])
    return template.format(**problem.get("ctx", {}))
