"""`faults` finds any change to the raw rows."""

from contextlib import closing
from random import Random

import pytest

from pontoon.store import SqliteStore
from pontoon.store.postgresql import PostgresStore
from pontoon.store.verify import faults
from tests.store.appends import furnish
from tests.store.tamper import Opened, RawPostgres, RawSqlite, tamper


def unseen(raw, seed, number):
    """Tampering that was not detected."""
    random, missed = Random(seed), []
    assert list(faults(Opened(raw))) == []
    for _ in range(number):
        with raw.undone():
            kind = tamper(raw, random)
            if next(faults(Opened(raw)), None) is None:
                missed.append(kind)
    return missed


@pytest.mark.parametrize("seed", range(4))
def test_every_tampering_with_a_file_is_found(tmp_path, seed):
    with closing(SqliteStore(tmp_path / "pontoon.db")) as store:
        furnish(store, Random(seed), 25)
    with closing(RawSqlite(str(tmp_path / "pontoon.db"))) as raw:
        assert unseen(raw, seed, 250) == []


@pytest.mark.parametrize("seed", range(2))
def test_every_tampering_with_postgresql_is_found(database, seed):
    with closing(PostgresStore(database)) as store:
        furnish(store, Random(seed), 25)
        with closing(RawPostgres(database)) as raw:
            assert unseen(raw, seed, 100) == []
        assert list(faults(store)) == []
