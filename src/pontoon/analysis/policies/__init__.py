"""The exact value of any other play: a strategy file, a policy with chances, a co-bettor's wager."""
