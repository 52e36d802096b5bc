"""Exact odds and values from the rulebook data. Shares no code with a simulation: agreement proves something."""
