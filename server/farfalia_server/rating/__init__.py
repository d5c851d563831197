"""From finished matches to ratings: the rater, rebuilding from the records, whole-history fits."""
