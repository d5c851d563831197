"""A page that looks different is listed; one with other names and numbers is not."""

from __future__ import annotations

from playwright.sync_api import Browser
from tests.browser.agreed_pictures import Look, differences, look

_PAGE = """<style>body {{ margin: 0; height: 900px }} div {{ background: #123; height: 200px }}</style>
<h1>A page</h1><p>{}</p>{}<p>{}</p>"""


def test_a_page_that_looks_different_is_listed_and_one_with_other_names_is_not(browser: Browser) -> None:
    page = browser.new_page()

    def drawn(name: str, block: str, below: str) -> Look:
        page.set_content(_PAGE.format(name, block, below))
        return look(page, page.screenshot())

    agreed = drawn("ada 31, ben 20", "<div></div>", "eve 7").among([drawn("eve 17, kim 9", "<div></div>", "ada")])
    assert differences({"a": drawn("ben 45, ada 8", "<div></div>", "kim")}, {"a": agreed}) == []
    (moved,) = differences({"a": drawn("ada 31, ben 20", "", "eve 7<div></div>")}, {"a": agreed})
    assert moved.startswith("a: fields lighter or darker by ")
    page.set_viewport_size({"width": 1280, "height": 1000})
    (taller,) = differences({"a": drawn("ada 31, ben 20", "<div></div>", "eve 7")}, {"a": agreed})
    assert taller == "a: 1000 pixels tall, not 720"
    assert differences({"b": agreed}, {"a": agreed}) == ["a: not there any more", "b: new"]
    page.close()
