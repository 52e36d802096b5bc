"""The floor: chips and cash at a table dealt by a person, undoing a mistyped card, incidents, the pit."""
