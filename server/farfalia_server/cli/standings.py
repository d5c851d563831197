"""A tournament's table on a terminal."""

from farfalia.v1 import arena_pb2
from farfalia_server.cli.output import say, table
from farfalia_server.web.wording import boards, tournament_status

#: With more entrants than this the pairs do not fit beside the table; `--json` and the web page have them all.
PAIRED = 12


def state_of(tournament: arena_pb2.Tournament) -> str:
    """One word, and of a tournament that was cancelled why."""
    return tournament_status(tournament)


def print_tournament(tournament: arena_pb2.Tournament, *, margins: bool = True) -> None:
    """One line about it, its table, with the margins of scores or without, and what the columns mean."""
    game = " ".join([tournament.ruleset, *(f"{name}={value}" for name, value in sorted(tournament.options.items()))])
    rounds = "1 round" if tournament.rounds == 1 else f"{tournament.rounds} rounds"
    say(
        f"{tournament.name} (tournament {tournament.id}): {game}, {rounds}, "
        f"{tournament.finished} of {tournament.matches} matches, {state_of(tournament)}."
    )
    if tournament.balance:
        say(f"{tournament.balance} {boards(tournament.boards).capitalize()}.")
    for line in _deals(tournament):
        say(line)
    if tournament.waiting:
        say(tournament.waiting)
    if tournament.standings:
        say("")
        print_standings(tournament, margins=margins)
    for number, stage in enumerate(tournament.stages, start=1):
        say("")
        print_stage(number, stage)


def print_standings(tournament: arena_pb2.Tournament, *, margins: bool = True) -> None:
    """The crosstable, best first."""
    rows = tournament.standings
    paired = len(rows) <= PAIRED and bool(tournament.pairs)
    heads = ["#", "<bot", "matches", "points", "relative", "adjusted", "±", "mu", "sigma", "rating", "strikes", "lost"]
    better = {(pair.row, pair.column): f"{pair.better}/{pair.meetings}" for pair in tournament.pairs if pair.meetings}
    body = []
    for at, row in enumerate(rows):
        cells = [
            row.place,
            row.entrant + " (house)" * row.house + " (left)" * row.withdrawn,
            row.matches,
            row.points,
            f"{row.relative:+.1f}",
            f"{row.adjusted:+.1f}",
            f"{row.margin:.1f}" if row.margin and margins else "",
            *_rating(row),
            row.strikes,
            row.forfeits,
        ]
        body.append(
            cells + [("" if at == other else better.get((at, other), "")) for other in range(len(rows)) if paired]
        )
    table(heads + [f"v {at + 1}" for at in range(len(rows)) if paired], body)
    say(
        "",
        "relative: mean of points less the table's mean, a match. adjusted: the same without the luck of equal cards;"
        + (" ±: how far luck may still have moved it (95 %)." if margins else "")
        + " rating: mu − 3 sigma, of this tournament alone."
        " lost: matches in which the seat was lost."
        + (" v 1, v 2, …: placed better than that row's bot, of all meetings." if paired else ""),
    )


def _deals(tournament: arena_pb2.Tournament) -> list[str]:
    """What is known of where its deals come from, a line each."""
    lines = [f"Deals: commitment {tournament.commitment.hex()}."]
    if tournament.HasField("beacon"):
        beacon = tournament.beacon
        value = f"{beacon.value!r}" if beacon.value else "its value is given at the start"
        lines.append(f"Deals: beacon {beacon.source}, {beacon.round}: {value}.")
    given = {row.entrant for row in tournament.nonces if row.nonce}
    if tournament.nonces:
        house = {row.entrant for row in tournament.standings if row.house}
        silent = [row.entrant for row in tournament.nonces if row.entrant not in given | house]
        gave = "1 entrant gave" if len(given) == 1 else f"{len(given)} entrants gave"
        lines.append(f"Deals: {gave} a nonce" + (f", not {', '.join(silent)}." if silent else "."))
    if tournament.secret:
        lines.append(f"Deals: secret {tournament.secret.hex()}.")
    return lines


def print_stage(number: int, stage: arena_pb2.TournamentStage) -> None:
    """Who plays in a stage, and how they stand."""
    if not stage.places:
        say(f"Stage {number}, {stage.settings}: has not begun.")
        return
    say(f"Stage {number}, {stage.settings}: {stage.drawn} {'round' if stage.drawn == 1 else 'rounds'} drawn.")
    knockout = stage.settings.startswith("knockout")
    rows = [
        [
            row.place,
            row.entrant,
            f"{row.score:+.1f}" if row.HasField("score") else "",
            *([row.reached or ""] if knockout else []),
            "yes" if row.went_on else "",
        ]
        for row in stage.places
    ]
    table(["#", "<bot", "score", *(["round reached"] if knockout else []), "<went on"], rows)


def _rating(row: arena_pb2.Standing) -> list[str]:
    """mu, sigma and what follows from them; nothing for those who are not rated."""
    rating = row.rating
    if not row.HasField("rating"):
        return ["", "", ""]
    return [f"{rating.mu:.2f}", f"{rating.sigma:.2f}", f"{rating.exposed:.2f}"]
