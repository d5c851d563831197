"""What decisions have cost, for matches that were played here.

Begin with `analyst`, the service that has matches analysed one after another, within a budget of CPU time;
`match_pricing` runs in a worker process. How a price comes about is in `farfalia.analysis`.
"""
