"""How `pontoon admin` and `pontoon account` reach a server: the one on a data folder, or any by its address."""

from __future__ import annotations

import getpass
import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from pontoon.cli.backup import add_place
from pontoon.cli.common.parser import Parser

if TYPE_CHECKING:
    from pontoon.client.http import Client

PASSWORD = "PONTOON_PASSWORD"  # noqa: S105 the name of a variable


def add_server(command: Parser) -> None:
    """Add the options for the place of a server."""
    add_place(command)
    command.add_argument("--server", metavar="URL", default="", help="a server on another machine, as in https://…")
    command.add_argument(
        "--as", dest="who", metavar="NAME", default="", help=f"sign in there; the password is asked for, or {PASSWORD}"
    )


def running_server(args: Namespace) -> Client | None:
    """The server that was named, or that runs on the data folder; None if none runs there."""
    from pontoon.client.http import Client, ClientError

    if getattr(args, "server", ""):
        if not args.who:
            raise ClientError("--server needs --as NAME, an administrator there")
        client = Client(args.server)
        client.sign_in(args.who, os.environ.get(PASSWORD) or getpass.getpass(f"Password of {args.who}: "))
        return client
    return server_of(args.data)


def server_of(folder: Path) -> Client | None:
    """The server that runs on a data folder, reached as its operator."""
    from pontoon.client.http import Client, ClientError
    from pontoon.server.operation.operator_access import access_in

    access = access_in(folder)
    if access is None:
        return None
    client = Client(access.url)
    client.token, client.name = access.token, "operator"
    try:
        status, _ = client.request("/api/me")
    except ClientError:  # it was killed, and the file is left
        return None
    return client if status < 400 else None  # else another server has taken the address
