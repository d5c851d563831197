"""A tournament on one machine: a server in this process, bot programs in processes of their own.

Begin with `tournament`, which registers bots, starts their programs and follows the matches; `comparison` asks on top
of it which of two bots is better. `bot_specs` reads what a command line says of a bot, `programs` and `reaper` run
processes, and `client` is a server as seen from outside, which the commands use for servers elsewhere, too.
"""
