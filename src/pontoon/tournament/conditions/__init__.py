"""The conditions of a tournament: their values, how they are read, checked and printed."""
