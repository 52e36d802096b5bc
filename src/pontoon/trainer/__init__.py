"""Learning to play: positions as text, hands to practise on, lessons, drills with reasons, reviews, progress.

Everything here is pure: situations come from the engine, values from the analysis, and chance is an argument.
"""
