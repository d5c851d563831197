"""How sure a table is: units of skill, probabilities of pairs, sequential tests, collusion."""
