"""Benchmarks that anyone can run, beside peers where they are installed: `farfalia bench`.

Each package is named after what it measures, and its `benchmark.py` has what the command calls:

- `engine`: contestants take turns in one process; `against` measures the engines of two checkouts.
- `server`: a whole server takes turns with a bare one, the yardstick; `cluster` has several workers, `crowd` many bots.
- `peers`: other arenas and libraries beside ours.
- `loop`: what blocks a server's event loop.
- `web`: pages of a large arena, replays, and viewers of a live table.
- `fairness`: tournaments of bots whose strengths are known, and how soon they are ranked rightly.
- `calibration`: whether the probabilities, intervals and ranks that a tournament shows keep their word.
- `luck`: how much of the variance of scores the value function takes out.

`pairing`, `collusion` and `strengths`, how good the sample bots are, are one file each. All of them share
`checkouts`, `processes` and `intervals`.
"""
