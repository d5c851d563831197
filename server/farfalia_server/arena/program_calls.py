"""The calls of programs that are handed in, and of the hosts that check and run them."""

from __future__ import annotations

from farfalia.v1 import programs_pb2
from farfalia_server.arena.answering import Context, errors_as_status
from farfalia_server.arena.moderation_calls import ModerationCalls
from farfalia_server.arena.program_messages import (
    BUSY,
    NO_HOST,
    checked_check,
    checked_hash,
    checked_lines,
    checked_offset,
    checked_program_number,
    checked_report,
    checked_steps,
    program_message,
    work_message,
)
from farfalia_server.arena.registering import check_name
from farfalia_server.arena.request_checks import bot_named
from farfalia_server.contract.bounds import LARGEST_PART
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.organising.event_rules import EventRules
from farfalia_server.play.play_service import bearer_token
from farfalia_server.store import Bot, Program, ProgramState


class ProgramCalls(ModerationCalls):
    """A part of the arena's service: programs that the arena runs."""

    @errors_as_status
    async def UploadProgram(  # noqa: N802 - the contract's name
        self, request: programs_pb2.UploadProgramRequest, context: Context
    ) -> programs_pb2.UploadProgramResponse:
        """Keep a part of an archive."""
        await self._programmed(request.bot, context)
        if not 1 <= len(request.part) <= LARGEST_PART:
            raise InvalidArgument(
                "part",
                said(
                    "%(field)s has %(length)s bytes; expected %(least)s to %(most)s",
                    field="part",
                    length=len(request.part),
                    least=1,
                    most=LARGEST_PART,
                ),
            )
        received = await self._store.archives.add(checked_hash(request.hash), request.offset, request.part)
        return programs_pb2.UploadProgramResponse(received=received)

    @errors_as_status
    async def HandIn(  # noqa: N802
        self, request: programs_pb2.HandInRequest, context: Context
    ) -> programs_pb2.HandInResponse:
        """Hand a program in."""
        bot = await self._programmed(request.bot, context)
        if not request.check_only:
            await EventRules(self._store).check_version(bot)
        hash = checked_hash(request.hash)
        size = await self._store.archives.complete(hash)
        await self._store.archives.check_proof(hash, bot.name, request.proof)
        program = await self._store.programs.hand_in(bot, hash, size, activates=not request.check_only)
        return programs_pb2.HandInResponse(program=await self._shown(program))

    @errors_as_status
    async def ListPrograms(  # noqa: N802
        self, request: programs_pb2.ListProgramsRequest, context: Context
    ) -> programs_pb2.ListProgramsResponse:
        """Return the programs of a bot."""
        bot = await self._programmed(request.bot, context)
        programs = [program_message(one, steps=False) for one in await self._store.programs.of(bot)]
        return programs_pb2.ListProgramsResponse(programs=programs)

    @errors_as_status
    async def GetProgram(  # noqa: N802
        self, request: programs_pb2.GetProgramRequest, context: Context
    ) -> programs_pb2.GetProgramResponse:
        """Return a program with its check."""
        bot = await self._programmed(request.bot, context)
        program = await self._store.programs.get(bot, checked_program_number(request.number))
        return programs_pb2.GetProgramResponse(program=await self._shown(program))

    @errors_as_status
    async def GetProgramArchive(  # noqa: N802
        self, request: programs_pb2.GetProgramArchiveRequest, context: Context
    ) -> programs_pb2.GetProgramArchiveResponse:
        """Return a part of what was handed in."""
        bot = await self._programmed(request.bot, context)
        program = await self._store.programs.get(bot, checked_program_number(request.number))
        part = await self._store.archives.read(program.hash, checked_offset(request.offset))
        return programs_pb2.GetProgramArchiveResponse(part=part, size=program.size)

    @errors_as_status
    async def ActivateProgram(  # noqa: N802
        self, request: programs_pb2.ActivateProgramRequest, context: Context
    ) -> programs_pb2.ActivateProgramResponse:
        """Let a bot play with another program."""
        bot = await self._programmed(request.bot, context)
        await EventRules(self._store).check_pinned(bot)
        await self._store.programs.activate(bot, checked_program_number(request.number))
        if not request.number:
            return programs_pb2.ActivateProgramResponse()
        program = await self._store.programs.get(bot, checked_program_number(request.number))
        return programs_pb2.ActivateProgramResponse(program=await self._shown(program))

    @errors_as_status
    async def WorkAsHost(  # noqa: N802
        self, request: programs_pb2.WorkAsHostRequest, context: Context
    ) -> programs_pb2.WorkAsHostResponse:
        """Keep a host's report, and say what it is to do."""
        await self._access.require_host(bearer_token(context))
        check_name("name", request.host.name)
        work = await self._store.hosting.work(checked_report(request.host))
        return work_message(work.bots, work.check)

    @errors_as_status
    async def FetchProgram(  # noqa: N802
        self, request: programs_pb2.FetchProgramRequest, context: Context
    ) -> programs_pb2.FetchProgramResponse:
        """Return a part of an archive to a host."""
        await self._access.require_host(bearer_token(context))
        part = await self._store.archives.read(checked_hash(request.hash), checked_offset(request.offset))
        return programs_pb2.FetchProgramResponse(part=part)

    @errors_as_status
    async def ReportProgramCheck(  # noqa: N802
        self, request: programs_pb2.ReportProgramCheckRequest, context: Context
    ) -> programs_pb2.ReportProgramCheckResponse:
        """Keep how far a check is."""
        await self._access.require_host(bearer_token(context))
        steps, output = checked_steps(list(request.steps)), checked_lines(list(request.output))
        check = checked_check(request.bot, request.number, request.lease)
        pinned = request.over and await self._is_pinned(await bot_named(self._store, request.bot))
        await self._store.programs.report(check, steps, output, over=request.over, pinned=pinned)
        return programs_pb2.ReportProgramCheckResponse()

    @errors_as_status
    async def ListHosts(  # noqa: N802
        self, request: programs_pb2.ListHostsRequest, context: Context
    ) -> programs_pb2.ListHostsResponse:
        """Return the hosts."""
        del request, context
        return await self._reader.hosts()

    async def _programmed(self, name: str, context: Context) -> Bot:
        """Return a bot whose programs the caller may see and change."""
        await self._access.require_owner(bearer_token(context), name)
        bot = await bot_named(self._store, name)
        if bot.house:
            text = said(
                "%(bot)s is played by the house bot %(house)s; hand programs in for a bot of your own",
                bot=bot.name,
                house=bot.house,
            )
            raise FailedPrecondition(text, "BOT_IS_HOUSE")
        return bot

    async def _is_pinned(self, bot: Bot) -> bool:
        """Return whether an event has pinned the bot's version since its program was handed in."""
        try:
            await EventRules(self._store).check_pinned(bot)
        except FailedPrecondition:
            return True
        return False

    async def _shown(self, program: Program) -> programs_pb2.Program:
        if program.state is not ProgramState.CHECKING or program.host:
            return program_message(program)
        alive = any(not host.lost for host in await self._store.hosting.hosts())
        return program_message(program, waiting=BUSY if alive else NO_HOST)
