"""Whatever a file of entrants holds: every name in it can be one, or each line that is wrong is named."""

from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from farfalia_server.cli.entrants_file import check_known, read_entrants
from farfalia_server.contract.bounds import BOT_NAME

lines = st.sampled_from(["ant", "bee # seeded", "# nobody", "", "house-greedy-1", " ant ", "a,b", "ä"]) | st.text(
    max_size=80
)
texts = st.lists(lines, max_size=8).map("\n".join).map(lambda text: text.encode("utf-8", "surrogatepass"))


@given(texts | st.binary(max_size=100), st.lists(st.sampled_from(["ant", "cat"]), unique=True))
def test_any_file_gives_names_or_says_which_lines_are_wrong(content: bytes, given_before: list[str]) -> None:
    with NamedTemporaryFile() as file:
        path = Path(file.name)
        path.write_bytes(content)
        said, names = "", list[str]()
        try:
            names = read_entrants(path, given_before)
        except typer.BadParameter as error:
            said = error.message
        assert bool(said) is not bool(names)
        assert "\n" not in said
        if names:
            assert all(BOT_NAME.fullmatch(name) for name in names)
            assert not set(names) & set(given_before)
            assert len(set(names)) == len(names)
            check_known(path, names)
            strangers = [name for name in names if not name.startswith("house-")]
            if strangers:
                with pytest.raises(typer.BadParameter, match="there is no bot"):
                    check_known(path, ())
