"""Splits: the value of all hands of a box together, re-splits, and the mean square of what they win."""
