import farfalia


class Miser(farfalia.Bot):
    """Plays the lowest card that it may, and collects whatever it can."""

    def play(self, view):
        return min(view.legal, key=lambda card: card % 13)


farfalia.run(Miser())
