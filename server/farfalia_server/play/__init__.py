"""From the stream of a bot to a finished match: sessions, connections, clocks, tables, journal and recovery."""
