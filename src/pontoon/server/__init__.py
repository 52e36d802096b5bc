"""Tables over the network: one writer a table, HTTP and WebSocket at the edge, one door out."""
