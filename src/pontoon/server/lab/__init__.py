"""The rules lab: the exact value of a rulebook with changed rules, computed without delaying any table."""
