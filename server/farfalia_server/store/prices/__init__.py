"""What decisions have cost: which matches are analysed when, and what came of it."""
