"""Records of matches: their forms and files, what is checked about them, and how people look at them.

Begin with `codec`: the engine's `Record` and the contract's message, each from the other. `files` reads and writes them
as JSON, `verifying` checks them, which needs to know how house bots decide (`house_bot`), `deal_views` tells a match
deal by deal, and `results` hands it to standings and ratings.
"""
