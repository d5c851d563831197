"""Farrago again, slowly, with cards as text: a second opinion for tests."""

from collections import Counter
from collections.abc import Generator, Mapping

from farfalia_engine import Deals

#: The seats that are asked with what each may do, and the position that is to act.
PendingQuestion = tuple[dict[int, list[str]], int]
Done = tuple[int, str]
#: Cards of a trick by who played them.
Trick = list[tuple[int, str]]

TYPES = ["skint", "barred", "majority", "surprise", "red-black", "top-suit", "top-rank", "seconds", "ups-downs", "snap"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "11", "12", "13", "J", "Q", "K", "A"]


def suit(card: str) -> str:
    return card.rstrip("'")[-1]


def rank(card: str) -> int:
    return RANKS.index(card.rstrip("'")[:-1])


def pack_of(players: int, name: str) -> list[str]:
    if players == 3:
        ranks = "6 7 8 9 T J Q K A"
    elif name == "five-hundred":
        ranks = " ".join(RANKS)
    else:
        ranks = "2 3 4 5 6 7 8 9 T J Q K A"
    cards = [f"{r}{s}" for s in "SHDC" for r in ranks.split()]
    if players == 5 and name == "five-hundred":
        return [card for card in cards if card not in ("2H", "2D", "13S", "13C")]
    return cards + ([f"{r}{s}'" for s in "SHDC" for r in "78"] if players == 5 else [])


def top(cards: Trick) -> int:
    """Who has the highest; of twins the later."""
    best = cards[0]
    for played in cards[1:]:
        if rank(played[1]) >= rank(best[1]):
            best = played
    return best[0]


def of(cards: Trick, letter: str) -> Trick:
    return [played for played in cards if suit(played[1]) == letter]


def winner(kind: str, trick: Trick, trumps: str, eights_are_low: bool) -> int:
    led = suit(trick[0][1])
    following = of(trick, led)
    if kind == "red-black":
        trumps = {"S": "H", "H": "S", "D": "C", "C": "D"}[led]
    if kind in ("skint", "barred", "majority", "surprise", "red-black"):
        return top(of(trick, trumps) or following)
    if kind == "top-suit":
        return top(next(of(trick, letter) for letter in "SHDC" if of(trick, letter)))
    if kind == "top-rank":
        return top(trick)
    if kind == "snap":
        snaps = [p for p in trick if suit(p[1]) != led and rank(p[1]) == rank(trick[0][1])]
        return snaps[-1][0] if snaps else top(following)
    if kind == "ups-downs":
        high = ["A", "K", "Q", "J", "13", "12", "11", "T", "9"] + ([] if eights_are_low else ["8"])
        aces = [position for position, card in following if card.startswith("A")]
        if aces:
            return aces[0]
        if RANKS[rank(trick[0][1])] in high:
            return top(following)
        return min(following, key=lambda played: rank(played[1]))[0]  # min takes the earlier of twins
    if len(following) > 1:
        first = top(following)
        return top([played for played in following if played[0] != first])
    second = sorted(rank(card) for _, card in trick)[-2]
    equals = [position for position, card in trick if rank(card) == second]
    return equals[min(1, len(equals) - 1)]


def proposed(shown: list[str]) -> str:
    """The suit that the cards shown by position 0, 1, … make trumps."""
    counts = Counter(map(suit, shown))
    if len(shown) == 3 == len(counts):
        return next(letter for letter in "SHDC" if letter not in counts)
    tied = [letter for letter, count in counts.items() if count == max(counts.values())]
    ranks = {letter: sorted((rank(c) for c in shown if suit(c) == letter), reverse=True) for letter in tied}
    best = max(ranks.values())
    in_order = [*shown[1:], shown[0]]
    return next(suit(card) for card in in_order if suit(card) in tied and ranks[suit(card)] == best)


def match(options: Mapping[str, str], deals: Deals) -> Generator[PendingQuestion, Done, list[list[int]]]:
    """Yield what is asked, receive what is done, and return the points of all deals."""
    n = int(options.get("players", "4"))
    pack = pack_of(n, options.get("pack", "duplicates"))
    order = options.get("order", "dealer")
    if order == "random":
        order = "listed:" + ",".join(TYPES[k] for k in deals.shuffle("types", 10))
    scores: list[list[int]] = []
    played: list[str] = []
    for deal in range(1, 11):
        seats = [(deal - 1 + step) % n for step in range(n)]
        deck = [pack[k] for k in deals.shuffle(f"deal/{deal}/cards", len(pack))]
        hands: list[set[str]] = [set() for _ in range(n)]
        for number, card in enumerate(deck[: len(pack) // n * n]):
            hands[(number + 1) % n].add(card)
        totals = [sum(points[seat] for points in scores) for seat in range(n)]
        poorest = [seat for seat in range(n) if totals[seat] == min(totals)]
        others = [kind for kind in TYPES[1:] if kind not in played]
        if not others or (len(poorest) == 1 and "skint" not in played):
            kind = "skint"
        elif order != "dealer":
            kind = next(name for name in order.removeprefix("listed:").split(",") if name in others)
        elif len(others) == 1:
            kind = others[0]
        else:
            _, text = yield {seats[0]: [f"type={name}" for name in others]}, 0
            kind = text.removeprefix("type=")
        played.append(kind)
        trumps = ""
        if kind == "skint":
            position = next(p for p in [*range(1, n), 0] if seats[p] in poorest)
            _, text = yield {seats[position]: [f"trump={letter}" for letter in "SHDC"]}, position
            trumps = text[-1]
        elif kind == "barred":
            left = list("SHDC")
            for position in (1, 2, 3 % n):
                _, text = yield {seats[position]: [f"bar={letter}" for letter in left]}, position
                left.remove(text[-1])
            trumps = left[0]
        elif kind == "majority":
            shown: dict[int, str] = {}
            while len(shown) < n:
                asked = {s: [f"show={card}" for card in hands[seats.index(s)]] for s in range(n) if s not in shown}
                seat, text = yield asked, seats.index(min(asked))
                shown[seat] = text.removeprefix("show=")
            trumps = proposed([shown[seat] for seat in seats])
        leader, tricks = 1, Counter[int]()
        while hands[leader]:
            trick: Trick = []
            for position in [(leader + step) % n for step in range(n)]:
                following = {card for card in hands[position] if trick and suit(card) == suit(trick[0][1])}
                _, card = yield {seats[position]: list(following or hands[position])}, position
                if kind == "surprise" and trick and not following and not trumps:
                    trumps = suit(card)
                hands[position].remove(card)
                trick.append((position, card))
            leader = winner(kind, trick, trumps, options.get("pack") == "five-hundred")
            tricks[seats[leader]] += 1
        par = {3: 4, 4: 3, 5: 2}[n]
        scores.append([max(10 * (tricks[seat] - par), 15 * (par - tricks[seat])) for seat in range(n)])
    return scores
