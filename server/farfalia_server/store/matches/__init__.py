"""Matches from their plan to their record, the boards that they share, and what makes them void."""
