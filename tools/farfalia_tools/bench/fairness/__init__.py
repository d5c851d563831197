"""How many matches it takes to rank bots rightly: start with `benchmark`; `schemes` are ways to hold tournaments."""
