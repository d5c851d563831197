"""What was found as JUnit XML, which CI systems show beside other tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from farfalia_server.conformance.run import FAILED, SKIPPED, Seen

#: What XML 1.0 cannot hold.
_UNSUITABLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(command: str, seen: Sequence[Seen]) -> str:
    """Return the text of an XML file with one suite, and a test case for each item."""
    suite = Element(
        "testsuite",
        name="farfalia conform",
        tests=str(len(seen)),
        failures=str(sum(one.state == FAILED for one in seen)),
        errors="0",
        skipped=str(sum(one.state == SKIPPED for one in seen)),
        time=f"{sum(one.took_ms for one in seen) / 1000:.3f}",
    )
    for one in seen:
        case = SubElement(suite, "testcase", classname=_text(command), name=one.name, time=f"{one.took_ms / 1000:.3f}")
        if one.state == FAILED:
            said = [f"{finding.text} ({finding.clause.place}: {finding.clause.quote})" for finding in one.findings]
            failure = SubElement(case, "failure", message=_text(one.text))
            failure.text = _text("\n".join(said))
            SubElement(case, "system-out").text = _text("\n".join(one.output))
        elif one.state == SKIPPED:
            SubElement(case, "skipped", message=one.text)
    suites = Element("testsuites")
    suites.append(suite)
    indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(suites, "unicode")}\n'


def _text(text: str) -> str:
    return _UNSUITABLE.sub("\ufffd", text)
