"""The reference of Python packages as Markdown: their public names with signatures and docstrings.

A line `::: MODULE` of a document becomes the reference of what the module exports, or of all that it defines if it does
not say what it exports. Sources are read and not imported: a server shows what needs packages that it does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_LINE = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)
_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n|$).*)*", re.MULTILINE)
#: Characters of a constant's value that is shown.
_LONGEST_VALUE = 60
_SELF = re.compile(r"\((?:self|cls)(?:, |(?=\)))")


def with_reference(text: str) -> str:
    """Return a document with the reference of each module that it names."""
    names = _LINE.findall(text)
    if not names:
        return text
    import griffe  # only here: a server starts without it

    roots = sorted({name.partition(".")[0] for name in names})
    loader = griffe.GriffeLoader(
        search_paths=[_folder(root) for root in roots], extensions=griffe.load_extensions("griffe_sphinx")
    )
    for root in roots:
        loader.load(root, try_relative_path=False)
    return _LINE.sub(lambda found: "\n\n".join(_module(loader.modules_collection[found[1]])), text)


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parents[1]


# Griffe's objects have their attributes by kind, which its types do not tell apart: `Any`.
def _module(module: Any) -> Iterator[str]:
    yield f"## `{module.path}`"
    yield _docstring(module)
    if module.exports is None:
        names = [name for name, one in module.members.items() if not (one.is_alias or one.is_module)]
    else:
        names = [str(name) for name in module.exports]
    for name in sorted(names, key=str.lower):
        if not name.startswith("_"):
            yield from _definition(_defined(module, name), name, 3)


def _defined(module: Any, name: str) -> Any:
    """Return what a module means by a name: what it imports by it, even if one of its modules has the same name."""
    place = module.imports.get(name)
    if place is None:
        return module.members[name]
    folder, _, inner = place.rpartition(".")
    return _defined(module.modules_collection[folder], inner)


def _definition(one: Any, name: str, level: int) -> Iterator[str]:
    yield f"{'#' * level} {name}"
    yield f"```signature\n{_signature(one)}\n```"
    yield _docstring(one)
    if one.is_class:
        members = [member for inner, member in sorted(one.members.items()) if not inner.startswith("_")]
        signature = _signature(one)
        fields = [member for member in members if member.is_attribute]
        yield "\n".join(_field(field) for field in fields if field.docstring or _typed(field) not in signature)
        for member in members:
            if member.is_function:
                yield from _definition(member, f"{name}.{member.name}", 4)


def _signature(one: Any) -> str:
    """Return a call with its types, or a constant with its type, and with its value if that is short."""
    if not one.is_attribute:
        kind = "class " if one.is_class else ""
        return kind + _SELF.sub("(", str(one.signature()) or one.name, count=1)
    value = "" if one.value is None else f" = {one.value}"
    return _typed(one) + value if len(value) <= _LONGEST_VALUE else _typed(one)


def _typed(one: Any) -> str:
    return str(one.name) if one.annotation is None else f"{one.name}: {one.annotation}"


def _field(one: Any) -> str:
    said = " ".join(_docstring(one).split())
    return f"- `{_typed(one)}`" + (f": {said}" if said else "")


def _docstring(one: Any) -> str:
    """Return a docstring with its examples as code."""
    text = one.docstring.value if one.docstring else ""
    return _EXAMPLE.sub(lambda example: f"```python\n{example[0]}\n```", text)
