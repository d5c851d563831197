"""Block designs: schedules in which every pair meets equally often, by algebra or by search.

C. J. Colbourn and J. H. Dinitz (editors), "Handbook of Combinatorial Designs", second edition, 2007, is the reference.
"""
