"""Accounts, their bots, and how both come in."""
