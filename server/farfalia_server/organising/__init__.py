"""What is played, and by whom: plans of tournaments, stages, late entry, ladders, boards for house bots.

Begin with `planning`, from a request for a tournament to its rows. Three services work on from there: `director` draws
the rounds of tournaments with stages, `matchmaker` seats connected bots on ladders, and `baseliner` has house bots play
the boards that one table alone has played. Schedules themselves are computed in `farfalia_tournaments`.
"""
