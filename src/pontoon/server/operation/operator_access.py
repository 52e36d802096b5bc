"""How the operator's commands reach a running server: a file in its data folder with an address and a secret.

A person who can read the data folder could change the store itself, so the secret gives them nothing more. It is new
at every start and is valid while the server runs.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from pontoon.server.people.people import Account, new_token, token_hash

FILE = "operator.json"
OPERATOR = Account("operator", "administrator", password="none: no password fits")  # noqa: S106 not one
"""The operator on the server's machine; a reserved name, which no person can have."""
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 addresses that a server listens on


class Access(Struct, frozen=True):
    """Where a server answers, and the secret of its operator."""

    url: str
    token: str


def grant_access(folder: Path, url: str) -> Path:
    """Write the file for a server at this address, readable by its user alone."""
    for everywhere, here in EVERYWHERE.items():
        url = url.replace(f"//{everywhere}:", f"//{here}:")
    path = folder / FILE
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(msgspec.json.encode(Access(url, new_token())))
    return path


def access_in(folder: Path) -> Access | None:
    """The access to the server of this data folder; None if none has run here, or it stopped as it should."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Access)
    except (OSError, msgspec.MsgspecError):
        return None


def secret_of(folder: Path) -> str:
    """The hash of the operator's secret; empty if there is none."""
    access = access_in(folder)
    return token_hash(access.token) if access is not None else ""
