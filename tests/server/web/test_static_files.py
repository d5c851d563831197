"""Style sheets and scripts at addresses that change with what is in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.server.web_site import Site

import farfalia_server.web
from farfalia_server.web.static_files import StaticAddresses

WEB = Path(farfalia_server.web.__file__).parent


async def test_a_file_is_kept_permanently_and_has_another_address_when_any_of_them_changes(
    site: Site, tmp_path: Path
) -> None:
    address = re.search(r'<link rel="stylesheet" href="(/static/[0-9a-f]{12}/style\.css)">', (await site.get("/")).text)
    assert address is not None
    found = await site.get(address[1])
    assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert found.headers["content-type"].startswith("text/css")
    assert found.text == (WEB / "static/style.css").read_text()
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
