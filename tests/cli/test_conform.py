"""`farfalia conform`: bots of ours pass, and what is wrong with others is printed, as JSON and as JUnit XML, too."""

import json
from pathlib import Path
from xml.etree.ElementTree import parse

from tests.cli.bots import LOW
from tests.cli.command import Command

from farfalia_server.conformance.run import ITEMS


def test_a_bot_with_the_sdk_passes(tmp_path: Path) -> None:
    (tmp_path / "low.py").write_text(LOW)
    told = json.loads(
        Command(tmp_path).told("conform", "--bot", "low.py", "--json", "--junit", "found.xml", "--html", "found.html")
    )
    assert told["passed"]
    assert [(item["name"], item["state"]) for item in told["items"]] == [(item.name, "passed") for item in ITEMS]
    (suite,) = parse(tmp_path / "found.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == (str(len(ITEMS)), "0")
    assert (
        f"<strong>It does.</strong> {len(ITEMS)} items: {len(ITEMS)} passed." in (tmp_path / "found.html").read_text()
    )


def test_a_program_that_is_no_bot_fails_with_the_clause_and_what_it_wrote(tmp_path: Path) -> None:
    (tmp_path / "printer.py").write_text("print('not a bot')")
    done = Command(tmp_path)("conform", "--bot", "printer.py", "--junit", "found.xml")
    assert done.returncode == 1
    assert done.stdout.startswith("failed   connects: it ended with exit code 0")
    assert "clients/README.md#under-farfalia-run" in done.stdout
    assert f"{len(ITEMS)} items: 1 failed, {len(ITEMS) - 1} skipped." in done.stdout
    assert "| not a bot" in done.stderr
    (suite,) = parse(tmp_path / "found.xml").getroot()
    assert suite.get("failures") == "1"


def test_a_program_that_is_not_there_is_told_before_anything_is_started(tmp_path: Path) -> None:
    assert "There is no file nowhere.py" in Command(tmp_path).refused("conform", "--bot", "nowhere.py", code=2)


def test_a_file_that_cannot_be_written_ends_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "printer.py").write_text("print('not a bot')")
    done = Command(tmp_path)("conform", "--bot", "printer.py", "--junit", "missing/found.xml")
    assert done.returncode == 1
    assert "cannot write missing/found.xml: no such file or directory" in done.stderr
