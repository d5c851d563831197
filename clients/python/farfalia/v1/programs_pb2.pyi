import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProgramState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROGRAM_STATE_UNSPECIFIED: _ClassVar[ProgramState]
    PROGRAM_STATE_CHECKING: _ClassVar[ProgramState]
    PROGRAM_STATE_READY: _ClassVar[ProgramState]
    PROGRAM_STATE_REFUSED: _ClassVar[ProgramState]

class ProgramWait(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROGRAM_WAIT_UNSPECIFIED: _ClassVar[ProgramWait]
    PROGRAM_WAIT_NO_HOST: _ClassVar[ProgramWait]
    PROGRAM_WAIT_HOSTS_BUSY: _ClassVar[ProgramWait]
PROGRAM_STATE_UNSPECIFIED: ProgramState
PROGRAM_STATE_CHECKING: ProgramState
PROGRAM_STATE_READY: ProgramState
PROGRAM_STATE_REFUSED: ProgramState
PROGRAM_WAIT_UNSPECIFIED: ProgramWait
PROGRAM_WAIT_NO_HOST: ProgramWait
PROGRAM_WAIT_HOSTS_BUSY: ProgramWait

class ProgramStep(_message.Message):
    __slots__ = ("name", "passed", "text", "took_ms")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TOOK_MS_FIELD_NUMBER: _ClassVar[int]
    name: str
    passed: bool
    text: str
    took_ms: int
    def __init__(self, name: _Optional[str] = ..., passed: bool = ..., text: _Optional[str] = ..., took_ms: _Optional[int] = ...) -> None: ...

class Program(_message.Message):
    __slots__ = ("bot", "number", "version", "hash", "size", "submitted", "state", "steps", "output", "active", "activates", "waiting", "waiting_reason")
    BOT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    SUBMITTED_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    ACTIVATES_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    WAITING_REASON_FIELD_NUMBER: _ClassVar[int]
    bot: str
    number: int
    version: str
    hash: bytes
    size: int
    submitted: _timestamp_pb2.Timestamp
    state: ProgramState
    steps: _containers.RepeatedCompositeFieldContainer[ProgramStep]
    output: _containers.RepeatedScalarFieldContainer[str]
    active: bool
    activates: bool
    waiting: str
    waiting_reason: ProgramWait
    def __init__(self, bot: _Optional[str] = ..., number: _Optional[int] = ..., version: _Optional[str] = ..., hash: _Optional[bytes] = ..., size: _Optional[int] = ..., submitted: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., state: _Optional[_Union[ProgramState, str]] = ..., steps: _Optional[_Iterable[_Union[ProgramStep, _Mapping]]] = ..., output: _Optional[_Iterable[str]] = ..., active: bool = ..., activates: bool = ..., waiting: _Optional[str] = ..., waiting_reason: _Optional[_Union[ProgramWait, str]] = ...) -> None: ...

class UploadProgramRequest(_message.Message):
    __slots__ = ("bot", "hash", "offset", "part")
    BOT_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    bot: str
    hash: bytes
    offset: int
    part: bytes
    def __init__(self, bot: _Optional[str] = ..., hash: _Optional[bytes] = ..., offset: _Optional[int] = ..., part: _Optional[bytes] = ...) -> None: ...

class UploadProgramResponse(_message.Message):
    __slots__ = ("received",)
    RECEIVED_FIELD_NUMBER: _ClassVar[int]
    received: int
    def __init__(self, received: _Optional[int] = ...) -> None: ...

class HandInRequest(_message.Message):
    __slots__ = ("bot", "hash", "check_only", "proof")
    BOT_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    CHECK_ONLY_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    bot: str
    hash: bytes
    check_only: bool
    proof: bytes
    def __init__(self, bot: _Optional[str] = ..., hash: _Optional[bytes] = ..., check_only: bool = ..., proof: _Optional[bytes] = ...) -> None: ...

class HandInResponse(_message.Message):
    __slots__ = ("program",)
    PROGRAM_FIELD_NUMBER: _ClassVar[int]
    program: Program
    def __init__(self, program: _Optional[_Union[Program, _Mapping]] = ...) -> None: ...

class ListProgramsRequest(_message.Message):
    __slots__ = ("bot",)
    BOT_FIELD_NUMBER: _ClassVar[int]
    bot: str
    def __init__(self, bot: _Optional[str] = ...) -> None: ...

class ListProgramsResponse(_message.Message):
    __slots__ = ("programs",)
    PROGRAMS_FIELD_NUMBER: _ClassVar[int]
    programs: _containers.RepeatedCompositeFieldContainer[Program]
    def __init__(self, programs: _Optional[_Iterable[_Union[Program, _Mapping]]] = ...) -> None: ...

class GetProgramRequest(_message.Message):
    __slots__ = ("bot", "number")
    BOT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    bot: str
    number: int
    def __init__(self, bot: _Optional[str] = ..., number: _Optional[int] = ...) -> None: ...

class GetProgramResponse(_message.Message):
    __slots__ = ("program",)
    PROGRAM_FIELD_NUMBER: _ClassVar[int]
    program: Program
    def __init__(self, program: _Optional[_Union[Program, _Mapping]] = ...) -> None: ...

class GetProgramArchiveRequest(_message.Message):
    __slots__ = ("bot", "number", "offset")
    BOT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    bot: str
    number: int
    offset: int
    def __init__(self, bot: _Optional[str] = ..., number: _Optional[int] = ..., offset: _Optional[int] = ...) -> None: ...

class GetProgramArchiveResponse(_message.Message):
    __slots__ = ("part", "size")
    PART_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    part: bytes
    size: int
    def __init__(self, part: _Optional[bytes] = ..., size: _Optional[int] = ...) -> None: ...

class ActivateProgramRequest(_message.Message):
    __slots__ = ("bot", "number")
    BOT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    bot: str
    number: int
    def __init__(self, bot: _Optional[str] = ..., number: _Optional[int] = ...) -> None: ...

class ActivateProgramResponse(_message.Message):
    __slots__ = ("program",)
    PROGRAM_FIELD_NUMBER: _ClassVar[int]
    program: Program
    def __init__(self, program: _Optional[_Union[Program, _Mapping]] = ...) -> None: ...

class HostReport(_message.Message):
    __slots__ = ("name", "instance", "version", "slots", "processes", "cores", "memory", "sandbox", "runtimes", "draining", "bots", "checks", "takes_check")
    NAME_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SLOTS_FIELD_NUMBER: _ClassVar[int]
    PROCESSES_FIELD_NUMBER: _ClassVar[int]
    CORES_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    SANDBOX_FIELD_NUMBER: _ClassVar[int]
    RUNTIMES_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    TAKES_CHECK_FIELD_NUMBER: _ClassVar[int]
    name: str
    instance: bytes
    version: str
    slots: int
    processes: int
    cores: int
    memory: int
    sandbox: str
    runtimes: _containers.RepeatedScalarFieldContainer[str]
    draining: bool
    bots: _containers.RepeatedCompositeFieldContainer[HostedBot]
    checks: _containers.RepeatedCompositeFieldContainer[HostedCheck]
    takes_check: bool
    def __init__(self, name: _Optional[str] = ..., instance: _Optional[bytes] = ..., version: _Optional[str] = ..., slots: _Optional[int] = ..., processes: _Optional[int] = ..., cores: _Optional[int] = ..., memory: _Optional[int] = ..., sandbox: _Optional[str] = ..., runtimes: _Optional[_Iterable[str]] = ..., draining: bool = ..., bots: _Optional[_Iterable[_Union[HostedBot, _Mapping]]] = ..., checks: _Optional[_Iterable[_Union[HostedCheck, _Mapping]]] = ..., takes_check: bool = ...) -> None: ...

class HostedCheck(_message.Message):
    __slots__ = ("bot", "number", "lease")
    BOT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    bot: str
    number: int
    lease: int
    def __init__(self, bot: _Optional[str] = ..., number: _Optional[int] = ..., lease: _Optional[int] = ...) -> None: ...

class HostedBot(_message.Message):
    __slots__ = ("bot", "lease", "seats")
    BOT_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    bot: str
    lease: int
    seats: int
    def __init__(self, bot: _Optional[str] = ..., lease: _Optional[int] = ..., seats: _Optional[int] = ...) -> None: ...

class WorkAsHostRequest(_message.Message):
    __slots__ = ("host",)
    HOST_FIELD_NUMBER: _ClassVar[int]
    host: HostReport
    def __init__(self, host: _Optional[_Union[HostReport, _Mapping]] = ...) -> None: ...

class HostedProgram(_message.Message):
    __slots__ = ("bot", "lease", "token", "number", "hash")
    BOT_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    bot: str
    lease: int
    token: str
    number: int
    hash: bytes
    def __init__(self, bot: _Optional[str] = ..., lease: _Optional[int] = ..., token: _Optional[str] = ..., number: _Optional[int] = ..., hash: _Optional[bytes] = ...) -> None: ...

class ProgramToCheck(_message.Message):
    __slots__ = ("bot", "number", "hash", "lease")
    BOT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    bot: str
    number: int
    hash: bytes
    lease: int
    def __init__(self, bot: _Optional[str] = ..., number: _Optional[int] = ..., hash: _Optional[bytes] = ..., lease: _Optional[int] = ...) -> None: ...

class WorkAsHostResponse(_message.Message):
    __slots__ = ("programs", "check", "again_ms", "lost_after")
    PROGRAMS_FIELD_NUMBER: _ClassVar[int]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    AGAIN_MS_FIELD_NUMBER: _ClassVar[int]
    LOST_AFTER_FIELD_NUMBER: _ClassVar[int]
    programs: _containers.RepeatedCompositeFieldContainer[HostedProgram]
    check: ProgramToCheck
    again_ms: int
    lost_after: float
    def __init__(self, programs: _Optional[_Iterable[_Union[HostedProgram, _Mapping]]] = ..., check: _Optional[_Union[ProgramToCheck, _Mapping]] = ..., again_ms: _Optional[int] = ..., lost_after: _Optional[float] = ...) -> None: ...

class FetchProgramRequest(_message.Message):
    __slots__ = ("hash", "offset")
    HASH_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    hash: bytes
    offset: int
    def __init__(self, hash: _Optional[bytes] = ..., offset: _Optional[int] = ...) -> None: ...

class FetchProgramResponse(_message.Message):
    __slots__ = ("part",)
    PART_FIELD_NUMBER: _ClassVar[int]
    part: bytes
    def __init__(self, part: _Optional[bytes] = ...) -> None: ...

class ReportProgramCheckRequest(_message.Message):
    __slots__ = ("bot", "number", "lease", "steps", "output", "over")
    BOT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    LEASE_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    bot: str
    number: int
    lease: int
    steps: _containers.RepeatedCompositeFieldContainer[ProgramStep]
    output: _containers.RepeatedScalarFieldContainer[str]
    over: bool
    def __init__(self, bot: _Optional[str] = ..., number: _Optional[int] = ..., lease: _Optional[int] = ..., steps: _Optional[_Iterable[_Union[ProgramStep, _Mapping]]] = ..., output: _Optional[_Iterable[str]] = ..., over: bool = ...) -> None: ...

class ReportProgramCheckResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Host(_message.Message):
    __slots__ = ("report", "seen", "lost")
    REPORT_FIELD_NUMBER: _ClassVar[int]
    SEEN_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    report: HostReport
    seen: _timestamp_pb2.Timestamp
    lost: bool
    def __init__(self, report: _Optional[_Union[HostReport, _Mapping]] = ..., seen: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., lost: bool = ...) -> None: ...

class ListHostsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListHostsResponse(_message.Message):
    __slots__ = ("hosts", "checks")
    HOSTS_FIELD_NUMBER: _ClassVar[int]
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    hosts: _containers.RepeatedCompositeFieldContainer[Host]
    checks: int
    def __init__(self, hosts: _Optional[_Iterable[_Union[Host, _Mapping]]] = ..., checks: _Optional[int] = ...) -> None: ...
