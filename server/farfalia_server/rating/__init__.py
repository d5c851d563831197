"""From finished matches to ratings: the rater, rebuilding from the records, fits of whole ladders."""
