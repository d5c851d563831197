"""Wrong usage in our own words: what was given, and what was expected."""

import shlex
from typing import Any

import typer
from typer.core import TyperCommand

from farfalia_server.contract.expected_value import expected_value

#: What every error of wrong usage is; Typer exports its children only.
UsageError: Any = typer.BadParameter.__mro__[1]


class NamesBots(TyperCommand):
    """A command whose bots are named by --bot: a word that stands alone is probably one of them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse words that stand alone, with the command line that was probably meant."""
        if "--help" not in args and not ctx.resilient_parsing:  # a line that a shell completes is not whole
            _, words, _ = self.make_parser(ctx).parse_args(args=list(args))
            if words:
                meant = " ".join(f"--bot {shlex.quote(word)}" for word in words)
                ctx.fail(f"{' '.join(words)} stands alone; bots are named by --bot: farfalia run {meant}")
            if not any(word == "--bot" or word.startswith("--bot=") for word in args):
                from farfalia import bots  # a correct command line need not wait for this import

                samples = ", ".join(bots.NAMES)
                ctx.fail(f"--bot is missing; name one bot at least: --bot FILE, or a sample: {samples}.")
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


def reword(error: Any) -> None:
    """Replace the sentence of a usage error that is a library's and not ours."""
    from farfalia_engine.hints import did_you_mean  # a correct command line need not wait for the engine

    possible = getattr(error, "possibilities", None)
    if possible is not None or hasattr(error, "option_name"):
        options = [name for one in error.ctx.command.params for name in one.opts] if error.ctx else possible or ()
        if "No such option" in error.message:
            error.message = f"There is no option {error.option_name}{did_you_mean(error.option_name, options)}."
        error.possibilities = None
    problems = getattr(error.__cause__, "errors", None)
    if problems is not None:
        error.message = _complaint(problems()[0])


def _complaint(problem: Any) -> str:
    if problem["type"] == "value_error":
        return str(problem["ctx"]["error"])
    return f"{problem['input']!r}; expected {expected_value(problem)}."
