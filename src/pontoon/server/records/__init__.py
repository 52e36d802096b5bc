"""What was played: every round found again, replayed, inspected and verified."""
