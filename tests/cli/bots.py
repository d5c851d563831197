"""Bots that tests write to files."""

LOW = """
import farfalia

class Low(farfalia.Bot):
    def play(self, view):
        return min(view.legal, key=lambda card: card % 13)

farfalia.run(Low())
"""

#: Says what it has seen in its life: processes that are not afresh count on.
MINDFUL = LOW.replace("class", "seen = []\n\nclass").replace(
    "    def play",
    """    def on_seated(self, seated):
        seen.append(seated.board)
        print("seen", os.getpid(), seated.board, len(seen))

    def play""",
)
MINDFUL = "import os" + MINDFUL


def waiting(bot: str, after: int) -> str:
    """The same bot; the processes after the first `after` ones hang for hours at their first card."""
    counted = "import os, time\nopen('started', 'a').write('.')\nnumber = os.path.getsize('started')\n"
    return counted + bot.replace("return ", f"number > {after} and time.sleep(9999)\n        return ", 1)
