"""Programs and hosts as the contract's messages, and reports of hosts as the store takes them."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import DecodeError

from farfalia.v1 import programs_pb2
from farfalia_server.contract.bounds import BOT_NAME, LARGEST_ARCHIVE
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import in_english
from farfalia_server.contract.untrusted import clean, quoted
from farfalia_server.organising.validation import checked_text
from farfalia_server.records.messages import timestamp
from farfalia_server.store import (
    LOST_AFTER,
    Check,
    Host,
    HostedBot,
    Program,
    ProgramState,
    ProgramStep,
    Reported,
)

#: The largest numbers of programs and leases that the database takes.
_MOST_NUMBER, _MOST_LEASE = 2**31 - 1, 2**63 - 1
#: How often a host reports, in milliseconds.
REPORT_MS = 1000
_STATES = {
    ProgramState.CHECKING: programs_pb2.PROGRAM_STATE_CHECKING,
    ProgramState.READY: programs_pb2.PROGRAM_STATE_READY,
    ProgramState.REFUSED: programs_pb2.PROGRAM_STATE_REFUSED,
}
#: Most of a report: slots, bots, steps, lines, characters of a line.
_MOST_SLOTS, _MOST_BOTS, _MOST_STEPS, _MOST_LINES, _LONGEST = 100_000, 10_000, 20, 40, 400


#: Why nothing happens to a program: as a code, and as a sentence.
Waiting = tuple[programs_pb2.ProgramWait, str]
BUSY: Final[Waiting] = (programs_pb2.PROGRAM_WAIT_HOSTS_BUSY, "a host checks it as soon as one has time")
NO_HOST: Final[Waiting] = (
    programs_pb2.PROGRAM_WAIT_NO_HOST,
    "no host is there that checks it; who runs the arena starts one with farfalia host",
)


def program_message(program: Program, *, waiting: Waiting | None = None, steps: bool = True) -> programs_pb2.Program:
    """Return a program; `waiting` is why nothing happens to it."""
    message = programs_pb2.Program(
        bot=program.bot,
        number=program.number,
        version=program.version,
        hash=program.hash,
        size=program.size,
        submitted=timestamp(program.submitted),
        state=_STATES[program.state],
        active=program.active,
        activates=program.activates,
        waiting="" if waiting is None else waiting[1],
        waiting_reason=programs_pb2.PROGRAM_WAIT_UNSPECIFIED if waiting is None else waiting[0],
    )
    if steps:
        message.output.extend(program.output)
        for step in program.steps:
            message.steps.add(name=step.name, passed=step.passed, text=step.text, took_ms=step.took_ms)
    return message


def checked_hash(hash: bytes) -> bytes:
    """Return a SHA-256; InvalidArgument."""
    if len(hash) != 32:
        raise InvalidArgument(
            "hash", in_english(f"hash has {len(hash)} bytes; expected 32, the SHA-256 of the archive")
        )
    return hash


def checked_program_number(number: int) -> int:
    """Return the number of a program; InvalidArgument."""
    if number > _MOST_NUMBER:
        raise InvalidArgument("number", in_english(f"number is {number}; expected at most {_MOST_NUMBER}"))
    return number


def checked_offset(offset: int) -> int:
    """Return where in an archive a part begins; InvalidArgument."""
    if offset > LARGEST_ARCHIVE:
        raise InvalidArgument("offset", in_english(f"offset is {offset}; expected at most {LARGEST_ARCHIVE}"))
    return offset


def checked_check(bot: str, number: int, lease: int) -> tuple[str, int, int]:
    """Return the bot, number and lease of a check; InvalidArgument."""
    if not BOT_NAME.fullmatch(bot):
        raise InvalidArgument("bot", in_english(f"bot is {quoted(bot)}; expected the name of a bot"))
    if lease > _MOST_LEASE:
        raise InvalidArgument("lease", in_english(f"lease is {lease}; expected at most {_MOST_LEASE}"))
    return bot, checked_program_number(number), lease


def checked_report(report: programs_pb2.HostReport) -> Reported:
    """Return what a host says of itself; InvalidArgument."""
    if not 1 <= len(report.instance) <= 64:
        raise InvalidArgument("instance", in_english(f"instance has {len(report.instance)} bytes; expected 1 to 64"))
    if report.slots > _MOST_SLOTS or len(report.bots) > _MOST_BOTS or len(report.checks) > _MOST_BOTS:
        most = f"at most {_MOST_SLOTS} slots and {_MOST_BOTS} bots"
        raise InvalidArgument(
            "host", in_english(f"host has {report.slots} slots and {len(report.bots)} bots; expected {most}")
        )
    for field, text in (("version", report.version), ("sandbox", report.sandbox)):
        checked_text(field, text, _LONGEST)
    kept = programs_pb2.HostReport()
    kept.CopyFrom(report)
    for private in ("instance", "bots", "checks"):
        kept.ClearField(private)
    return Reported(
        report.name,
        report.instance,
        kept.SerializeToString(),
        report.slots,
        report.draining,
        {(bot.bot, bot.lease): bot.seats for bot in report.bots},
        frozenset(checked_check(check.bot, check.number, check.lease) for check in report.checks),
        report.takes_check,
    )


def checked_steps(steps: list[programs_pb2.ProgramStep]) -> list[ProgramStep]:
    """Return the steps of a check, as far as they are kept."""
    return [
        ProgramStep(clean(step.name, 40), step.passed, clean(step.text, _LONGEST), step.took_ms)
        for step in steps[:_MOST_STEPS]
    ]


def checked_lines(lines: list[str]) -> list[str]:
    """Return what a program wrote, as far as it is kept: it is a stranger's text."""
    return [clean(line, _LONGEST) for line in lines[-_MOST_LINES:]]


def hosted_message(bot: HostedBot) -> programs_pb2.HostedProgram:
    """Return a bot that a host plays for."""
    return programs_pb2.HostedProgram(bot=bot.bot, lease=bot.lease, token=bot.token, number=bot.number, hash=bot.hash)


def work_message(bots: tuple[HostedBot, ...], check: Check | None) -> programs_pb2.WorkAsHostResponse:
    """Return what a host is to do."""
    answer = programs_pb2.WorkAsHostResponse(
        programs=map(hosted_message, bots), again_ms=REPORT_MS, lost_after=LOST_AFTER
    )
    if check is not None:
        answer.check.CopyFrom(
            programs_pb2.ProgramToCheck(bot=check.bot, number=check.number, hash=check.hash, lease=check.lease)
        )
    return answer


def host_message(host: Host) -> programs_pb2.Host:
    """Return a host; what an unreadable report said is left out."""
    message = programs_pb2.Host(seen=timestamp(host.seen), lost=host.lost)
    try:
        message.report.ParseFromString(host.report)
    except DecodeError:
        message.report.name = host.name
    return message
