"""The mailbox between the house and its edge."""

from __future__ import annotations

import asyncio

from pontoon.server.mailbox import Mailbox


def test_all_names_are_taken_at_once_and_each_once():
    async def evening() -> None:
        box = Mailbox()
        box.put({"Ann"})
        box.put(["Ann", "Ben"])
        assert await box.take() == {"Ann", "Ben"}
        reader = asyncio.create_task(box.take())
        box.put(())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not reader.done(), "nobody is woken for nothing"
        box.put({"Cat"})
        assert await reader == {"Cat"}

    asyncio.run(evening())
