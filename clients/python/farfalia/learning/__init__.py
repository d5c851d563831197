"""Farfalia for learning and research: tensors, PettingZoo, OpenSpiel, and many matches in lock-step.

The modules need more than the base install has; each says which extra brings it.
"""

try:
    import numpy as _numpy  # noqa: F401
except ImportError:
    raise ImportError("farfalia.learning needs NumPy: pip install 'numpy>=2'") from None
