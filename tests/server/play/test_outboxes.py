"""What waits for entries of a journal: nothing leaves before its entry is written, and nothing of one that failed."""

from __future__ import annotations

from functools import partial

from farfalia_server.play.outboxes import Outboxes


def waiting(*numbers: int) -> tuple[Outboxes, list[str]]:
    """Outboxes with one send for each of these entries, and what was sent."""
    outboxes, sent = Outboxes(), list[str]()
    for at, number in enumerate(numbers):
        outboxes.wait(number, [partial(sent.append, f"{at} of {number}")])
    return outboxes, sent


def written(outboxes: Outboxes, number: int) -> None:
    for send in outboxes.take(number):
        send()


def test_each_outbox_is_sent_with_its_entry_also_where_an_entry_is_written_twice() -> None:
    outboxes, sent = waiting(1, 2, 2, 3)
    for number, most in ((1, 1), (2, 2), (2, 3), (3, 4)):
        written(outboxes, number)
        assert len(sent) == most
    assert sent == ["0 of 1", "1 of 2", "2 of 2", "3 of 3"]


def test_what_waited_for_an_entry_that_failed_is_never_sent() -> None:
    outboxes, sent = waiting(1, 2)
    written(outboxes, 2)
    written(outboxes, 1)
    assert sent == ["1 of 2"]


def test_what_joins_is_sent_with_the_newest_entry_and_by_itself_where_none_is_waited_for() -> None:
    outboxes, sent = waiting(1, 2)
    assert outboxes.join([partial(sent.append, "joined")])
    written(outboxes, 1)
    written(outboxes, 2)
    assert sent == ["0 of 1", "1 of 2", "joined"]
    assert not outboxes.join([])
