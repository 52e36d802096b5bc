"""Tournaments of the house: their streams, who may do what, and the steward who drives their tables."""
