from collections.abc import Callable

import pytest

from pontoon.server.tournaments import decide, registry


@pytest.fixture(autouse=True)
def ballots(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """The same ballots, and the same name, for every tournament made from now on; others by their number."""

    def draw(number: int) -> None:
        monkeypatch.setattr(decide, "new_seed", lambda: number.to_bytes(32, "big").hex())
        monkeypatch.setattr(registry, "new_id", lambda _: "cup234")

    draw(1)
    return draw
