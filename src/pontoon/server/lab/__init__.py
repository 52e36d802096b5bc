"""The rules lab: what a rulebook with some rules changed is worth, exactly, without delaying any table."""
