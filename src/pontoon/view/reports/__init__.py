"""Reports and their pictures."""
