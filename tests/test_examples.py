"""Every public function and class of the engine and the SDK has an example, and the examples run."""

import asyncio
import doctest
import importlib
import inspect
from pkgutil import walk_packages
from random import Random
from types import ModuleType

import pytest

import farfalia
import farfalia_engine

PUBLIC = {name: getattr(room, name) for room in (farfalia_engine, farfalia) for name in room.__all__}
#: What examples need not import.
KNOWN = {**PUBLIC, "Random": Random, "asyncio": asyncio}


def modules() -> list[str]:
    engine = [found.name for found in walk_packages(farfalia_engine.__path__, "farfalia_engine.")]
    return [*engine, "farfalia.bot", "farfalia.client"]


@pytest.mark.parametrize("name", modules())
def test_the_examples_of_a_module_come_out_as_they_say(name: str) -> None:
    module: ModuleType = importlib.import_module(name)
    assert doctest.testmod(module, extraglobs=KNOWN).failed == 0


def test_every_public_function_and_class_has_an_example() -> None:
    bare = [
        name
        for name, thing in PUBLIC.items()
        if inspect.isfunction(thing) or (inspect.isclass(thing) and not issubclass(thing, Exception))
        if ">>>" not in (thing.__doc__ or "")
    ]
    assert bare == []
