"""Programs that were handed in, run on a host: a machine that dials out to the server as a bot does.

Begin with `host`, which reports to the server and plays for the bots that it is given. For each of them `hosted_bot`
holds the bot's stream, and `match_process` a process for each match, in a sandbox; what it says goes through `relay`,
which speaks the contract with it as a server would. `checking` tries a program before it may play. `archives` unpacks
what was handed in, `manifest` says how it is started, `packing` is the author's side.
"""
