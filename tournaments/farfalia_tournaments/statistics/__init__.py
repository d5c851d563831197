"""What results say: units of equal cards, probabilities of pairs, sequential tests, collusion, and planning's noise."""
