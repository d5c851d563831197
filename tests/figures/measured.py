"""What each benchmark says in the documents, as Markdown: tables, and the sentences whose numbers come from them.

Each takes a report of its benchmark and returns the blocks by name. Sentences without figures stay in the document, and
must be true whatever comes out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.figures.markdown import listed, paragraph, percent, signed, table

from farfalia_tools.bench.analysis import Report
from farfalia_tools.bench.calibration.benchmark import ALL, BinRow, CalibrationReport, PromiseRow
from farfalia_tools.bench.calibration.fields import KNOWN_FIELDS
from farfalia_tools.bench.calibration.looks import LooksRow
from farfalia_tools.bench.calibration.shares import Share
from farfalia_tools.bench.collusion import CollusionRow
from farfalia_tools.bench.fairness.benchmark import FairnessReport, SchemeRow
from farfalia_tools.bench.fairness.schemes import DATUM, RANDOM, ROTATIONS, SCHEMES
from farfalia_tools.bench.intervals import Estimate, share
from farfalia_tools.bench.intervals import Share as Hits
from farfalia_tools.bench.luck.benchmark import LuckReport
from farfalia_tools.bench.pairing import LADDER, LOT, TEACHES_MOST, PairingRow
from farfalia_tools.bench.peers.benchmark import OURS, PeersReport, cells, notes
from farfalia_tools.bench.rungs import Rung
from farfalia_tools.bench.strengths import OPEN_CAUTIOUS, Strength
from farfalia_tournaments import Boards, Noise

Blocks = dict[str, str]

#: Beside what a rung gains, if it is not clearly above the one below.
UNCLEAR = "not clear"

_LUCK_FIELDS = {
    "even": "greedy and cautious, some err in 10 or 20 % of their cards",
    "lopsided": "the same without errors, and two random bots",
    "graded": "cautious, with errors of 0 to 60 %",
    "searching": "five that search, and cautious ones",
}
_PAIR_FIELDS = {
    "even": "strengths 4.8 points apart (`even`)",
    "intransitive": "with styles that beat each other (`intransitive`)",
    "heavy-tailed": "`heavy-tailed`",
    "close": "1 point apart (`close`)",
    "lopsided": "the same and one 35 points behind (`lopsided`)",
    "real luck": "real luck",
}
#: Fields whose pairs have probabilities that the prior is made for.
_FITTING = ("even", "intransitive", "heavy-tailed")
_PROMISE_FIELDS = {"twins": "pairs of twins", "real bots, one weak": "real bots, one of them weak"}
_COLLUSION_FIELDS = {
    "close": "close (strengths ±1 point)",
    "one bot at -35": "one bot at −35",
    "intransitive": "intransitive (three styles, ±1 point)",
    "even, luck taken out": "even, 40 % of luck taken out",
    "intransitive, luck taken out": "intransitive, 40 % of luck taken out",
}
_SEATING = {
    LADDER: "by the ladder",
    LOT: "at random",
    TEACHES_MOST: "those whose order is most open, weighted by sigma",
}


def fairness(report: FairnessReport) -> Blocks:
    fields = list(dict.fromkeys(row.entrants for row in report.rows))
    rows = []
    for scheme in SCHEMES:
        of = [row for row in report.rows if row.scheme == scheme]
        rows.append([scheme, *(_after(row) for row in of), f"{of[-1].luck:.2f}"])
    covered = [row.covered for row in report.rows]
    said = paragraph(
        f"The variance is for {fields[-1]} bots, relative to that of matches with their own cards.",
        f"{_range(covered)} % of the 95 % intervals in these tables held the true score.",
    )
    figures = table(["", *(f"{entrants} bots" for entrants in fields), "variance of a score"], rows)
    return {"fairness": f"{figures}\n\n{said}"}


def luck(report: LuckReport) -> Blocks:
    of = {(row.field, row.scheme): row for row in report.rows}
    fields = list(dict.fromkeys(row.field for row in report.rows))
    rows = []
    for field in fields:
        found = [of[field, scheme] for scheme in (RANDOM, DATUM, ROTATIONS)]
        rows.append([_LUCK_FIELDS[field], *(f"{row.ratio:.2f} ({row.low:.2f}–{row.high:.2f})" for row in found)])
    fresh = [of[field, RANDOM].ratio for field in fields]
    datum = [f"{of[field, DATUM].of_fresh:.2f}" for field in fields]
    matches = listed([f"{of[field, RANDOM].matches:,}" for field in fields])
    said = paragraph(
        "So a match of a ladder, or one with `fresh` cards, tells as much as",
        f"{1 / max(fresh):.1f} to {1 / min(fresh):.1f} such matches with luck included.",
        "`datum` boards had already removed part of the luck. Relative to matches with `fresh` cards, luck included,",
        f"the variance of `datum` is now {listed(datum)}. The rows are from {matches} matches for each kind of boards.",
    )
    return {"luck": f"{table(['field', '`fresh`', '`datum`', '`rotations`'], rows)}\n\n{said}"}


def noise(noises: Mapping[str, Noise]) -> Blocks:
    rows = [
        [f"`{game}`", *(f"{one.of(boards, 2):.1f}" for boards in (Boards.FRESH, Boards.DATUM, Boards.ROTATIONS))]
        for game, one in sorted(noises.items())
    ]
    return {"noise": table(["one match of", "`fresh`", "`datum`, two tables", "`rotations`"], rows)}


def calibration(report: CalibrationReport) -> Blocks:
    every = {row.least: row for row in report.bins if row.field == ALL}
    played = next(row.tournaments for row in report.fields if row.kind == ALL)
    rows = [
        [f"true, all {played:,} tournaments", *(percent(row.was.share, 1) for row in every.values())],
        ["pairs shown", *(f"{row.was.of:,}" for row in every.values())],
    ]
    errors: dict[bool, list[float]] = {True: [], False: []}
    found = {(row.field, row.least): row for row in report.bins}
    for field, label in _PAIR_FIELDS.items():
        known = [found.get((field, least)) for least in every]
        rows.append([label, *(_gap(row) for row in known)])
        errors[field in _FITTING] += [row.was.error for row in known if row]
    close = found.get(("close", 0.8))
    said = [
        "The lower rows show how much more often it was true than predicted, in points.",
        f"One standard error is up to {percent(max(errors[True]), 1)} in the upper three, up to",
        f"{percent(max(errors[False]), 1)} in the others.",
    ]
    if close:
        said += [
            f"In close fields, the {close.was.of} pairs that are shown with {percent(close.said)} % were right in",
            f"{percent(close.was.share)} %.",
        ]
    heads = ["predicted", *(f"{percent(row.said, int(least >= 0.99))} %" for least, row in every.items())]
    return {
        "calibration-pairs": f"{table(heads, rows)}\n\n{paragraph(*said)}",
        "calibration-intervals": table(
            ["predicted 95 %", "intervals", "of the first", "all ranks", "level pairs told apart"],
            [_promise(row) for row in report.fields if row.kind not in KNOWN_FIELDS],
        ),
    }


def looks(rows: Sequence[LooksRow]) -> Blocks:
    lines = []
    for row in rows:
        stopped = round(row.stopped * row.tournaments)
        when = f"{percent(row.stopped)} %, after {percent(row.after)} % of the rounds" if row.after is not None else "0"
        right = f"{round((row.right or 0) * stopped)} of {stopped}" if stopped else ""
        shares = [f"{percent(one)} %" for one in (row.fixed, row.lasting, row.first_fixed, row.first_lasting)]
        lines.append([_PROMISE_FIELDS.get(row.field, row.field), *shares, when, right])
    watched = sum(row.tournaments for row in rows)
    fixed = round(sum(row.ranks_fixed * row.tournaments for row in rows))
    lasting = round(sum(row.ranks_lasting * row.tournaments for row in rows))
    said = [
        f"All ranks of a tournament were right at every look in {fixed} of {watched} tournaments by the figures for",
        f"a fixed end, and in {lasting} by those shown meanwhile.",
    ]
    apart_fixed = [row.apart_fixed for row in rows if row.apart_fixed is not None]
    apart_lasting = [row.apart_lasting for row in rows if row.apart_lasting is not None]
    if apart_fixed and apart_lasting:
        said += [
            f"Of pairs that were told apart at some look, {_range(apart_fixed)} %, by field, were always in the right",
            f"order by the figures for a fixed end, and {_range(apart_lasting)} % by those shown meanwhile.",
        ]
    heads = [
        "right at every look",
        "fixed",
        "shown meanwhile",
        "row in first place, fixed",
        "shown meanwhile",
        "stopped by `first 1 at 95 %`",
        "rightly",
    ]
    return {"looks": f"{table(heads, lines)}\n\n{paragraph(*said)}"}


def collusion(rows: Sequence[CollusionRow], played: CollusionRow) -> Blocks:
    lines = [
        [
            _COLLUSION_FIELDS.get(row.field, row.field),
            f"{row.false_alarms.hits} of {row.false_alarms.of} ({_interval(row.false_alarms)})",
            f"{row.feeding_found.hits} of {row.feeding_found.of} ({_interval(row.feeding_found)})",
        ]
        for row in rows
    ]
    alarms = share(sum(row.false_alarms.hits for row in rows), sum(row.false_alarms.of for row in rows))
    helping = sum(row.helping_found.hits for row in rows), sum(row.helping_found.of for row in rows)
    said = paragraph(
        f"{alarms.hits} reports of {alarms.of} had a false alarm, {percent(alarms.hits / alarms.of, 1)} %",
        f"({_interval(alarms, 1)}). Two bots that help each other, +1.3 and +0.6 points, were found in {helping[0]} of",
        f"{helping[1]} reports.",
    )
    found = "found: one feeds the other, +3 and −2 points per match"
    heads = ["reports with a false alarm", "found: one feeds the other", "found: two help each other"]
    shares = (played.false_alarms, played.feeding_found, played.helping_found)
    return {
        "collusion": f"{table(['field', 'reports with a false alarm', found], lines)}\n\n{said}",
        "collusion-played": table(heads, [[f"{one.hits} of {one.of} ({_interval(one)})" for one in shares]]),
    }


def analysis(report: Report) -> Blocks:
    bots = [f"`{rung.bot}`" for rung in report.games[0].rungs]
    rows = [
        [
            f"`{row.game}`",
            *(f"{rung.price.value:.2f} ± {rung.price.error:.2f}" for rung in row.rungs),
            _slope(row.slope),
            f"{row.accused.hits} of {row.accused.of}",
        ]
        for row in report.games
    ]
    accused = share(sum(row.accused.hits for row in report.games), sum(row.accused.of for row in report.games))
    rows.append(["all", *[""] * len(bots), _slope(report.slope), f"{accused.hits} of {accused.of}"])
    mistakes = []
    for number, bot in enumerate(bots):
        found = [row.rungs[number].mistakes for row in report.games]
        mistakes.append(f"{percent(sum(one.hits for one in found) / sum(one.of for one in found))} % of {bot}")
    said = paragraph(
        f"Of all decisions, {listed(mistakes)} are called mistakes; of the choices of the longer analysis",
        f"{percent(accused.low, 1)} to {percent(accused.high, 1)} % would be (95 % interval).",
    )
    heads = ["game", *bots, "lost for each point", "falsely accused"]
    return {"analysis": f"{table(heads, rows)}\n\n{said}"}


def rungs(rows: Sequence[Rung]) -> Blocks:
    heads = ["game", "bot", "at a table of the rung below", "at a table of `cautious`", "of open cards", "deals"]
    lines = [
        [
            f"`{row.game}`",
            "all cards open" if row.bot == OPEN_CAUTIOUS else f"`{row.bot}`",
            _gain(row.below) + ("" if row.is_above else f", {UNCLEAR}"),
            _gain(row.base),
            "" if row.share is None else f"{percent(row.share)} %".replace("-", "−"),
            f"{row.measured.deals:,}",
            f"{row.measured.milliseconds:.2f}",
        ]
        for row in rows
    ]
    return {"rungs": table([*heads, "ms a decision"], lines)}


def pairing(rows: Sequence[PairingRow]) -> Blocks:
    return {
        "pairing": table(
            ["seating", "Kendall's tau", "matches of a bot", "mean mu", "errors of mu, in sigmas"],
            [
                [_SEATING[row.policy], f"{row.tau:.3f}", _spread(row), f"{row.mean_mu:.1f}", f"{row.z:.2f}"]
                for row in rows
            ],
        )
    }


def long_pairing(rows: Sequence[PairingRow]) -> Blocks:
    heads = [
        "bots",
        "matches",
        "seating",
        "tau .95 after",
        "tau at the end",
        "matches of a bot",
        "mean mu (farthest from 25 at any look)",
    ]
    lines = [
        [
            f"{row.entrants:,}",
            f"{row.played:,}",
            _SEATING[row.policy],
            _after(row),
            f"{row.tau:.3f}",
            _spread(row),
            f"{row.mean_mu:.2f} ({row.farthest:.2f})",
        ]
        for row in rows
    ]
    return {"pairing-long": table(heads, lines)}


def peers(report: PeersReport) -> Blocks:
    heads = ["", "version", "what was run", "carried by", "decisions per second", "CPU per decision, ms", "cores"]
    names = [f"**{row.name}**" if row.name == OURS else row.name for row in report.rows]
    lines = [[name, row.version, row.run, *cells(row)] for name, row in zip(names, report.rows, strict=True)]
    return {"peers": "\n\n".join([table(heads, lines), *map(paragraph, notes(report))])}


def _gain(found: Strength | None) -> str:
    return "" if found is None else f"{found.points:+.2f} ± {found.error:.2f}".replace("-", "−")


def _after(row: SchemeRow | PairingRow) -> str:
    """Return after how many matches the field was in order."""
    return f"{row.ranked_after:,}" if row.ranked_after else f"> {row.played:,}"


def _gap(row: BinRow | None) -> str:
    return signed(100 * (row.was.share - row.said)) if row else ""


def _promise(row: PromiseRow) -> list[str]:
    shares = (row.intervals, row.first, row.ranks, row.told_apart)
    return [_PROMISE_FIELDS.get(row.kind, row.kind), *(_with_error(one) for one in shares)]


def _with_error(one: Share | None) -> str:
    return f"{percent(one.share, 1)} ±{percent(one.error, 1)}" if one else ""


def _interval(one: Hits, digits: int = 0) -> str:
    return f"{percent(one.low, digits)}–{percent(one.high, digits)} %"


def _slope(found: Estimate) -> str:
    return f"{found.value:.2f} ({found.low:.2f}–{found.high:.2f})".replace("-", "−")


def _spread(row: PairingRow) -> str:
    return f"{row.fewest:,} to {row.most:,}"


def _range(shares: Sequence[float]) -> str:
    return f"{percent(min(shares))} to {percent(max(shares))}"
