"""Rate limits: a token bucket for each address."""

from __future__ import annotations

import time
from typing import Any

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from pontoon.server.api.problems import TooManyError
from pontoon.server.people.accounts import address_of, token_of
from pontoon.server.people.quotas import Bucket

API, HEALTH = "/api/", "/health"
COSTS = {"/openapi.json": 10, "/metrics": 5, "/ready": 5}
"""Paths that count as several requests, because that is what they cost."""


class Limits:
    """The buckets of an application, at `app.state.limits`."""

    def __init__(self, *, loose: bool = False) -> None:
        """`loose` is for tests and benchmarks, where all requests come from one address."""
        much = 1e9 if loose else 0
        self.signing = Bucket(10 + much, 6, time.monotonic)
        """Sign-ins, sign-ups and password changes, each of which computes an expensive hash."""
        self.guests = Bucket(30 + much, 2, time.monotonic)
        self.tables = Bucket(30 + much, 2, time.monotonic)
        self.chips = Bucket(10 + much, 6, time.monotonic)
        self.hands = Bucket(300 + much, 0.2, time.monotonic)
        """Shared hands, which anyone can open: a preview, a page and its parts."""
        self.lab = Bucket(120 + much, 0.2, time.monotonic)
        """Rule changes in the lab; a whole class may share an address."""
        self.practice = Bucket(300 + much, 0.1, time.monotonic)
        """Lessons and drills: a class may share an address."""
        self.requests = Bucket(120 + much, 1 / 30, time.monotonic)
        """All requests of a session, whatever they ask for."""
        self.from_address = Bucket(600 + much, 1 / 100, time.monotonic)
        """All requests of an address to the API."""
        self.pages = Bucket(3000 + much, 1 / 100, time.monotonic)
        """Pages and their files: a class that shares an address loads them at the same time."""

    def wait(self, asked: HTTPConnection) -> int:
        """Count a request; the seconds to wait if its session or its address has sent too many, else 0."""
        path, address = asked.scope["path"], address_of(asked)
        if path == HEALTH:
            return 0
        if not path.startswith(API):
            return self.pages.wait(address, COSTS.get(path, 1))
        token, _ = token_of(asked)
        return (self.requests.wait(token) if token else 0) or self.from_address.wait(address)


def limited(name: str) -> Any:  # noqa: ANN401 FastAPI's own dependencies are Any
    """A dependency that limits the rate of requests from an address."""

    def check(request: Request) -> None:
        state = request.app.state
        if not hasattr(state, "limits"):
            state.limits = Limits()
        bucket: Bucket = getattr(state.limits, name)
        seconds = bucket.wait(address_of(request))
        if seconds:
            raise TooManyError(seconds)

    return Depends(check)
