import doctest
import re
from hashlib import sha256
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["engine.md", "deals.md", "learning.md", "training.md", "tutorial.md"])
def test_the_examples_of_a_page_run_as_they_are_printed(page: str) -> None:
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert (failed, tried > 0) == (0, True)


def test_the_canonical_record_on_its_page_has_the_digest_that_is_printed_there() -> None:
    page = (DOCS / "records.md").read_text("utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    spelled = next(text for language, text in blocks if not language).replace("\n", "")
    assert f"`{sha256(spelled.encode()).hexdigest()}`" in page
