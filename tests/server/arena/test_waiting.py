"""A bot that waits on a ladder, or for a table of a stage, has a reason for programs beside the sentence."""

import pytest

from farfalia.v1 import ladders_pb2, stages_pb2
from farfalia_server.arena.local_presence import REASONS, wait_message
from farfalia_server.arena.stage_standings import WAITS
from farfalia_tournaments import Reason, WaitStatus


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_value_of_its_own(reason: Reason) -> None:
    if reason in WAITS:
        assert stages_pb2.StageWait.Name(WAITS[reason]) == f"STAGE_WAIT_{reason.name}"
    else:
        assert ladders_pb2.LadderWaitReason.Name(REASONS[reason]) == f"LADDER_WAIT_REASON_{reason.name}"


def test_place_and_time_are_there_if_they_are_known() -> None:
    in_line = WaitStatus(Reason.IN_LINE, 3, 12.4, "It is number 3 of 5 in line.")
    assert wait_message("two", in_line) == ladders_pb2.LadderWait(
        ladder="two",
        reason=ladders_pb2.LADDER_WAIT_REASON_IN_LINE,
        text="It is number 3 of 5 in line. That takes about 12 s.",
        place=3,
        seconds=12,
    )
    alone = wait_message("two", WaitStatus(Reason.TOO_FEW, None, None, "A table needs 1 other, and none is waiting."))
    assert (alone.place, alone.seconds) == (0, 0)
