"""What boards are called in results; nothing here imports the store, since `farfalia verify` needs none."""


def board_of(tournament: int, match: int, board: str) -> str:
    """Return what tells a board from all others; `tournament` is 0 for a match of a ladder.

    Every tournament has a board-1-1, with a secret of its own, and every match of a ladder has a board-1.
    """
    source = f"t{tournament}" if tournament else f"m{match}"
    return f"{source}/{board}"
