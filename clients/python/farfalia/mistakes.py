"""Mistakes in the class of a bot that would otherwise show late, as something else, or never."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from difflib import get_close_matches

from farfalia.bot import Bot
from farfalia.errors import BadSetting

#: Methods that are called by the client, each with what it is given.
_GIVEN = {
    name: list(inspect.signature(method).parameters)[1:]
    for name, method in vars(Bot).items()
    if inspect.isfunction(method) and not name.startswith("_") and name != "log"
}
_DECISIONS = [name for name, given in _GIVEN.items() if given == ["view"] and name != "decide"]
#: How close a name has to be to one of those: `colect` is meant to be `collect`, `played` may be anything.
_CLOSE = 0.85


def check_bot(bot: object) -> None:
    """Raise BadSetting, with what to do, if this is not a bot or if methods of its class cannot work."""
    if isinstance(bot, type):
        raise BadSetting(f"{bot.__name__} is a class; expected a bot of it: {bot.__name__}().")
    if not isinstance(bot, Bot):
        raise BadSetting(
            f"{_shown(bot)} is not a bot; expected an object of a class that is derived from farfalia.Bot."
        )
    kind = type(bot)
    for name in ("rulesets", "features"):
        if isinstance(getattr(bot, name), str):
            value = getattr(bot, name)
            raise BadSetting(f"{kind.__name__}.{name} is {value!r}; expected a tuple of names: ({value!r},).")
    for name in _GIVEN:
        if getattr(kind, name) is not getattr(Bot, name):
            _check_method(kind, name, getattr(bot, name))
    for name, meant in _misspelt(kind):
        raise BadSetting(
            f"{kind.__name__}.{name} is never called; did you mean {meant}? A method of your own whose name is as "
            "close to that needs another one, for example with an underscore in front."
        )


def _shown(value: object) -> str:
    """Return a value as its author wrote it, or else by its class: an address in memory says nothing."""
    if type(value).__repr__ is not object.__repr__:
        return repr(value)
    kind = type(value).__name__
    return f"{'An' if kind[0] in 'AEIOUaeiou' else 'A'} {kind}"


def _check_method(kind: type[Bot], name: str, method: object) -> None:
    method_name, given = f"{kind.__name__}.{name}", _GIVEN[name]
    right = f"def {name}(self, {', '.join(given)})"
    if not callable(method):
        raise BadSetting(f"{method_name} is {method!r}; expected a method: {right}.")
    if inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method):
        raise BadSetting(f"{method_name} is async; the SDK calls plain functions: {right}, which may be slow.")
    if inspect.isgeneratorfunction(method):
        raise BadSetting(f"{method_name} has a yield in it, which makes it a generator; expected one that returns.")
    if not _takes(method, given):
        parameters = inspect.signature(getattr(kind, name)).parameters.values()
        written = ", ".join(str(each.replace(annotation=inspect.Parameter.empty)) for each in parameters)
        raise BadSetting(f"{method_name} is written as def {name}({written}); expected {right}.")


def _takes(method: Callable[..., object], given: list[str]) -> bool:
    """Return whether a method can be called with what it is given; a function in another language does not tell."""
    try:
        inspect.signature(method).bind(*given)
    except TypeError:
        return False
    except ValueError:  # also of a method without any parameter, not even self
        return not inspect.ismethod(method)
    return True


def _misspelt(kind: type[Bot]) -> Iterator[tuple[str, str]]:
    """Yield public methods that are nearly called like one that the client calls, and which that is."""
    own = {
        name: member
        for each in kind.__mro__
        if each is not object and not issubclass(Bot, each)
        for name, member in vars(each).items()
    }
    decides = kind.decide is not Bot.decide or kind.decide_batch is not Bot.decide_batch
    # Who defines the right one has not misspelt it; who decides by other means names the rest at will.
    free = [name for name in _GIVEN if name not in own and not (decides and name in _DECISIONS)]
    for name, member in own.items():
        if name.startswith("_") or hasattr(Bot, name) or not callable(getattr(member, "__func__", member)):
            continue
        plain = {each.replace("_", ""): each for each in free}
        if found := get_close_matches(name.replace("_", "").lower(), plain, 1, _CLOSE):
            yield name, plain[found[0]]
