"""From a request for a tournament to its rows: checked, filled up with house bots, drawn and scheduled."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain

from farfalia import bots as house_bots
from farfalia.v1 import tournaments_pb2
from farfalia_engine import NONCE_BYTES, Ruleset, TimeControl, commitment, ruleset
from farfalia_server.contract.bounds import MOST_ENTRANTS, MOST_MATCHES, MOST_ROUNDS
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.organising.balances import Balances, balances_stored
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_server.organising.event_rules import EventRules
from farfalia_server.organising.fillers import fillers
from farfalia_server.organising.stage_messages import stage_message, stages_from, stages_stored, stored
from farfalia_server.organising.stage_progress import seat_of
from farfalia_server.organising.staging import PLAN_SEED, plan_stages
from farfalia_server.organising.start_times import check_start_at, check_start_with
from farfalia_server.organising.validation import checked_moment, checked_rules, checked_text, checked_time_control
from farfalia_server.records.drand import network_of, round_of
from farfalia_server.records.house_names import filler_name, house_of, is_playable, why_no_house_bot
from farfalia_server.store import Bot, Entrant, Event, NetworkRule, NewMatch, NewTournament, Store, Tournament
from farfalia_tournaments import Schedule, ScheduleError, Stage, round_robin
from farfalia_tournaments.schedules import Boards, boarded

LONGEST_NAME, LONGEST_BEACON = 80, 80


class Planner:
    """A planner of tournaments; `time_control` is for requests without one, `filler` the house bot of empty seats.

    Each has a secret of its own, unless `secret` is given, for deals that are to come again.
    """

    def __init__(self, store: Store, *, time_control: TimeControl, filler: str, secret: bytes = b"") -> None:
        self._store = store
        self._time_control = time_control
        self._filler = filler
        self._secret = secret
        self._events = EventRules(store)

    async def plan(
        self,
        request: tournaments_pb2.CreateTournamentRequest,
        who: str = "",
        *,
        anywhere: bool = True,
        draft: tuple[int, int] | None = None,
    ) -> Tournament:
        """Store a tournament with its whole schedule or its stages, or nothing; InvalidArgument names what is wrong.

        `draft` has number and revision of what it was before.
        """
        event = await self._events.open_event(request.event)
        rules = checked_rules(request.ruleset, request.options)
        name, control, boards = _name(request), self._control(request), _boards(request)
        source, round_ = _beacon(request)
        starts = _starts(request, event)
        _check_size(request, rules.seats, boards)
        entrants = await self._entrants(request.bots, rules.seats)
        drawn = await asyncio.to_thread(_round_plan, request, entrants, rules, boards)
        ladder = ""
        if not request.unrated:
            ladder = await self._events.ladder(event, request.ladder, rules.name, control, anywhere=anywhere)
        secret = self._secret or secrets.token_bytes(32)
        return await self._store.tournaments.plan(
            NewTournament(
                name=name,
                ruleset=rules.name,
                options=rules.options,
                time_control=control,
                rounds=drawn.rounds,
                secret=secret,
                commitment=commitment(secret),
                value_function=rules.value_function,
                entrants=entrants,
                matches=drawn.matches,
                boards=boards,
                balances=balances_stored(drawn.balances),
                stages=drawn.stages,
                expected=drawn.expected,
                beacon_source=source,
                beacon_round=round_,
                network=network_rule(request),
                ladder=ladder,
                event=event.name,
                starts=starts,
                starts_with_event=request.starts_with_event,
                lasting_processes=request.lasting_processes,
                draft=draft,
            ),
            who,
        )

    async def check(
        self, request: tournaments_pb2.CreateTournamentRequest, entrants_expected: int, *, anywhere: bool
    ) -> None:
        """Raise what `plan` would for a request that may still be without bots, and store nothing."""
        event = await self._events.open_event(request.event)
        rules = checked_rules(request.ruleset, request.options)
        _name(request)
        control, boards = self._control(request), _boards(request)
        _beacon(request)
        _starts(request, event)
        network_rule(request)
        if entrants_expected > MOST_ENTRANTS:
            text = f"entrants_expected is {entrants_expected}; expected at most {MOST_ENTRANTS}"
            raise InvalidArgument("entrants_expected", text)
        field = max(len(request.bots), entrants_expected, 1)
        _check_size(request, rules.seats, boards, field)
        await self._named(request.bots, make=False)
        if field > 1:  # otherwise nobody has said how many they are
            stand_ins = [Entrant(number, 0, "") for number in range(max(field, rules.seats))]
            await asyncio.to_thread(_round_plan, request, stand_ins, rules, boards)
        elif request.stages:
            _stages(request, boards)
        if not request.unrated:
            await self._events.ladder(event, request.ladder, rules.name, control, anywhere=anywhere, make=False)

    async def replan(
        self,
        tournament: Tournament,
        before: Sequence[Entrant],
        names: Sequence[str],
        *,
        replaced: tuple[str, str] | None = None,
        who: str = "",
    ) -> None:
        """Plan a tournament that has not started again for these bots; InvalidArgument if they cannot play it.

        `replaced` are the bot that has lost its place and the one that has it now, by name: `who` did that.
        """
        rules = ruleset(tournament.ruleset, tournament.options)
        rounds = 0 if tournament.stages else tournament.rounds
        boards = Boards(tournament.boards)
        stages = map(stage_message, stages_stored(tournament.stages)) if tournament.stages else ()
        request = tournaments_pb2.CreateTournamentRequest(bots=names, rounds=rounds, stages=stages)
        _check_size(request, rules.seats, boards)
        entrants = await self._entrants(names, rules.seats)
        drawn = await asyncio.to_thread(_round_plan, request, entrants, rules, boards)
        await self._store.entrants.replan(
            tournament.id,
            {entrant.bot_id for entrant in before},
            entrants,
            drawn.matches,
            rounds=drawn.rounds,
            expected=drawn.expected,
            balances=balances_stored(drawn.balances),
            replaced=replaced,
            who=who,
        )

    async def fillers(self, count: int, taken: Collection[str]) -> list[Bot]:
        """Return house bots for this many empty seats, none with one of those names."""
        return await fillers(self._store, self._filler, count, taken)

    def _control(self, request: tournaments_pb2.CreateTournamentRequest) -> TimeControl:
        if not request.HasField("time_control"):
            return self._time_control
        return checked_time_control(request.time_control)

    async def _entrants(self, names: Sequence[str], seats: int) -> tuple[Entrant, ...]:
        """Return those who were named, and house bots for the seats that would stay empty."""
        bots = await self._named(names)
        entrants = [Entrant(number, bot.id, bot.name) for number, bot in enumerate(bots)]
        for bot in await self.fillers(seats - len(entrants), names):
            entrants.append(Entrant(len(entrants), bot.id, bot.name, filler=True))
        return tuple(entrants)

    async def _named(self, names: Sequence[str], *, make: bool = True) -> list[Bot]:
        """Return the bots of these names, in this order; InvalidArgument lists those that are unknown
        or named twice. House bots that there are not yet are made, or left out.
        """
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        if twice:
            raise InvalidArgument("bots", f"named more than once: {', '.join(twice)}; every entrant enters once")
        for name in names if make else ():
            await self.ensure_house(name)
        known = {bot.name: bot for bot in await self._store.bots.named(names)}
        unknown = [name for name in names if name not in known and (make or house_of(name) is None)]
        if unknown:
            raise InvalidArgument("bots", f"there is no bot {', '.join(map(repr, unknown))}; {_what_to_do(unknown)}")
        return [known[name] for name in names if name in known]

    async def ensure_house(self, name: str) -> None:
        """Make the house bot that a name like `house-greedy-2` stands for."""
        if (house := house_of(name)) is None:
            return
        if why_not := why_no_house_bot(house):
            raise InvalidArgument("bots", why_not)
        await self._store.bots.ensure_house(name, house)


def _what_to_do(unknown: Sequence[str]) -> str:
    """Return what to do about unknown bots; some may be named as `farfalia run` names house bots."""
    house = [filler_name(name, 1) for name in unknown if name in house_bots.NAMES and is_playable(name)]
    if not house:
        return "register it first"
    return f"house bots need no registration and are named {', '.join(house)}" + (
        "; register the others first" if len(house) < len(unknown) else ""
    )


def _name(request: tournaments_pb2.CreateTournamentRequest) -> str:
    name = checked_text("name", request.name.strip(), LONGEST_NAME)
    if not name:
        raise InvalidArgument("name", f"the tournament has no name; expected 1 to {LONGEST_NAME} characters")
    return name


def _beacon(request: tournaments_pb2.CreateTournamentRequest) -> tuple[str, str]:
    """Return source and round of the beacon, both or neither."""
    source = checked_text("beacon_source", request.beacon_source.strip(), LONGEST_BEACON)
    round_ = checked_text("beacon_round", request.beacon_round.strip(), LONGEST_BEACON)
    for name, value, other in (("beacon_source", source, round_), ("beacon_round", round_, source)):
        if other and not value:
            raise InvalidArgument(name, f"{name} is empty beside {other!r}; a beacon has a source and a round")
    network, number = network_of(source), round_of(round_)
    if network is not None and number is not None and (public := network.public_at(number)) <= datetime.now(UTC):
        when = public.isoformat(" ", "seconds")
        said = f"round {number} of drand {network.name} was public {when}; expected one that is still to come"
        raise InvalidArgument("beacon_round", said)
    return source, round_


def _starts(request: tournaments_pb2.CreateTournamentRequest, event: Event) -> datetime | None:
    """Return when it starts by itself; InvalidArgument for a time that does not do, or with a beacon."""
    starts = checked_moment("starts", request.starts) if request.HasField("starts") else None
    field = "starts" if starts is not None else "starts_with_event" if request.starts_with_event else ""
    if field and request.beacon_source:
        raise InvalidArgument(field, "it starts with a public value, which somebody gives; expected a start by hand")
    if starts is not None and request.starts_with_event:
        raise InvalidArgument("starts", "starts and starts_with_event are both given; expected at most one of them")
    if starts is not None:
        check_start_at("starts", starts, event)
    elif request.starts_with_event:
        check_start_with(event)
    return starts


def checked_beacon(value: str) -> str:
    """Return the value of a beacon; InvalidArgument unless it has 8 to 64 bytes, or none."""
    size = len(value.encode())
    if value and size not in NONCE_BYTES:
        least, most = NONCE_BYTES[0], NONCE_BYTES[-1]
        raise InvalidArgument(
            "beacon_value", f"beacon {value[:80]!r} has {size} bytes as UTF-8; expected {least} to {most}"
        )
    return checked_text("beacon_value", value, NONCE_BYTES[-1])


def network_rule(request: tournaments_pb2.CreateTournamentRequest) -> NetworkRule:
    """Return when a tournament pauses itself; InvalidArgument for figures out of range."""
    if not request.HasField("network_rule"):
        return NetworkRule()
    rule = request.network_rule
    for name, value, least, most in (
        ("percent", rule.percent, 0, 100),
        ("seconds", rule.seconds, 1, 3600),
        ("settling", rule.settling, 0, 3600),
    ):
        if not least <= value <= most:
            raise InvalidArgument("network_rule", f"{name} is {value}; expected {least} to {most}")
    return NetworkRule(rule.percent, rule.seconds, rule.settling)


def _boards(request: tournaments_pb2.CreateTournamentRequest) -> Boards:
    if not request.boards:
        return Boards.DATUM
    found = {number: boards for boards, number in BOARDS.items()}.get(request.boards)
    if found is None:
        raise InvalidArgument("boards", f"boards is {request.boards}; expected 0 to {max(BOARDS.values())}")
    return found


def _check_size(
    request: tournaments_pb2.CreateTournamentRequest, seats: int, boards: Boards, field: int | None = None
) -> None:
    entrants, rounds = len(request.bots) if field is None else field, request.rounds
    if not 1 <= entrants <= MOST_ENTRANTS:
        raise InvalidArgument("bots", f"{entrants} bots are named; expected 1 to {MOST_ENTRANTS}")
    if request.stages and rounds:
        raise InvalidArgument("rounds", f"rounds is {rounds} with stages; expected 0, each stage names its own")
    if rounds > MOST_ROUNDS:
        raise InvalidArgument("rounds", f"rounds is {rounds}; expected at most {MOST_ROUNDS}, or 0")
    matches = rounds * (max(entrants, seats) // seats) * boards.replays(seats)
    if matches > MOST_MATCHES:
        raise InvalidArgument(
            "rounds", f"{rounds} rounds of {entrants} bots are {matches} matches; expected at most {MOST_MATCHES}"
        )


@dataclass(frozen=True, slots=True)
class _RoundPlan:
    """What is known of the rounds before the start: all matches, or the stages."""

    rounds: int
    expected: int
    balances: Balances
    matches: tuple[NewMatch, ...] = ()
    stages: str = ""


def _round_plan(
    request: tournaments_pb2.CreateTournamentRequest,
    entrants: Sequence[Entrant],
    rules: Ruleset,
    boards: Boards,
) -> _RoundPlan:
    if request.stages:
        stages = _stages(request, boards)
        found = plan_stages(stages, len(entrants), rules, MOST_MATCHES)
        return _RoundPlan(found.rounds, found.matches, found.balances, stages=stored(stages))
    schedule = _schedule(len(entrants), rules, request.rounds)
    matches = _matches(schedule, boards, entrants)
    return _RoundPlan(len(schedule.rounds), len(matches), [(None, schedule.summary)], matches)


def _stages(request: tournaments_pb2.CreateTournamentRequest, boards: Boards) -> tuple[Stage, ...]:
    try:
        return stages_from(request.stages, boards)
    except ScheduleError as error:
        raise InvalidArgument("stages", str(error)) from None


def _schedule(entrants: int, rules: Ruleset, rounds: int) -> Schedule:
    """Return the tables of all rounds, for numbers: who has which is drawn at the start. Same input, same schedule."""
    rng = random.Random(PLAN_SEED)
    return round_robin(entrants, rules.seats, rounds or None, rng=rng, teams=rules.teams or ())


def _matches(schedule: Schedule, boards: Boards, entrants: Sequence[Entrant]) -> tuple[NewMatch, ...]:
    """Return all matches in the order in which they are to be played."""
    return tuple(
        NewMatch(
            match.round,
            match.board,
            tuple(seat_of(entrants[number]) for number in match.entrants if number is not None),
        )
        for match in chain.from_iterable(boarded([drawn.tables for drawn in schedule.rounds], boards))
    )
