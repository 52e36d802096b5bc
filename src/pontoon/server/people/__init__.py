"""People: accounts, roles, sign-ins, chips, quotas, and what they have learned."""
