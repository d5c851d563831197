"""From a request for a tournament to its rows: checked, filled up with house bots, drawn and scheduled."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime

from farfalia import bots as house_bots
from farfalia.v1 import tournaments_pb2
from farfalia_engine import NONCE_BYTES, TimeControl, commitment, ruleset
from farfalia_server.contract.bounds import MOST_ENTRANTS, MOST_MATCHES, MOST_ROUNDS
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import Said, said
from farfalia_server.organising.balances import balances_stored
from farfalia_server.organising.board_kinds import BOARDS
from farfalia_server.organising.event_rules import EventRules
from farfalia_server.organising.fillers import fillers
from farfalia_server.organising.round_plans import asked_stages, round_plan
from farfalia_server.organising.stage_messages import stage_message, stages_stored
from farfalia_server.organising.start_times import check_start_at, check_start_with
from farfalia_server.organising.validation import checked_moment, checked_rules, checked_text, checked_time_control
from farfalia_server.records.drand import network_of, round_of
from farfalia_server.records.house_names import filler_name, house_of, is_playable, why_no_house_bot
from farfalia_server.store import Bot, Entrant, Event, NetworkRule, NewTournament, Store, Tournament
from farfalia_tournaments.schedules import Boards

LONGEST_NAME, LONGEST_BEACON = 80, 80
#: The time of persons, where a tournament that lets them in has no other.
PERSONS_TIME = TimeControl(limit_ms=180_000, bank_ms=60_000, grace=3)


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
        entrants = await self._entrants(request.bots, rules.seats, persons=request.persons)
        drawn = await asyncio.to_thread(round_plan, request, entrants, rules, boards)
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
                persons=request.persons,
                alone=request.alone,
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
            text = said(
                "%(field)s is %(value)s; expected at most %(most)s",
                field="entrants_expected",
                value=entrants_expected,
                most=MOST_ENTRANTS,
            )
            raise InvalidArgument("entrants_expected", text)
        field = max(len(request.bots), entrants_expected, 1)
        _check_size(request, rules.seats, boards, field)
        _check_persons(await self._named(request.bots, make=False), allowed=request.persons)
        if field > 1:  # otherwise nobody has said how many they are
            stand_ins = [Entrant(number, 0, "") for number in range(max(field, rules.seats))]
            await asyncio.to_thread(round_plan, request, stand_ins, rules, boards)
        elif request.stages:
            asked_stages(request, boards)
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
        entrants = await self._entrants(names, rules.seats, persons=tournament.persons)
        drawn = await asyncio.to_thread(round_plan, request, entrants, rules, boards)
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
            return PERSONS_TIME if request.persons else self._time_control
        return checked_time_control(request.time_control)

    async def _entrants(self, names: Sequence[str], seats: int, *, persons: bool) -> tuple[Entrant, ...]:
        """Return those who were named, and house bots for the seats that would stay empty."""
        bots = await self._named(names)
        _check_persons(bots, allowed=persons)
        entrants = [Entrant(number, bot.id, bot.name, person=bot.person) for number, bot in enumerate(bots)]
        for bot in await self.fillers(seats - len(entrants), names):
            entrants.append(Entrant(len(entrants), bot.id, bot.name, filler=True))
        return tuple(entrants)

    async def _named(self, names: Sequence[str], *, make: bool = True) -> list[Bot]:
        """Return the bots of these names, in this order; InvalidArgument lists those that are unknown
        or named twice. House bots that there are not yet are made, or left out.
        """
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        if twice:
            raise InvalidArgument(
                "bots", said("named more than once: %(bots)s; every entrant enters once", bots=", ".join(twice))
            )
        for name in names if make else ():
            await self.ensure_house(name)
        known = {bot.name: bot for bot in await self._store.bots.named(names)}
        unknown = [name for name in names if name not in known and (make or house_of(name) is None)]
        if unknown:
            raise InvalidArgument(
                "bots",
                _unknown(unknown),
            )
        return [known[name] for name in names if name in known]

    async def ensure_house(self, name: str) -> None:
        """Make the house bot that a name like `house-greedy-2` stands for."""
        if (house := house_of(name)) is None:
            return
        if why_not := why_no_house_bot(house):
            raise InvalidArgument("bots", why_not)
        await self._store.bots.ensure_house(name, house)


def _check_persons(bots: Iterable[Bot], *, allowed: bool) -> None:
    """Raise InvalidArgument if persons play as some of these bots where bots alone may enter."""
    persons = [bot.name for bot in bots if bot.person]
    if persons and not allowed:
        raise InvalidArgument(
            "bots", said("persons play as %(bots)s; expected bots, or persons allowed", bots=", ".join(persons))
        )


def _unknown(unknown: Sequence[str]) -> Said:
    """Return what to do about unknown bots; some may be named as `farfalia run` names house bots."""
    house = [filler_name(name, 1) for name in unknown if name in house_bots.NAMES and is_playable(name)]
    names = ", ".join(map(repr, unknown))
    if not house:
        return said("there is no bot %(names)s; register it first", names=names)
    sentence = said(
        "there is no bot %(names)s; house bots need no registration and are named %(house)s",
        names=names,
        house=", ".join(house),
    )
    return said("%(house)s; register the others first", house=sentence) if len(house) < len(unknown) else sentence


def _name(request: tournaments_pb2.CreateTournamentRequest) -> str:
    name = checked_text("name", request.name.strip(), LONGEST_NAME)
    if not name:
        raise InvalidArgument(
            "name", said("the tournament has no name; expected 1 to %(most)s characters", most=LONGEST_NAME)
        )
    return name


def _beacon(request: tournaments_pb2.CreateTournamentRequest) -> tuple[str, str]:
    """Return source and round of the beacon, both or neither."""
    source = checked_text("beacon_source", request.beacon_source.strip(), LONGEST_BEACON)
    round_ = checked_text("beacon_round", request.beacon_round.strip(), LONGEST_BEACON)
    for name, value, other in (("beacon_source", source, round_), ("beacon_round", round_, source)):
        if other and not value:
            raise InvalidArgument(
                name,
                said("%(name)s is empty beside %(other)r; a beacon has a source and a round", name=name, other=other),
            )
    network, number = network_of(source), round_of(round_)
    if network is not None and number is not None and (public := network.public_at(number)) <= datetime.now(UTC):
        when = public.isoformat(" ", "seconds")
        text = said(
            "round %(number)s of drand %(network)s was public %(when)s; expected one that is still to come",
            number=number,
            network=network.name,
            when=when,
        )
        raise InvalidArgument("beacon_round", text)
    return source, round_


def _starts(request: tournaments_pb2.CreateTournamentRequest, event: Event) -> datetime | None:
    """Return when it starts by itself; InvalidArgument for a time that does not do, or with a beacon."""
    starts = checked_moment("starts", request.starts) if request.HasField("starts") else None
    field = "starts" if starts is not None else "starts_with_event" if request.starts_with_event else ""
    if field and request.beacon_source:
        raise InvalidArgument(
            field, said("it starts with a public value, which somebody gives; expected a start by hand")
        )
    if starts is not None and request.starts_with_event:
        raise InvalidArgument(
            "starts", said("starts and starts_with_event are both given; expected at most one of them")
        )
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
            "beacon_value",
            said(
                "beacon %(value)r has %(size)s bytes as UTF-8; expected %(least)s to %(most)s",
                value=value[:80],
                size=size,
                least=least,
                most=most,
            ),
        )
    return checked_text("beacon_value", value, NONCE_BYTES[-1])


def network_rule(request: tournaments_pb2.CreateTournamentRequest) -> NetworkRule:
    """Return when a tournament pauses itself; InvalidArgument for figures out of range."""
    if not request.HasField("network_rule"):
        return NetworkRule()
    rule = request.network_rule
    for name, value, least, most in (
        ("percent", rule.percent, 0, 100),
        ("seconds", rule.seconds, 1 if rule.percent else 0, 3600),
        ("settling", rule.settling, 0, 3600),
    ):
        if not least <= value <= most:
            raise InvalidArgument(
                "network_rule",
                said(
                    "%(field)s is %(value)s; expected %(least)s to %(most)s",
                    field=name,
                    value=value,
                    least=least,
                    most=most,
                ),
            )
    return NetworkRule(rule.percent, rule.seconds, rule.settling)


def _boards(request: tournaments_pb2.CreateTournamentRequest) -> Boards:
    if not request.boards:
        return Boards.DATUM
    found = {number: boards for boards, number in BOARDS.items()}.get(request.boards)
    if found is None:
        raise InvalidArgument(
            "boards",
            said(
                "%(field)s is %(value)s; expected %(least)s to %(most)s",
                field="boards",
                value=request.boards,
                least=0,
                most=max(BOARDS.values()),
            ),
        )
    return found


def _check_size(
    request: tournaments_pb2.CreateTournamentRequest, seats: int, boards: Boards, field: int | None = None
) -> None:
    entrants, rounds = len(request.bots) if field is None else field, request.rounds
    if not 1 <= entrants <= MOST_ENTRANTS:
        raise InvalidArgument(
            "bots", said("%(entrants)s bots are named; expected 1 to %(most)s", entrants=entrants, most=MOST_ENTRANTS)
        )
    if request.stages and rounds:
        raise InvalidArgument(
            "rounds", said("rounds is %(rounds)s with stages; expected 0, each stage names its own", rounds=rounds)
        )
    if rounds > MOST_ROUNDS:
        raise InvalidArgument(
            "rounds", said("rounds is %(rounds)s; expected at most %(most)s, or 0", rounds=rounds, most=MOST_ROUNDS)
        )
    matches = rounds * (max(entrants, seats) // seats) * boards.replays(seats)
    if matches > MOST_MATCHES:
        raise InvalidArgument(
            "rounds",
            said(
                "%(rounds)s rounds of %(entrants)s bots are %(matches)s matches; expected at most %(most)s",
                rounds=rounds,
                entrants=entrants,
                matches=matches,
                most=MOST_MATCHES,
            ),
        )
