"""The repository itself: rooms, sizes, documentation that runs, deployment files that parse."""

import ast
import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest
import yaml
from tests.longest import LONGEST
from typer.main import get_command

from farfalia_server.cli import app
from farfalia_server.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("farfalia_engine", "farfalia_tournaments", "farfalia_server", "farfalia", "farfalia_tools")
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "clients/README.md", "deploy/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]


def blocks(path: Path, language: str) -> Iterator[str]:
    """The code blocks of a document."""
    for found in re.finditer(rf"^```{language}\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL):
        yield found[1]


def commands(path: Path) -> Iterator[list[str]]:
    """The calls of `farfalia` in the shell blocks of a document, as words."""
    for block in blocks(path, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words.pop(0)
            if words and words[0] in ("farfalia", "./farfalia"):
                yield words[1:]


def test_modules_do_not_import_each_other_in_a_circle_not_even_for_types() -> None:
    graph = grimp.build_graph(*ROOMS, exclude_type_checking_imports=False, cache_dir=None)
    needs = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    # What has no need, or is no one's need, is on no circle; what is left when all such are gone is.
    while outside := [
        module for module in needs if not needs[module] & needs.keys() or not any(module in it for it in needs.values())
    ]:
        for module in outside:
            del needs[module]
    assert {module: sorted(others & needs.keys()) for module, others in needs.items()} == {}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_in_documents_compiles(path: Path) -> None:
    for block in blocks(path, "python"):
        examples = doctest.DocTestParser().get_examples(block)
        ast.parse("".join(example.source for example in examples) or block)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_in_documents_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", path.read_text())
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_in_documents_exist(path: Path) -> None:
    for words in commands(path):
        command = get_command(app)
        while words and hasattr(command, "commands"):
            assert words[0] in command.commands, f"farfalia {' '.join(words)}"
            command = command.commands[words.pop(0)]
        known = {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)} | {
            "--help"
        }
        ours = words[: words.index("--")] if "--" in words else words  # what follows is another program's
        flags = {word.partition("=")[0] for word in ours if word.startswith("--")}
        assert flags <= known, f"farfalia {command.name}: {flags - known}"


def test_no_test_file_imports_another() -> None:
    imported = re.compile(r"^\s*(?:from|import) tests\.(?:\w+\.)*test_\w+", re.MULTILINE)
    found = {
        str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.py") if imported.search(path.read_text())
    }
    assert found == set(), "what tests share is in a file of its own"


def test_a_name_of_a_test_fits_a_line() -> None:
    """It says what is so in at most 80 characters; those of the server's tests may have 104."""
    named = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
    too_long = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in named.findall(path.read_text())
        if len(name) > (104 if ROOT / "tests" / "server" in path.parents else 80)
    }
    assert too_long == set()


def test_a_constant_is_documented_by_the_comment_above_it() -> None:
    """The reference under `/docs/` is made from comments that begin with `#:`."""
    plain = re.compile(r"^# [^\n]*\n(_?[A-Z][A-Z0-9_, ]*)(?:: Final[^=\n]*)? = ", re.MULTILINE)
    modules = [
        path
        for room in ("engine", "tournaments", "server", "clients/python/farfalia")
        for path in (ROOT / room).rglob("*.py")
        if not path.stem.endswith(("_pb2", "_pb2_grpc"))
    ]
    found = {path.name: plain.findall(path.read_text()) for path in modules}
    assert {name: names for name, names in found.items() if names} == {}


def test_make_has_the_verbs_that_are_described() -> None:
    verbs = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    described = re.findall(r"^\| `make (\w+)` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert sorted(verbs) == sorted(described)


def test_compose_describes_the_whole_system() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    services = compose["services"]
    assert {"server", "redis", "postgres", "bots"} <= services.keys()
    for name in ("server", "redis", "postgres"):
        assert "test" in services[name]["healthcheck"], name
    volumes = {mount.partition(":")[0] for service in services.values() for mount in service.get("volumes", ())}
    assert volumes <= compose["volumes"].keys()


def test_the_settings_table_is_the_settings() -> None:
    rows = re.findall(
        r"^\| `(--[a-z-]+)` \| (.*?) \| (.*?) \|$", (ROOT / "docs/operating.md").read_text(), re.MULTILINE
    )
    assert rows == [
        ("--" + name.replace("_", "-"), str(getattr(field.default, "value", field.default)), field.description)
        for name, field in Settings.model_fields.items()
    ]


def test_the_files_that_are_begun_first_exist() -> None:
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []


def test_the_legs_name_tests_that_are_there() -> None:
    named = re.findall(
        r"^  (tests/[\w/]+\.py)(?:::(\w+))?$", (ROOT / ".ci/legs").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(named) > 10
    for path, test in named:
        assert f"def {test}" in (ROOT / path).read_text(encoding="utf-8"), path
