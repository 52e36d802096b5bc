"""Tables over the network: one writer per table, HTTP and WebSocket at the edge, one way out through views."""
