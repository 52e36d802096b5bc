"""One browser and one server for all tests of this process; new people for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Error

from tests.browser.hall import Hall, People, chromium, hall, is_ci


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    opening = chromium()
    try:
        one = await opening.__aenter__()
    except Error as error:
        words = f"no browser to be had: {str(error).splitlines()[0]} (python3 dev.py test installs one)"
        pytest.fail(words) if is_ci() else pytest.skip(words)
    yield one
    await opening.__aexit__(None, None, None)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hall]:
    async with hall(tmp_path_factory.mktemp("house")) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def people(house: Hall, browser: Browser) -> AsyncIterator[People]:
    async with People(house, browser) as one:
        yield one
        one.check()
