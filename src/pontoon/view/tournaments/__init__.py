"""Tournaments as people see them: the view, its events, who must act next, the form of the conditions."""
