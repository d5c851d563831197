"""What the contract asks of bots, sentence by sentence, and where each stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence of the contract; `place` is a file of the repository and, after `#`, a heading of it or a name."""

    place: str
    quote: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a bot, as a sentence without its end, and which clause it breaks."""

    text: str
    clause: Clause


_PAGE: Final = "clients/README.md"
_PLAY: Final = "proto/farfalia/v1/play.proto"

HELLO: Final = Clause(f"{_PAGE}#the-loop", "Write a message with `hello`.")
INSTANCE: Final = Clause(f"{_PLAY}#Hello.instance", "chosen at random by each process and kept when it reconnects.")
RULESETS: Final = Clause(f"{_PLAY}#Hello.rulesets", "Rulesets that the bot plays; empty means all.")
ANSWER: Final = Clause(f"{_PAGE}#the-loop", "answer `ping` with `pong` at once, and every question with an action.")
LEGAL: Final = Clause(f"{_PAGE}#a-question-and-its-answer", "Answer with one of the `legal` numbers.")
FAILURE: Final = Clause(f"{_PAGE}#the-clock", "An illegal action and a `failure` are strikes too, at once.")
ANSWERED_TWICE: Final = Clause(f"{_PAGE}#limits", "an action that answers no open question")
ONE_PROCESS: Final = Clause(f"{_PAGE}#under-farfalia-run", "A process that ends before `finished` loses the seat")
BATCH: Final = Clause(f"{_PAGE}#the-loop", "any number of its fields may be set, and each list may have many entries.")
PING: Final = Clause(f"{_PAGE}#the-loop", "at once after a ping, with its nonce, even while you think")
PONG_IN_TIME: Final = Clause(f"{_PLAY}#Pong", "One that comes after more than three ping intervals counts as missed.")
AGAIN: Final = Clause(f"{_PLAY}#Question.number", "A question that is sent again keeps its number.")
RESENT: Final = Clause(f"{_PAGE}#reconnecting", "Wait for them, and answer again")
COMES_BACK: Final = Clause(f"{_PAGE}#reconnecting", "Never give up")
WAITS: Final = Clause(f"{_PAGE}#reconnecting", "**Wait before each attempt**")
TRY_AGAIN: Final = Clause(f"{_PAGE}#reconnecting", "**everything not named here**")
DRAIN: Final = Clause(f"{_PLAY}#PlayResponse.drain", "Open a new stream soon, with the same instance")
REPLACED: Final = Clause(f"{_PLAY}#PlayResponse.drain", "Neither is then a reason to do anything.")
VOIDED: Final = Clause(f"{_PLAY}#Finished.voided", "The bot is seated anew, and questions are numbered from 1 again.")
UNKNOWN_KIND: Final = Clause(f"{_PAGE}#a-question-and-its-answer", "If you do not know a kind, send any legal action.")
UNKNOWN_FIELDS: Final = Clause(f"{_PAGE}#pitfalls", "Fields and enum values that you do not know will appear: ignore")
RESULTS: Final = Clause(f"{_PAGE}#reconnecting", "`results` are not errors of the stream")
NONCE_LENGTH: Final = Clause(f"{_PLAY}#Nonce.nonce", "8 to 64 bytes, drawn at random for this secret alone.")
SAME_NONCE: Final = Clause(f"{_PAGE}#the-deals", "if you are asked again, give the same ones.")
STOP: Final = Clause(f"{_PAGE}#reconnecting", "`TOKEN_REPLACED`: the bot has a newer token")
