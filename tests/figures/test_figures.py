"""The figures of docs/ stand in marked blocks, which one command rewrites from the benchmarks."""

from pathlib import Path

import pytest
from tests.figures.__main__ import DOCUMENTS, main
from tests.figures.benches import BENCHES, Asked
from tests.figures.markdown import listed, paragraph, signed, table, with_rows_of
from tests.figures.marks import MarksError, blocks, rewritten

BLOCK = "<!-- figures: one -->\n\n| a |\n|---|\n| 1 |\n\n<!-- end of figures -->\n"


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def columns(text: str) -> list[int]:
    """How many cells each row of a table has."""
    return [line.count("|") - 1 for line in text.splitlines() if line.startswith("|")]


@pytest.fixture
def copies(tmp_path: Path) -> list[Path]:
    """Copies of the documents."""
    paths = [tmp_path / document.name for document in DOCUMENTS]
    for path, document in zip(paths, DOCUMENTS, strict=True):
        path.write_text(text_of(document), encoding="utf-8")
    return paths


def test_every_block_of_the_documents_is_measured_and_has_a_table() -> None:
    found = [block for document in DOCUMENTS for block in blocks(text_of(document)).items()]
    assert sorted(name for name, _ in found) == sorted(name for bench in BENCHES.values() for name in bench.names)
    for _, text in found:
        first, *others = columns(text)
        assert len(others) >= 2
        assert set(others) == {first}


def test_a_block_is_rewritten_in_place_and_the_same_again(copies: list[Path]) -> None:
    arguments = ["--only", "pairing", "--only", "long-pairing", "--quick"]
    arguments += [word for path in copies for word in ("--document", str(path))]
    (copy,) = (path for path in copies if "pairing" in blocks(text_of(path)))
    others = {path: text_of(path) for path in copies if path != copy}
    before = text_of(copy)
    assert main(arguments) == 0
    once = text_of(copy)
    assert main(arguments) == 0
    assert text_of(copy) == once
    assert {path: text_of(path) for path in others} == others
    changed = {name for name, text in blocks(once).items() if text != blocks(before)[name]}
    assert changed == {"pairing", "pairing-long"}
    empty = dict.fromkeys(changed, "")
    assert rewritten(once, empty) == rewritten(before, empty)
    # As the document stands: what was written is not spaced otherwise.
    assert rewritten(before, blocks(before)) == before


@pytest.mark.slow
@pytest.mark.parametrize("name", BENCHES)
def test_each_benchmark_fills_its_blocks(name: str) -> None:
    found = BENCHES[name].measure(Asked(quick=True, processes=2))
    new = found if isinstance(found, dict) else {block: text for each in found for block, text in each.items()}
    assert tuple(new) == BENCHES[name].names
    for document in map(text_of, DOCUMENTS):
        here = {block: text for block, text in new.items() if block in blocks(document)}
        renewed = blocks(rewritten(document, here))
        assert {block: renewed[block] for block in here} == here
    for text in new.values():
        assert len(set(columns(text))) == 1
        assert max(map(len, text.splitlines())) <= 1000


@pytest.mark.slow
def test_what_is_measured_game_by_game_leaves_the_rows_of_other_games(copies: list[Path]) -> None:
    (copy,) = (path for path in copies if "rungs" in blocks(text_of(path)))
    before = blocks(text_of(copy))["rungs"].splitlines()
    arguments = ["--only", "rungs", "--quick", "--game", "two", "--deals", "4", "--document", str(copy)]
    assert main(arguments) == 0
    after = blocks(text_of(copy))["rungs"].splitlines()
    assert [line for line in after if "`two`" not in line] == [line for line in before if "`two`" not in line]
    assert [line.split("|")[1] for line in after] == [line.split("|")[1] for line in before]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "two"], "--game and --deals are for rungs; expected --only rungs"),
        (["--only", "noise", "--deals", "4"], "--game and --deals are for rungs; expected --only rungs"),
        (["--only", "rungs", "--deals", "1"], "--deals is 1, expected 2 or more"),
    ],
)
def test_games_and_deals_that_do_not_fit_are_a_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert said in capsys.readouterr().err


def test_rows_take_the_place_of_those_with_the_same_first_cell() -> None:
    before, new = table(["a", "b"], [["1", "x"], ["1", "y"], ["3", "z"]]), table(["a", "b"], [["2", "p"], ["1", "q"]])
    assert with_rows_of(new, before) == table(["a", "b"], [["1", "q"], ["2", "p"], ["3", "z"]])
    assert with_rows_of(new, table(["a", "c"], [["3", "z"]])) == new
    assert with_rows_of(new, "") == new


def test_a_trial_never_touches_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--quick"])
    assert "expected --document with a copy" in capsys.readouterr().err


def test_a_missing_block_is_named_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "some.md"
    document.write_text(BLOCK, encoding="utf-8")
    assert main(["--document", str(document)]) == 1
    assert capsys.readouterr().err == f"figures: {document}: there is no block 'analysis'\n"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (BLOCK + BLOCK, "there are two blocks 'one'"),
        (BLOCK.replace("<!-- end of figures -->", ""), "there are 1 marks around 0 blocks; expected two around each"),
        ("text " + BLOCK, "there are 2 marks around 0 blocks"),
        (BLOCK.replace("| 1 |", "<!-- figures: two -->"), "block 'one' has '<!-- figures: two -->' in it"),
    ],
)
def test_marks_that_do_not_fit_are_a_sentence(document: str, said: str) -> None:
    with pytest.raises(MarksError, match=said):
        blocks(document)


def test_what_stands_between_the_marks_is_replaced_and_nothing_else() -> None:
    assert blocks(BLOCK) == {"one": "| a |\n|---|\n| 1 |"}
    new = rewritten(f"before\n\n{BLOCK}\nafter", {"one": r"\1 | 2"})
    assert new == "before\n\n<!-- figures: one -->\n\n\\1 | 2\n\n<!-- end of figures -->\n\nafter"


def test_figures_are_written_as_in_the_documents() -> None:
    assert [signed(one) for one in (1.25, -0.04, -3.16)] == ["+1.2", "0.0", "−3.2"]
    assert [listed(words) for words in (["1"], ["1", "2"], ["1", "2", "3"])] == ["1", "1 and 2", "1, 2 and 3"]
    assert table(["", "a"], [["b", ""], ["c", "d"]]) == "| | a |\n|---|---|\n| b | |\n| c | d |"
    assert paragraph("One.", "Two.") == "One. Two."
