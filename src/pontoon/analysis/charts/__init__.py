"""The best printable chart: its squares, play by it, and what it costs."""
