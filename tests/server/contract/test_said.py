"""Sentences of refusals: English as texts, in a reader's language on pages, across processes."""

from __future__ import annotations

import pickle

from farfalia_server.contract.errors import AlreadyExists
from farfalia_server.contract.said import Said, in_english, said
from farfalia_server.web.problem import Problem
from farfalia_server.wording.language import speaking


def a_refusal() -> AlreadyExists:
    return AlreadyExists(said("there is already a bot %(name)r; choose another name", name="ant 100%(of)s"))


def test_a_refusal_is_english_wherever_nobody_reads_another_language() -> None:
    error = a_refusal()
    assert str(error) == "there is already a bot 'ant 100%(of)s'; choose another name"
    assert Problem.of(error).detail == str(error)


def test_a_page_says_it_in_the_language_of_its_reader_with_the_value_as_it_was() -> None:
    with speaking("it"):
        assert Problem.of(a_refusal()).detail == "c’è già un bot 'ant 100%(of)s'; scegli un altro nome"


def test_it_can_be_translated_after_it_has_crossed_processes() -> None:
    error = pickle.loads(pickle.dumps(a_refusal()))
    assert isinstance(error.args[0], Said)
    with speaking("fr"):
        assert Problem.of(error).detail.startswith("il y a déjà un bot 'ant 100%(of)s' ; choisissez")


def test_a_refusal_that_no_catalogue_has_stays_english() -> None:
    with speaking("it"):
        assert Problem.of(AlreadyExists(in_english("there is one"))).detail == "there is one"
