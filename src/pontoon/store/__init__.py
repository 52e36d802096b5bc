"""Where events are kept: append-only streams with a hash chain and the ledger beside them."""
