"""The page of a check."""

from farfalia_server.conformance.page import page
from farfalia_server.conformance.run import Seen
from farfalia_server.contract.clauses import DRAIN, Finding


def test_each_item_is_there_with_what_was_wrong_and_its_clause() -> None:
    failed = Seen("lost streams", "failed", "it <left>", 1500, [Finding("it <left>", DRAIN)], ["last <words>"])
    text = page("./bot --fast", [Seen("connects", "passed", "raw", 250), failed], "1.2.3")
    assert "Does <code>./bot --fast</code> keep the contract?" in text
    assert "<strong>It does not.</strong> 2 items: 1 passed, 1 failed." in text
    assert f"“{DRAIN.quote}” <cite>{DRAIN.place}</cite>" in text
    assert "<pre>last &lt;words&gt;</pre>" in text
    assert "<left>" not in text
    assert 'id="lost-streams"' in text
    assert "Farfalia 1.2.3" in text


def test_it_loads_nothing_from_elsewhere() -> None:
    text = page("./bot", [Seen("connects", "passed", "raw", 250)], "1.2.3")
    assert not [word for word in ("src=", "href=", "url(", "<script") if word in text]
