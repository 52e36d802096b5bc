"""Tournaments on the server: their streams, permissions, and the steward that runs their tables."""
