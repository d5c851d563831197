"""What the games of Farfalia share: cards, state, observation, playouts. A file in `games` says the rest."""
