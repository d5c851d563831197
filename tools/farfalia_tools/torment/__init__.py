"""Hostile bots and people that a running server must withstand, and checks of what it does: `farfalia torment`.

Each torment is a function with two paragraphs of documentation: what is done, and what must hold. `catalogue`
collects them, `suite` runs them, `harness` gives them bots and matches, bots connect with `stream` and people with
`browser`.
"""
