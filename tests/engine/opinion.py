"""The games of Farfalia again, slowly, with cards as text: a second opinion for tests."""

from collections import Counter
from collections.abc import Generator, Mapping
from itertools import combinations

from farfalia_engine import Deals

#: Points by seat of every deal.
Scores = list[list[int]]
#: The seats that are asked with what each may do, and the position that is to act.
PendingQuestion = tuple[dict[int, list[str]], int]
#: Who did what.
Done = tuple[int, str]

SUITS = "SLFO"


def suit(card: str) -> str:
    return card[0]


def rank(card: str) -> int:
    return int(card[1:])


def family(card: str) -> str:
    return "B" if rank(card) in (8, 10, 12) else suit(card)


def wild(card: str) -> bool:
    return card[0] == "W"


def won_by(trick: list[tuple[int, str]], trumps: str) -> int:
    def power(card: str) -> tuple[bool, bool, int]:
        return (False, False, -1) if wild(card) else (suit(card) == trumps, suit(card) == suit(trick[0][1]), rank(card))

    return max(trick, key=lambda played: power(played[1]))[0]


def total(scores: Scores, seat: int) -> int:
    return sum(points[seat] for points in scores)


def last_dealer_first_to_the_left(scores: Scores, seats: int, dealer: int) -> int:
    """F6."""
    clockwise = [(dealer + 1 + step) % seats for step in range(seats)]
    return min(clockwise, key=lambda seat: (total(scores, seat), clockwise.index(seat)))


class Table:
    """How one deal is sat: seats by position, sides as sets of positions, dummies, and what the dealer does."""

    def __init__(
        self, seats: list[int], sides: list[set[int]], dealer_does: str, dummies: tuple[int, ...] = ()
    ) -> None:
        self.seats, self.sides, self.dealer_does, self.dummies = seats, sides, dealer_does, dummies


def clockwise(dealer: int, n: int) -> list[int]:
    return [(dealer + step) % n for step in range(n)]


class Opinion:
    """What is the rule where."""

    def __init__(self, name: str, options: Mapping[str, str]) -> None:
        self.name, self.options = name, options
        self.burnin = options.get("burnin") == "on"
        self.double_you = options.get("double_you") == "on"
        self.seats = {"four": 4, "three": 3, "three-short": 3, "two": 2}.get(name, 5)
        self.barren = 0 if self.seats == 5 else 3

    def table(self, deal: int, scores: Scores, last_dealer: int) -> Table:
        before = deal - 1
        if self.name == "chinkway" and deal == 11:
            merit = {seat: (total(scores, seat), [p[seat] for p in reversed(scores)], -seat) for seat in range(5)}
            first, second, third, fourth, fifth = sorted(merit, key=merit.__getitem__, reverse=True)
            return Table([third, fourth, fifth, first, second], [{0}, {1, 3}, {2, 4}], "discard declare")
        if self.name == "chinkway":
            sides = [{0}, {1, 2}, {3, 4}] if deal <= 5 else [{0}, {1, 3}, {2, 4}]
            return Table(clockwise(before % 5, 5), sides, "discard declare")
        if self.name == "five-hand":
            return Table(clockwise(before, 5), [{0}, {1, 4}, {2, 3}], "discard declare")
        if self.name == "basic":
            dealer = last_dealer_first_to_the_left(scores, 5, last_dealer) if before else 0
            return Table(clockwise(dealer, 5), [{0}, {1, 3}, {2, 4}], "discard declare")
        if self.name == "four":
            return Table(clockwise(before % 4, 4), [{0, 2}, {1, 3}], "")
        if self.name == "two":
            dealer = before % 2
            return Table([dealer, 1 - dealer, dealer, 1 - dealer], [{0, 2}, {1, 3}], "", (2, 3))
        if self.name == "three-short" and deal == 4:
            dealer = last_dealer_first_to_the_left(scores, 3, last_dealer)
            return Table(clockwise(dealer, 3), [{0}, {1}, {2}], "declare discard")
        dealer, left, right = clockwise(before % 3, 3)
        return Table([dealer, left, dealer, right], [{0, 2}, {1, 3}], "declare", (2,))

    def ends(self, deal: int, scores: Scores) -> bool:
        if self.name == "four" and "target" in self.options:
            ours, theirs = (total(scores, a) + total(scores, b) for a, b in ((0, 2), (1, 3)))
            return deal == 100 or (ours != theirs and max(ours, theirs) >= int(self.options["target"]))
        hands = {"chinkway": 11, "five-hand": 5, "basic": 3, "three": 6, "three-short": 4, "two": 4}
        return deal == hands.get(self.name, int(self.options.get("hands", "4")))

    def match(self, deals: Deals) -> Generator[PendingQuestion, Done, Scores]:
        """Yield what is asked, receive what is done, and return the points of all deals."""
        scores: Scores = []
        wilds = [2] * self.seats
        deal = dealer = 0
        while not deal or not self.ends(deal, scores):
            deal += 1
            table = self.table(deal, scores, dealer)
            dealer = table.seats[0]
            doubled = yield from self.doubling(scores, wilds, table)
            points = yield from self.deal(deal, table, deals)
            weight = 2 if self.name == "basic" and deal == 3 else 1
            scores.append([weight * point * (2 if seat in doubled else 1) for seat, point in enumerate(points)])
        return scores

    def doubling(self, scores: Scores, wilds: list[int], table: Table) -> Generator[PendingQuestion, Done, set[int]]:
        if not self.double_you:
            return set()
        totals = [total(scores, seat) for seat in range(self.seats)]
        if self.name == "four":
            totals = [totals[seat] + totals[(seat + 2) % 4] for seat in range(4)]
        level = min(totals) == max(totals)
        open_seats = [seat for seat in range(self.seats) if wilds[seat] and (level or totals[seat] < max(totals))]
        doubled = set()
        while open_seats:
            seat, text = yield (
                {seat: ["double=no", "double=yes"] for seat in open_seats},
                table.seats.index(open_seats[0]),
            )
            open_seats.remove(seat)
            if text == "double=yes":
                doubled.add(seat)
                wilds[seat] -= 1
        return doubled

    def deal(self, deal: int, table: Table, deals: Deals) -> Generator[PendingQuestion, Done, list[int]]:
        n = len(table.seats)
        deck = [f"{SUITS[k // 13]}{k % 13 + 1}" for k in deals.shuffle(f"deal/{deal}/cards", 52)]
        size = {5: 10, 4: 13, 3: 17}[n]
        dealt: list[list[str]] = [[] for _ in range(n)]
        for number, card in enumerate(deck[: n * size]):
            dealt[(number + 1) % n].append(card)
        dealt[0] += deck[n * size :]
        hands = [set(cards) for cards in dealt]
        beneath: dict[str, str] = {}
        for dummy in table.dummies:
            beneath |= dict(zip(dealt[dummy][6:12], dealt[dummy][:6], strict=True))
            hands[dummy] -= set(dealt[dummy][:6])
        spells: list[str | None] = [None] * n
        if self.burnin:
            players = [position % n for position in range(1, n + 1) if position % n not in table.dummies]
            drawn = deals.shuffle(f"deal/{deal}/wilds", 10)
            for position, k in zip(players, drawn, strict=False):
                spells[position] = f"W{'BSLFO'[k // 2]}"
        trumps = ""
        for step in table.dealer_does.split():
            if step == "declare":
                _, text = yield {table.seats[0]: [f"trump={t}" for t in ("S", "L", "F", "O", "NT")]}, 0
                trumps = text.removeprefix("trump=")
            else:
                ordered = sorted(hands[0], key=lambda card: (SUITS.index(suit(card)), rank(card)))
                sets = [",".join(cards) for cards in combinations(ordered, 52 - n * size)]
                _, text = yield {table.seats[0]: [f"discard={cards}" for cards in sets]}, 0
                hands[0] -= set(text.removeprefix("discard=").split(","))
        subjects = ["BSLFO"[k // 5] for k in deals.shuffle(f"deal/{deal}/subjects", 25)[:5]]
        proposal = Counter(subjects)
        trumps = trumps or ("NT" if subjects[0] == "B" else subjects[0])
        collections: list[Counter[str]] = [Counter() for _ in table.sides]
        leader = 1
        for number in range(size):
            trick: list[tuple[int, str]] = []
            for position in [(leader + step) % n for step in range(n)]:
                choices = {card for card in hands[position] if trick and suit(card) == suit(trick[0][1])}
                choices = choices or set(hands[position])
                spell = spells[position]
                if trick and spell:
                    choices.add(spell)
                _, card = yield {table.seats[position]: list(choices)}, position
                if card == spell:
                    spells[position] = None
                else:
                    hands[position].remove(card)
                trick.append((position, card))
            leader = won_by(trick, trumps)
            if number >= self.barren:
                (mine,) = (
                    collection for side, collection in zip(table.sides, collections, strict=True) if leader in side
                )
                burned = {card[1] for _, card in trick if wild(card)}
                left = [card for _, card in trick if not wild(card) and family(card) not in burned]
                fitting = [card for card in left if mine[family(card)] < proposal[family(card)]]
                if fitting:
                    _, taken = yield {table.seats[leader]: [*(f"+{card}" for card in fitting), "none"]}, leader
                    if taken != "none":
                        mine[family(taken[1:])] += 1
            for position, card in trick:
                if position in table.dummies and card in beneath:
                    hands[position].add(beneath.pop(card))
        points = [0] * self.seats
        for side, collection in zip(table.sides, collections, strict=True):
            for position in side - set(table.dummies):
                points[table.seats[position]] = [0, 1, 3, 6, 10, 15][collection.total()]
        return points
