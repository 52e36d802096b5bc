"""Rooms: a table and the program around it, from a command to its log entry and its frames."""
