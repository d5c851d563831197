"""What CI systems read of a check."""

from xml.etree.ElementTree import fromstring

from farfalia_server.conformance.junit import junit
from farfalia_server.conformance.run import Seen
from farfalia_server.contract.clauses import DRAIN, Finding


def test_each_item_is_a_test_case_with_what_was_wrong() -> None:
    failed = Seen("drain", "failed", "it <left>", 1500, [Finding("it <left>", DRAIN)], ["last \x1b[31mwords"])
    seen = [Seen("connects", "passed", "raw", 250), failed, Seen("nonces", "skipped", "it gives none", 0)]
    (suite,) = fromstring(junit("./bot --fast", seen))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    assert [(case.get("name"), case.get("time")) for case in suite] == [
        ("connects", "0.250"),
        ("drain", "1.500"),
        ("nonces", "0.000"),
    ]
    failure = suite[1].find("failure")
    assert failure is not None
    assert failure.get("message") == "it <left>"
    assert failure.text == f"it <left> ({DRAIN.place}: {DRAIN.quote})"
    assert suite[1].findtext("system-out") == "last \N{REPLACEMENT CHARACTER}[31mwords"
    assert suite[2].find("skipped") is not None
