"""A tournament on one machine: a server in this process, bot programs in processes of their own."""
