"""Matches from their plan to their record, and the boards that they share.

People make matches void (`voiding`), and servers attempts of them, which are played again or given up (`giving_up`).
"""
