"""Other rooms use what the tournaments export, and nothing below."""

import ast
import importlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = ("farfalia_tournaments", "farfalia_tournaments.schedules", "farfalia_tournaments.stages")


def test_the_server_imports_public_names_only() -> None:
    exported = {package: set(importlib.import_module(package).__all__) for package in PUBLIC}
    found = [
        (path.name, node.module, name.name)
        for path in sorted((ROOT / "server").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "farfalia_tournaments"
        for name in node.names
    ]
    assert len(found) > 50
    assert [one for one in found if one[2] not in exported.get(one[1] or "", ())] == []
