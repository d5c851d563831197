"""Writes what the pages say into the catalogues of all languages: `python -m farfalia_tools.catalogues`.

Texts come from the templates, from calls of `gettext` and `ngettext` in Python, from refusals, and
from the constants that hold what these functions are given. What is new stands in the catalogues without a translation,
and what is gone leaves them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from jinja2 import nodes

import farfalia_engine
import farfalia_server
import farfalia_tournaments
from farfalia_server.web.page_language import PageEnvironment
from farfalia_server.wording.catalogues import catalogue_file
from farfalia_server.wording.language import LANGUAGES, SOURCE
from farfalia_server.wording.translating import TRANSLATED

#: A text, or its two forms: for one and for more.
Text = str | tuple[str, str]

_SERVER: Final = Path(farfalia_server.__file__).parent
_TEMPLATES: Final = _SERVER / "web/templates"
#: Modules of the wording that hold no texts of pages.
_NO_TEXTS: Final = ("language.py", "catalogues.py", "translating.py")
_PLURALS: Final = ("ngettext", "_counted")
#: Classes of which constants are made that hold texts.
_OBJECTS: Final = ("ShortRules",)
_GETTEXT: Final = ("gettext", "_")
#: What makes the sentence of a refusal: on the server, with a plural, and in the rooms that it cannot import.
_REFUSALS: Final = ("said", "said_counted", "BadOption", "RulesetError", "UnknownRuleset", "ScheduleError")
#: Where refusals are made.
_ROOMS: Final = tuple(
    Path(room.__file__ or "").parent for room in (farfalia_server, farfalia_engine, farfalia_tournaments)
)
#: The argument with which an option of a game says how it refuses a value.
_OF_OPTION: Final = "refusal"
#: Which of two forms belongs to a number; that of Unicode for millions is left out, which numbers here never are.
_PLURAL_FORMS: Final = {"it": "nplurals=2; plural=(n != 1);", "fr": "nplurals=2; plural=(n > 1);"}
_LETTER: Final = re.compile(r"[^\W\d_]")
_PLACE: Final = re.compile(r"%\(\w+\)[sra]|\{\w*\}")
_HEADER: Final = """\
# {name}. Made by `make catalogues`, translated by hand; the terms are those of docs/glossary.md.
msgid ""
msgstr ""
"Language: {code}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural}\\n"

"""


def texts() -> dict[Text, list[str]]:
    """Return every text of a page, with the files in which it stands, below the package of the server."""
    found: dict[Text, list[str]] = {}
    for file, text in _everywhere():
        if not _LETTER.search(_PLACE.sub("", _first(text))):
            continue  # the same in every language
        files = found.setdefault(text, [])
        if file not in files:
            files.append(file)
    plurals = {text[0] for text in found if isinstance(text, tuple)}
    return {text: files for text, files in found.items() if text not in plurals}


def read(code: str) -> Catalog:
    """Return the catalogue of a language, an empty one if there is none yet."""
    file = catalogue_file(code)
    return read_po(BytesIO(file.read_bytes()), locale=code) if file.is_file() else Catalog(locale=code)


def missing(code: str) -> list[str]:
    """Return the texts that the catalogue of a language does not have, or has without a translation."""
    known = {message.id for message in read(code) if _is_done(message)}
    return [_first(text) for text in texts() if text not in known]


def written(code: str) -> str:
    """Return the file of a language with all texts of now, and the translations that it has."""
    before, catalogue = read(code), Catalog(locale=code)
    catalogue.mime_headers = [("Plural-Forms", _PLURAL_FORMS[code])]
    for text, files in texts().items():
        known = before.get(_first(text))
        string = known.string if known is not None else ""
        if isinstance(text, tuple) != isinstance(string, tuple):
            string = ""
        comments = known.user_comments if known is not None else ()
        flags = known.flags & {"fuzzy"} if known is not None else ()
        catalogue.add(text, string, [(file, 0) for file in files], flags, user_comments=comments)
    body = BytesIO()
    write_po(body, catalogue, width=120, omit_header=True, sort_output=False, include_lineno=False)
    head = _HEADER.format(name=LANGUAGES[code], code=code, plural=_PLURAL_FORMS[code])
    return head + body.getvalue().decode()


def main() -> int:
    """Write the catalogues, and say what they lack; 1 if that is anything."""
    lacking = 0
    for code in LANGUAGES:
        if code == SOURCE:
            continue
        file = catalogue_file(code)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(written(code))
        absent = missing(code)
        lacking += len(absent)
        print(f"{file}: {len(texts())} texts, {len(absent)} without a translation", file=sys.stderr)
        for text in absent:
            print(f"  {text}", file=sys.stderr)
    return 1 if lacking else 0


def _is_done(message: Message) -> bool:
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return all(forms) and not message.fuzzy


def _first(text: Text) -> str:
    return text if isinstance(text, str) else text[0]


def _everywhere() -> Iterator[tuple[str, Text]]:
    environment = PageEnvironment()
    for file in sorted(_TEMPLATES.glob("*.html")):
        for text in _of_template(environment.parse(file.read_text())):
            yield str(file.relative_to(_SERVER)), text
    for text in TRANSLATED:
        yield "wording/translating.py", text
    for room in _ROOMS:
        for file in sorted(room.rglob("*.py")):
            source = file.read_text()
            for text in _of_refusals(ast.parse(source)) if any(f"{name}(" in source for name in _REFUSALS) else ():
                yield str(file.relative_to(_SERVER if room == _SERVER else room.parent)), text
    modules = [file for room in ("web", "wording") for file in sorted((_SERVER / room).glob("*.py"))]
    trees = {file: ast.parse(file.read_text()) for file in modules if file.name not in _NO_TEXTS}
    asked = {constant for file, tree in trees.items() for constant in _asked(file, tree)}
    for file, tree in trees.items():
        name = str(file.relative_to(_SERVER))
        for text in _of_calls(tree):
            yield name, text
        names = None if file.parent.name == "wording" else {own for place, own in asked if place == file}
        for text in _of_constants(tree, names):
            yield name, text


def _of_template(tree: nodes.Template) -> Iterator[Text]:
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in (*_GETTEXT, "ngettext"):
            given = [own.value for own in call.args if isinstance(own, nodes.Const) and isinstance(own.value, str)]
            yield (given[0], given[1]) if call.node.name == "ngettext" else given[0]


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            yield call.func.id, call


def _of_calls(tree: ast.Module) -> Iterator[Text]:
    for name, call in _calls(tree):
        given = [own.value for own in call.args if isinstance(own, ast.Constant) and isinstance(own.value, str)]
        if name in _PLURALS and len(given) == 2:
            yield given[0], given[1]
        elif name in _GETTEXT:
            yield from given
            yield from (text for own in call.args for text in _otherwise(own))


def _of_refusals(tree: ast.Module) -> Iterator[Text]:
    """Yield the sentences that refusals say in the language of a reader, wherever the server refuses something."""
    for name, call in _calls(tree):
        given = [text for own in call.args[:2] for text in _either(own)] if name in _REFUSALS else []
        if name == "said_counted":
            yield given[0], given[1]
        else:
            yield from given
        yield from (text for own in call.keywords if own.arg == _OF_OPTION for text in _either(own.value))


def _either(value: ast.expr) -> Iterator[str]:
    """Yield a text, or both that an expression chooses from."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.IfExp):
        yield from _either(value.body)
        yield from _either(value.orelse)


def _otherwise(value: ast.expr) -> Iterator[str]:
    """Yield the text in whose place nothing was found: `NAMES.get(key, "unknown")`."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "get":
        yield from (own.value for own in value.args[1:] if isinstance(own, ast.Constant) and isinstance(own.value, str))


def _asked(file: Path, tree: ast.Module) -> Iterator[tuple[Path, str]]:
    """Yield the constants of which a value is translated, in a comprehension, too: their modules and their names."""
    imported = {
        alias.asname or alias.name: (_SERVER.parent / f"{(part.module or '').replace('.', '/')}.py", alias.name)
        for part in tree.body
        if isinstance(part, ast.ImportFrom)
        for alias in part.names
    }
    values: list[ast.AST] = [call for name, call in _calls(tree) if name in _GETTEXT]
    for part in ast.walk(tree):
        if isinstance(part, ast.DictComp) and any(name in _GETTEXT for name, _ in _calls(part.value)):
            values.append(part.generators[0].iter)
    for value in values:
        for own in ast.walk(value):
            if isinstance(own, ast.Name):
                yield imported.get(own.id, (file, own.id))


def _of_constants(tree: ast.Module, asked: set[str] | None) -> Iterator[Text]:
    """Yield the texts of the constants of a module, of those with these names only if there are any."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            names = {own.id for own in ast.walk(target) if isinstance(own, ast.Name)}
            if asked is None or names & asked:
                yield from _of_value(statement.value)


def _of_value(value: ast.expr) -> Iterator[Text]:
    """Yield the texts in the value of a constant; what a function is called with is none, unless it makes an object."""
    if isinstance(value, ast.Constant):
        if isinstance(value.value, str):
            yield value.value
    elif isinstance(value, ast.Dict):
        yield from _of_values(value.values)
    elif isinstance(value, ast.Tuple | ast.List):
        forms = [own.value for own in value.elts if isinstance(own, ast.Constant) and isinstance(own.value, str)]
        if len(forms) == len(value.elts) == 2 and all("{number}" in form for form in forms):
            yield forms[0], forms[1]
        else:
            yield from _of_values(value.elts)
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _OBJECTS:
        yield from _of_values(value.args)
        yield from _of_values(own.value for own in value.keywords)


def _of_values(values: Iterable[ast.expr]) -> Iterator[Text]:
    for value in values:
        yield from _of_value(value)


if __name__ == "__main__":
    sys.exit(main())
