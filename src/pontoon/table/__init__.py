"""What stands around the rounds: the shuffle that can be proved, and its shoe on record."""
