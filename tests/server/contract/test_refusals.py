"""Refusals keep their words apart from their values, and say them from the catalogues of all languages."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import farfalia_engine
import farfalia_server
import farfalia_tournaments
from farfalia_engine import BadOption, RulesetError, UnknownRuleset, ruleset
from farfalia_server.contract.said import either, in_english, joined, said, said_counted
from farfalia_server.contract.said_below import perhaps_meant, said_of
from farfalia_server.wording.language import gettext, ngettext, speaking
from farfalia_tournaments import ScheduleError, parse_stages

_SERVER: Final = Path(farfalia_server.__file__).parent
_ROOMS: Final = tuple(
    Path(room.__file__ or "").parent for room in (farfalia_server, farfalia_engine, farfalia_tournaments)
)
#: Which modules refuse something in English alone, and whom.
IN_ENGLISH: Final = {
    "analysis/deal_comparison.py": "the text of a game of another package",
    "arena/access.py": "hosts",
    "arena/draft_calls.py": "programs: pages publish what they have saved",
    "arena/program_messages.py": "hosts",
    "arena/service.py": "programs: no page asks for both",
    "cli/event_archive.py": "the terminal",
    "store/programs/hosting.py": "hosts",
    "store/programs/object_store.py": "who runs the server",
    "store/programs/programs.py": "hosts",
    "web/calls.py": "programs, in JSON",
    "web/monitoring.py": "what watches the server",
    "web/program_uploads.py": "programs, in JSON",
    "web/record_downloads.py": "programs, in JSON",
}
#: What takes the words of a refusal, at this place among its arguments.
WORDS: Final = {"said": 0, "said_counted": 0, "ScheduleError": 0, "HTTPException": 1}


def calls() -> Iterator[tuple[Path, str, ast.Call]]:
    for room in _ROOMS:
        for file in sorted(room.rglob("*.py")):
            for call in ast.walk(ast.parse(file.read_text())):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                    yield file, call.func.id, call


def test_only_what_no_page_can_be_refused_is_in_english_alone() -> None:
    used = {str(file.relative_to(_SERVER)) for file, name, _ in calls() if name == "in_english"}
    assert used == IN_ENGLISH.keys()


def test_no_words_of_a_refusal_are_made_of_values() -> None:
    made = [
        f"{file.name}:{call.lineno}"
        for file, name, call in calls()
        if name in WORDS and len(call.args) > WORDS[name] and isinstance(call.args[WORDS[name]], ast.JoinedStr)
    ]
    made += [
        f"{file.name}:{call.lineno}"
        for file, name, call in calls()
        if name == "HTTPException" and len(call.args) > 1 and isinstance(call.args[1], ast.Constant)
    ]
    assert not made


def test_a_number_has_its_form_in_every_language() -> None:
    one, two = (
        said_counted(
            "%(number)s match in which you sit is not over; expected at most %(most)s at a time",
            "%(number)s matches in which you sit are not over; expected at most %(most)s at a time",
            number,
            most=3,
        )
        for number in (1, 2)
    )
    assert one == "1 match in which you sit is not over; expected at most 3 at a time"
    assert two == "2 matches in which you sit are not over; expected at most 3 at a time"
    with speaking("it"):
        assert one.in_words_of(gettext, ngettext).startswith("1 partita in cui siedi non è finita")
        assert two.in_words_of(gettext, ngettext).startswith("2 partite in cui siedi non sono finite")


def test_a_sentence_among_the_values_is_translated_and_other_values_are_not() -> None:
    words = said("%(bot)s is suspended", bot="%(match)s or empty")
    sentence = pickle.loads(pickle.dumps(joined([words, said("empty")], "; ")))
    assert sentence == "%(match)s or empty is suspended; empty"
    with speaking("it"):
        assert sentence.in_words_of(gettext, ngettext) == "%(match)s or empty è sospeso; vuoto"


def test_words_of_which_one_is_expected_are_listed() -> None:
    assert either(["true"]) == "true"
    assert either(["one", "two", "three"]) == "one, two or three"


def test_what_was_probably_meant_follows_the_word() -> None:
    assert perhaps_meant("fuor", ["four", "fox"]) == " (did you mean four?)"
    assert not perhaps_meant("zebra", ["four", "fox"])


def test_english_alone_stays_so_in_every_language() -> None:
    with speaking("fr"):
        assert in_english("100 % of %(it)s").in_words_of(gettext, ngettext) == "100 % of %(it)s"


@pytest.mark.parametrize(
    ("text", "said_in_french"),
    [
        ("swiss:rounds=x", "phase 1 : rounds 'x' : il faut un nombre entier"),
        ("swiss:until-percent=95", "phase 1 : until-percent 95 : il faut until-first=N à côté"),
        ("swiss:until-first=1,until-percent=100", "phase 1 : until 100 % : de 50 à 99"),
    ],
)
def test_a_schedule_that_is_refused_is_said_in_the_readers_language(text: str, said_in_french: str) -> None:
    with pytest.raises(ScheduleError) as refused:
        parse_stages(text)
    error = pickle.loads(pickle.dumps(refused.value))
    assert said_of(error) == str(error) == str(refused.value)
    with speaking("fr"):
        assert said_of(error).in_words_of(gettext, ngettext).startswith(said_in_french)


@pytest.mark.parametrize(
    ("game", "options", "kind", "said_in_italian"),
    [
        ("fuor", {}, UnknownRuleset, "non c’è nessun gioco 'fuor' (intendevi four?); possibili: "),
        ("zzz", {}, UnknownRuleset, "non c’è nessun gioco 'zzz'; possibili: "),
        ("four", {"hand": "8"}, BadOption, "four non ha nessuna opzione 'hand' (intendevi hands?); possibili: "),
        ("four", {"hands": "%s"}, BadOption, "l’opzione 'hands' di four è '%s'; serve un "),
        ("farrago", {"players": "9"}, BadOption, "l’opzione 'players' di farrago è '9'; possibili: 4, 3, 5"),
        (
            "farrago",
            {"order": "any"},
            BadOption,
            "l’opzione 'order' di farrago è 'any'; serve dealer, random, o listed",
        ),
    ],
)
def test_options_that_are_refused_are_said_in_the_readers_language(
    game: str, options: dict[str, str], kind: type[RulesetError], said_in_italian: str
) -> None:
    with pytest.raises(kind) as refused:
        ruleset(game, options)
    error = pickle.loads(pickle.dumps(refused.value))
    assert type(error) is kind
    assert said_of(error) == str(error) == str(refused.value)
    with speaking("it"):
        assert said_of(error).in_words_of(gettext, ngettext).startswith(said_in_italian)
