"""Tournaments: entrants, rounds, nonces, pauses, and the log of what was decided."""
