"""Farrago: packs, types of deal, state, observation, playouts, sampling, endgame."""
