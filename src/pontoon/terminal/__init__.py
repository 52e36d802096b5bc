"""Pontoon in the terminal: a full screen or plain lines, at a table in this process or on a server.

Holds no rule: what may be done, and why not, comes with the view. What is heavy (textual, the server's layers) is
imported where it is used.
"""
