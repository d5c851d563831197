"""How even the stages of a tournament are, as the contract has it, and as the database keeps it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from farfalia.v1 import stages_pb2
from farfalia_server.organising.stage_messages import KINDS
from farfalia_tournaments import BalanceKind, BalanceSummary, KnockoutSize, Span, StageKind

BALANCE_KINDS = {
    BalanceKind.BALANCED_DESIGN: stages_pb2.BALANCE_KIND_BALANCED_DESIGN,
    BalanceKind.WITHIN_ONE: stages_pb2.BALANCE_KIND_WITHIN_ONE,
    BalanceKind.BEST_POSSIBLE: stages_pb2.BALANCE_KIND_BEST_POSSIBLE,
    BalanceKind.BEST_FOUND: stages_pb2.BALANCE_KIND_BEST_FOUND,
    BalanceKind.NOT_KNOWN: stages_pb2.BALANCE_KIND_NOT_KNOWN,
    BalanceKind.TRIAL: stages_pb2.BALANCE_KIND_TRIAL,
    BalanceKind.KNOCKOUT: stages_pb2.BALANCE_KIND_KNOCKOUT,
}

#: How even each stage is, or all of a tournament without stages, which has no kind.
Balances = Sequence[tuple[StageKind | None, BalanceSummary]]


def balances_stored(balances: Balances) -> str:
    """Return balances as the database keeps them."""
    return json.dumps(
        [
            {
                "stage": stage,
                "kind": one.kind,
                "meetings": one.meetings,
                "rounds": [(size.entrants, size.tables, size.byes, size.house_bots) for size in one.rounds],
                "shorter": one.shorter,
                "finals": one.finals,
            }
            for stage, one in balances
        ]
    )


def balances_from(text: str) -> Balances:
    """Return balances that the database has kept."""
    return [
        (
            StageKind(kept["stage"]) if kept["stage"] else None,
            BalanceSummary(
                BalanceKind(kept["kind"]),
                Span(*kept["meetings"]) if kept["meetings"] else None,
                tuple(KnockoutSize(*size) for size in kept["rounds"]),
                kept.get("shorter"),
                kept.get("finals", False),
            ),
        )
        for kept in json.loads(text)
    ]


def balance_message(stage: StageKind | None, balance: BalanceSummary) -> stages_pb2.Balance:
    """Return the message of how even a stage is, or a tournament without stages."""
    return stages_pb2.Balance(
        stage=KINDS[stage] if stage else stages_pb2.STAGE_KIND_UNSPECIFIED,
        kind=BALANCE_KINDS[balance.kind],
        fewest_meetings=balance.meetings.least if balance.meetings else 0,
        most_meetings=balance.meetings.most if balance.meetings else 0,
        rounds=[
            stages_pb2.KnockoutRound(
                entrants=size.entrants, tables=size.tables, byes=size.byes, house_bots=size.house_bots
            )
            for size in balance.rounds
        ],
        text=balance.sentence,
    )
