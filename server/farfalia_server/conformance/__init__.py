"""Whether a bot's program, in whatever language, keeps the contract: what `farfalia conform` looks at.

Begin with `items`, which has what is looked at, one function for each; `stream_items` has those that end streams. They
ask the questions of `hosting.examination`, which every program that is handed in has to answer, too. `ground` is what
an item works with, the running program and its server; `run` goes through the items, and `junit` writes what was found
as CI systems read it.
"""
