"""Ratings after lists of results, by any rating system, and the whole-history fit of a ladder."""
