"""What is played, and by whom: plans of tournaments, stages, late entry, ladders, boards for house bots."""
