"""Counting cards: what each card is worth, how well a count fits, its indices, and the bets that follow it."""
