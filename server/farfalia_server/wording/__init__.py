"""The words that the pages and the command line share: `phrases`, and those of standings (`columns`, `crosstable`)."""
