from collections.abc import Iterator
from pathlib import Path

import pytest

from pontoon.store import MemoryStore, SqliteStore
from pontoon.store.postgresql import PostgresStore
from tests.postgresql import Server, postgresql_server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """One PostgreSQL for all tests of this process."""
    with postgresql_server() as running:
        yield running


@pytest.fixture(scope="session")
def template(postgresql: Server) -> str:
    """A database with the schema in it, to be copied."""
    url = postgresql.new_database()
    PostgresStore(url).close()
    return url.split("/")[3].split("?")[0]


@pytest.fixture
def database(postgresql: Server, template: str) -> Iterator[str]:
    """The URL of a new database."""
    url = postgresql.new_database(template)
    yield url
    postgresql.drop(url)


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore | SqliteStore | PostgresStore]:
    made: MemoryStore | SqliteStore | PostgresStore
    if request.param == "memory":
        made = MemoryStore()
    elif request.param == "sqlite":
        made = SqliteStore(tmp_path / "pontoon.db")
    else:
        made = PostgresStore(request.getfixturevalue("database"))
    yield made
    made.close()
