"""What a bot's program, in whatever language, answers: `farfalia conform` and `farfalia rerun`.

Begin with `items`, which has what is looked at to see whether it keeps the contract, one function for each;
`stream_items` has those that end streams. They ask the questions of `hosting.examination`, which every program that is
handed in has to answer, too. `ground` is what an item works with, the running program and its server; `run` goes
through the items, and `junit` writes what was found as CI systems read it. `rerunning` asks what was asked in a match.
"""
