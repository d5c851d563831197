"""What the engine refuses, across processes."""

import pickle

from farfalia_engine import IllegalAction


def test_an_illegal_action_crosses_processes_with_its_name_and_its_reason() -> None:
    error = IllegalAction("10L", "you have a leaf to follow with")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is IllegalAction
    assert (str(copy), copy.name, copy.reason) == (str(error), error.name, error.reason)
