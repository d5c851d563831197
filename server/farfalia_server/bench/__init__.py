"""Benchmarks that anyone can run, against peers where they are installed: `farfalia bench`.

There are three, each with a module of its name. `engine` has contestants take turns in one process (`contest`,
`setting`) and `engine_against` the engines of two checkouts; `server` measures a whole server in turn with a bare one
(`systems`, `yardstick`, `server_figures`); `fairness` plays tournaments of bots of known strength (`schemes`,
`graded`).
"""
