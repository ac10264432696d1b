"""What is wrong with a table: each device looked at, and what to do about each fault."""
