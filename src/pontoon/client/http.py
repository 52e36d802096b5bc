"""The server over HTTP: signing in, the lobby, new tables, finished rounds."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

import msgspec

from pontoon.client.frames import LobbyTable, Problem

if TYPE_CHECKING:
    from pontoon.client.table import LiveTable

TIMEOUT = 10.0
"""Timeout of a request in seconds."""
FIRST_ERROR = 400


class ClientError(Exception):
    """The server cannot be reached or refused the request; the message is one line for the user."""

    def __init__(self, message: str, problem: Problem | None = None) -> None:
        super().__init__(message)
        self.problem = problem
        """The server's answer, if there was one."""


class Client:
    """A server and the user signed in there."""

    def __init__(self, url: str) -> None:
        """`url` as in http://127.0.0.1:8048; without a scheme it is http."""
        address = url if "://" in url else f"http://{url}"
        self.url = address.split("#")[0].rstrip("/")
        self.token = ""
        self.name = ""
        if not self.url.startswith(("http://", "https://")):
            raise ClientError(f"--server {url}: the address must begin with http:// or https://")

    @property
    def socket_url(self) -> str:
        """The address of the WebSocket."""
        return f"ws{self.url.removeprefix('http')}/play"

    def request(self, path: str, body: object = None, method: str = "") -> tuple[int, Any]:
        """POST if there is a body, otherwise GET, if no method is given; raises ClientError without an answer."""
        request = urllib.request.Request(  # noqa: S310 only http and https come this far
            f"{self.url}{path}",
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {}),
            method=method or None,
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
                status, content = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                status, content = error.code, error.read()
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise ClientError(f"{self.url} does not answer: {getattr(reason, 'strerror', None) or reason}") from None
        return status, _read(content)

    def ask(self, path: str, body: object = None, method: str = "") -> Any:  # noqa: ANN401 anything a server says
        """The answer to a request; raises ClientError if it is refused."""
        status, answer = self.request(path, body, method)
        if status >= FIRST_ERROR:
            problem = _problem(status, answer)
            raise ClientError(f"{self.url}: {problem.words}", problem)
        return answer

    def sign_in(self, name: str, password: str = "") -> str:
        """Sign in as a guest, or with a password to an account; returns the user's name on the server."""
        body = {"name": name, "password": password} if password else {"name": name}
        answer = self.ask("/api/sessions" if password else "/api/guests", body)
        try:
            self.token, self.name = str(answer["token"]), str(answer["name"])
        except (TypeError, KeyError):
            raise ClientError(f"{self.url} is not a Pontoon server") from None
        return self.name

    def tables(self) -> list[LobbyTable]:
        """The tables in the lobby."""
        return msgspec.convert(self.ask("/api/tables")["tables"], list[LobbyTable])

    def make_table(self, **settings: object) -> str:
        """Create a table (`rulebook="star"` and other settings of docs/protocol.md); returns its id."""
        return str(self.ask("/api/tables", settings)["id"])

    def transcript(self, table: str, number: int) -> str:
        """A round as a transcript."""
        status, answer = self.request(f"/api/rounds/{table}/{number}/transcript")
        if not isinstance(answer, str):
            problem = _problem(status, answer)
            raise ClientError(problem.words, problem)
        return answer

    def watch(self, table: str) -> LiveTable:
        """Watch and play at one table; use it in a `with` block."""
        from pontoon.client.table import LiveTable  # noqa: PLC0415 it needs `websockets`

        return LiveTable(self, table)


def _read(content: bytes) -> Any:  # noqa: ANN401 what a server says can be anything
    try:
        return json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace")


def _problem(status: int, answer: object) -> Problem:
    """A problem received over HTTP, where RFC 9457 calls the sentence `detail`."""
    found = answer if isinstance(answer, dict) else {}
    words = found.get("words") or found.get("detail") or f"answers {status}"
    clauses = tuple(map(str, found.get("clauses", ())))
    return Problem(status, str(found.get("code", "")), str(words), clauses, found.get("facts", {}))
