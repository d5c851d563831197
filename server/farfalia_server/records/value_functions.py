"""Whether the records of a tournament name one value function of luck: the one that was committed to."""

from __future__ import annotations

from dataclasses import replace

from farfalia_engine import Record, Verdict


class ValueFunctions:
    """The value function of each tournament, as the first record that names one says."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bytes], tuple[int, bytes]] = {}

    def held_against(self, record: Record, verdict: Verdict) -> Verdict:
        """Return a verdict with what other records of the same tournament say against this one's value function.

        Tournaments are told apart by number and commitment: records of several servers may lie in one folder.
        """
        function = record.source.value_function
        if not record.tournament:
            return verdict
        key = record.tournament, record.source.commitment
        if function:
            match, first = self._known.setdefault(key, (record.match, function))
            if first != function:
                return replace(
                    verdict,
                    violations=(
                        *verdict.violations,
                        f"its value function of luck is {function.hex()}, but that of match {match} of the same"
                        f" tournament is {first.hex()}: one was committed to",
                    ),
                )
        elif key in self._known:
            match, first = self._known[key]
            return replace(
                verdict,
                unchecked=(
                    *verdict.unchecked,
                    f"the luck of the cards: no value function is named, but {first.hex()[:16]}… by match {match} of"
                    " the same tournament; another server has ended this one, and took no luck out of its scores",
                ),
            )
        return verdict
