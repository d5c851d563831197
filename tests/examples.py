"""How many examples hypothesis tries where one takes long."""

from hypothesis import Phase, settings

_CHECK = settings().derandomize

few = settings(max_examples=settings().max_examples // 4)
fewest = settings(max_examples=settings().max_examples // 8)
#: The examples of `@example` alone; with `--prove` hypothesis finds others.
written_down = settings(phases=(Phase.explicit,)) if _CHECK else few
