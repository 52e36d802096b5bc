"""Operation: how the process runs, what it reports, and what the operator decides."""
