"""A client for the server's protocol (docs/protocol.md), used by the terminal, bots and tests.

    client = Client("http://127.0.0.1:8048")
    client.sign_in("Ann")
    with client.watch(client.make_table(rulebook="star")) as table:
        table.do(Sit("", 1))
        for frame in table:
            ...

`Client` uses HTTP, `LiveTable` follows one table over a WebSocket, and `Connection` does so for asyncio.
Needs `websockets`: pip install 'pontoon21[client]'.
"""

from pontoon.client.connection import Connection
from pontoon.client.frames import Frame, LobbyTable, Problem, Room
from pontoon.client.http import Client, ClientError
from pontoon.client.table import LiveTable

__all__ = ["Client", "ClientError", "Connection", "Frame", "LiveTable", "LobbyTable", "Problem", "Room"]
