"""The pages' scripts and style sheets say nothing in words of their own: what they say is handed to them, from
`wording/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from farfalia_engine.farfalia.wording import FAMILY_WORDS, SUIT_WORDS
from farfalia_server.web.static_files import FOLDER

#: What has spaces or capital letters and is no English: keys, classes, attributes and selectors.
CODE = {
    *("ArrowLeft", "ArrowRight", "End", "Home", "Shift ", "Shift ArrowLeft", "Shift ArrowRight"),
    *("cards stacks", "controls moves", "controls more", "face back", "face {}", "felt {}", "letter of-family"),
    *("letter-{} of-side", "moment final", "pip above", "rank long", "ring in-bank", "slot {}", "stack empty"),
    *("{} taken", "currentColor", "Enter", ".turn .ring", "input, select, textarea"),
    *("Notification", "{}px {}px", "steps(8, start)", "translate({}px, {}px) scale({})"),
    *("preserveAspectRatio", "viewBox", ".turning button"),
    *(":hover, :focus-within", "(prefers-reduced-motion: reduce)", "button, a, summary"),
}
#: Words without a capital letter or a space that are told from code by what they name.
CARDS = {*FAMILY_WORDS.values(), *SUIT_WORDS.values()}
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<pattern>(?<=[(,=:?]) *\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]])*\]|[^/\n])+/)
      | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      | (?P<quote>`)|(?P<open>\{)|(?P<close>\})""",
    re.VERBOSE | re.DOTALL,
)
_TEXT = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*", re.DOTALL)
#: What a page shows: the children of an element, or a text that is written to one.
_SHOWN = re.compile(r"""(?:element\([^,()]*,[^,()]*,\s*|(?:textContent|title|placeholder)\s*=\s*|"aria-label",\s*)$""")


def literals(script: str) -> Iterator[tuple[str, bool]]:
    """Every text of a script, with `{}` for what is filled in, and whether a page shows it where it stands."""
    at, templates = 0, list[tuple[list[str], bool, int]]()
    depth = 0
    while found := _TOKEN.search(script, at):
        at, shown = found.end(), bool(_SHOWN.search(script[max(0, found.start() - 80) : found.start()]))
        if found["string"]:
            yield found["string"][1:-1], shown
        elif found["open"]:
            depth += 1
        elif found["quote"] or (found["close"] and templates and templates[-1][2] == depth):
            texts, shown, _ = templates.pop() if found["close"] else ([], shown, depth)
            text = _TEXT.match(script, at)
            assert text is not None
            texts.append(text[0])
            at = text.end() + 1
            if script[text.end()] == "`":
                yield "{}".join(texts), shown
            else:  # a value is filled in
                at += 1
                templates.append((texts, shown, depth))
        elif found["close"]:
            depth -= 1


def is_english(text: str, shown: bool) -> bool:
    """Whether a text of a script is one that people read."""
    if text in CODE or re.search(r"[\[\]#=/]", text):
        return False
    if shown and re.search(r"[a-z]{2}", text.replace("{}", "")):
        return True
    return text in CARDS or bool(re.search(r"[A-Z][a-z]|[A-Za-z][.,;:]? | [A-Za-z]", text))


@pytest.mark.parametrize("name", sorted(file.name for file in FOLDER.glob("*.js")))
def test_a_script_has_no_english_of_its_own(name: str) -> None:
    lines = (FOLDER / name).read_text().splitlines()
    script = "\n".join(line for line in lines if not line.startswith("import "))
    assert [text for text, shown in literals(script) if is_english(text, shown)] == []


@pytest.mark.parametrize("name", sorted(file.name for file in FOLDER.glob("*.css")))
def test_a_style_sheet_adds_no_words_to_a_page(name: str) -> None:
    added = re.findall(r"[;{\s]content:([^;}]*)", (FOLDER / name).read_text())
    texts = [text for values in added for text in re.findall(r"""["']([^"']*)["']""", values)]
    assert [text for text in texts if re.search(r"[^\W\d_]", text)] == []


def test_english_is_told_from_code() -> None:
    script = """
      // "Not This"
      made.title = "dealer"; list.append(element("b", "cards stacks", `worth ${at ? `${one} of` : "x"} more`));
      const [, suit] = text.match(/^"(A b)/) ?? []; const kind = { B: "butterfly", c: won ? "won" : `side-${"}"}` };
    """
    assert [text for text, shown in literals(script) if is_english(text, shown)] == [
        "dealer",
        "{} of",
        "worth {} more",
        "butterfly",
    ]
