"""Block designs: what is known of schedules in which everybody meets everybody equally often."""
