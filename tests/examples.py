"""How many examples hypothesis tries where one takes long."""

from hypothesis import settings

few = settings(max_examples=settings().max_examples // 4)
fewest = settings(max_examples=settings().max_examples // 8)
