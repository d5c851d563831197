"""What can go wrong for the author of a bot, one class for each thing to do about it."""

from __future__ import annotations


class FarfaliaError(Exception):
    """Base of all errors of this package; its text is one sentence for the bot's author."""

    exit_code = 1


class BadSetting(FarfaliaError):
    """An address, a token or a number given to `run` cannot be used."""

    exit_code = 2


class Refused(FarfaliaError):
    """The server ended the stream for a reason that another attempt would not change."""

    exit_code = 3

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class TakeBack(FarfaliaError):
    """Raised by `decide` where `View.takes_back`, instead of an answer: the decision before is asked anew."""


class BadAnswer(FarfaliaError):
    """A method of the bot returned something that is not a legal answer to its question."""
