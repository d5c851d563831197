"""How fast other arenas and libraries are, beside ours: start with `benchmark`, which fills one table.

- `loops`, `http_bots`: what runs in an environment that has the peers and not this project.
- `environment`: that environment, with pinned versions.
- `last_measured`: the figures that stand in for what cannot be run here.
"""
