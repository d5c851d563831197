"""Ratings, what they rest on, and the ladders that they are of."""
