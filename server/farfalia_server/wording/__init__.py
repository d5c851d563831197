"""The words that the pages and the command line share."""
