"""Webhooks of bots, and what is told to them."""
