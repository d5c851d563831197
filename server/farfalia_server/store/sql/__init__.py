"""The database itself: its tables, the two verbs that read and write them, what fails, and backups."""
