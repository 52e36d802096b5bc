"""Hands to share: links to finished rounds that anyone can open, without names and without the table."""
