"""A server in this process, and people who visit it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.server.api.visitors import Server, running


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with running(tmp_path / "backups") as one:
        yield one
