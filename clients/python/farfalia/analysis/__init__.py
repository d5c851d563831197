"""What decisions cost: every action of a match beside those that were legal, as far as its seat could know.

Begin with `prices`, which says what a price is and needs nothing; `pricing` computes prices, and needs NumPy.
"""
