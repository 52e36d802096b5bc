"""The coach: the value of decisions, calculated outside the event loop."""
