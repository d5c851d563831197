"""Errors as statuses, seen from the other end of a real call."""

import pickle

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from farfalia_server.contract import errors, statuses
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.contract.said import in_english


async def told(error: FarfaliaServerError) -> grpc.aio.AioRpcError:
    """What a client sees of an error that a call ended with."""

    async def refuse(_: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        await statuses.abort(context, error)

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(refuse)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Service", {"Call": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/test.Service/Call")
            with pytest.raises(grpc.aio.AioRpcError) as refusal:
                await call(b"")
            return refusal.value
    finally:
        await server.stop(None)


def reason_of(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo:
    info = error_details_pb2.ErrorInfo()
    status = rpc_status.from_call(error)
    assert status is not None
    assert status.details[0].Unpack(info)
    return info


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (errors.InvalidArgument("name", in_english("no")), grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID"),
        (errors.NotFound(in_english("no"), "BOT_UNKNOWN"), grpc.StatusCode.NOT_FOUND, "BOT_UNKNOWN"),
        (errors.AlreadyExists(in_english("no")), grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN"),
        (
            errors.FailedPrecondition(in_english("no"), "MATCH_NOT_OVER"),
            grpc.StatusCode.FAILED_PRECONDITION,
            "MATCH_NOT_OVER",
        ),
        (errors.Unauthenticated(in_english("no"), "TOKEN_MISSING"), grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"),
        (errors.PermissionDenied(in_english("no")), grpc.StatusCode.PERMISSION_DENIED, "NOT_ALLOWED"),
        (errors.ResourceExhausted(in_english("no")), grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MUCH"),
        (errors.StoreUnavailable("no"), grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE"),
        (errors.RedisUnavailable("no"), grpc.StatusCode.UNAVAILABLE, "REDIS_UNAVAILABLE"),
        (errors.RecordError("no"), grpc.StatusCode.INVALID_ARGUMENT, "RECORD_UNREADABLE"),
        (errors.StoreError("no"), grpc.StatusCode.INTERNAL, "STORE_BROKEN"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
async def test_every_error_has_a_code_and_a_stable_reason(
    error: FarfaliaServerError, code: grpc.StatusCode, reason: str
) -> None:
    seen = await told(error)
    assert (seen.code(), seen.details()) == (code, "no")
    info = reason_of(seen)
    assert (info.reason, info.domain) == (reason, "farfalia")


async def test_a_wrong_field_is_named_for_programs() -> None:
    status = rpc_status.from_call(await told(errors.InvalidArgument("bots[2]", in_english("there is no bot 'x'"))))
    assert status is not None
    request = error_details_pb2.BadRequest()
    assert status.details[1].Unpack(request)
    (violation,) = request.field_violations
    assert (violation.field, violation.description) == ("bots[2]", "there is no bot 'x'")


async def test_who_may_come_back_is_told_when() -> None:
    status = rpc_status.from_call(await told(errors.StoreUnavailable("away")))
    assert status is not None
    retry = error_details_pb2.RetryInfo()
    assert status.details[-1].Unpack(retry)
    assert retry.retry_delay.seconds == 1


@pytest.mark.parametrize(
    "error",
    [
        errors.InvalidArgument("limit", in_english("limit is 'ten'; expected a number")),
        errors.ResourceExhausted(in_english("too many"), "CALLS_TOO_FAST", retry=2.5),
        errors.RecordDamaged(7),
        errors.StoreUnavailable("the database does not answer"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_crosses_processes_with_all_that_it_says(error: FarfaliaServerError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), vars(copy), copy.reason) == (str(error), vars(error), error.reason)
