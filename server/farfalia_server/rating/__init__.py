"""From finished matches to ratings.

Begin with `rater`, the service that rates each finished match, in an order that is written down; `ladder_ratings` holds
the ratings meanwhile. `rebuilding` computes them again from the records, each of which `checking` has compared with the
database, and `whole_history` fits a whole ladder. The rating systems are in `farfalia_tournaments`.
"""
