"""Search: determinizations, rollouts, flat Monte Carlo, and the double-dummy solver."""
