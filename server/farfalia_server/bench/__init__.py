"""Benchmarks that anyone can run, against peers where they are installed."""
