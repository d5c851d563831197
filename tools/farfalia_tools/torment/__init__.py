"""Hostile bots that a running server must withstand, and checks of what it does with each: `farfalia torment`.

Each torment is a function with two paragraphs of documentation: what its bots do, and what must hold. `catalogue`
collects them, `suite` runs them, `harness` gives them bots and matches, `stream` is what they connect with.
"""
