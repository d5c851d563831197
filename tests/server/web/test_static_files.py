"""Style sheets and scripts at addresses that change with what is in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.server.web_site import Site

import farfalia_server.web
from farfalia_server.web.static_files import StaticAddresses, without_comments

WEB = Path(farfalia_server.web.__file__).parent


async def test_a_file_is_kept_permanently_and_has_another_address_when_any_of_them_changes(
    site: Site, tmp_path: Path
) -> None:
    address = re.search(r'<link rel="stylesheet" href="(/static/[0-9a-f]{12}/style\.css)">', (await site.get("/")).text)
    assert address is not None
    found = await site.get(address[1])
    assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert found.headers["content-type"].startswith("text/css")
    assert found.text == without_comments((WEB / "static/style.css").read_bytes()).decode()
    for older in ("/static/000000000000/style.css", "/static/style.css"):
        missing = await site.get(older, 404)
        assert "cache-control" not in missing.headers, "a server of that version may have it"
    (tmp_path / "one.js").write_text("1")
    (tmp_path / "two.js").write_text("2")
    before = StaticAddresses(tmp_path)
    (tmp_path / "two.js").write_text("3")
    assert before("one.js") != StaticAddresses(tmp_path)("one.js")
    with pytest.raises(FileNotFoundError, match=r"static/three\.js"):
        before("three.js")


def test_templates_name_files_by_the_function_and_scripts_relative_to_themselves() -> None:
    for file in (*WEB.glob("templates/*"), *WEB.glob("static/*")):
        assert not re.search(r"""["'(=]/static/""", file.read_text()), file.name


def test_comments_with_lines_of_their_own_and_indentation_are_left_out_and_nothing_else() -> None:
    script = b"""// @ts-check
/* Two *
   lines. */
  /** @type {number} */
  const one = /** @type {any} */ (2 * 3); // stays
/** @type {string} */ const two = "/* no comment";
"""
    kept = b"""const one = /** @type {any} */ (2 * 3); // stays
/** @type {string} */ const two = "/* no comment";
"""
    assert without_comments(script) == kept


@pytest.mark.parametrize("file", sorted(WEB.glob("static/*.js")), ids=lambda file: file.name)
def test_no_text_of_a_script_goes_on_in_the_next_line_where_it_would_lose_its_indentation(file: Path) -> None:
    odd = [line for line in without_comments(file.read_bytes()).splitlines() if line.count(b"`") % 2]
    assert odd == []


@pytest.mark.parametrize("file", sorted(WEB.glob("static/*.css")), ids=lambda file: file.name)
def test_a_style_sheet_without_comments_has_the_rules_that_it_had(file: Path) -> None:
    every = re.sub(rb"/\*.*?\*/", b"", file.read_bytes(), flags=re.DOTALL)
    assert without_comments(file.read_bytes()).split() == every.split()
