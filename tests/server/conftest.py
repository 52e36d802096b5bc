from collections.abc import Iterator

import pytest

from tests.postgresql import Server, postgresql_server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """One PostgreSQL for all tests of this process."""
    with postgresql_server() as running:
        yield running
