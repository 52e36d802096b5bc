"""The metrics of several processes on one page."""

from __future__ import annotations

import asyncio

from prometheus_client.parser import text_string_to_metric_families

from pontoon.server.house import House, Options
from pontoon.server.operation.metrics import merged, rendered
from pontoon.server.peers import PeerNetwork
from pontoon.store import MemoryStore


def test_every_family_is_there_once_with_the_samples_of_all_workers():
    families = list(text_string_to_metric_families(merged([rendered("1"), rendered("2")])))
    names = [family.name for family in families]
    assert len(names) == len(set(names)) > 15
    (sockets,) = [family for family in families if family.name == "pontoon_sockets"]
    assert [sample.labels for sample in sockets.samples] == [{"worker": "1"}, {"worker": "2"}]
    assert "worker" not in rendered(), "one process alone needs no label"


def test_a_process_asks_the_others_for_their_metrics_and_leaves_out_who_does_not_answer():
    async def work() -> None:
        networks = [PeerNetwork(), PeerNetwork()]
        houses = [House(MemoryStore(), Options(inline=True)) for _ in networks]
        addresses = []
        for network, house in zip(networks, houses, strict=True):
            network.serve(house)
            addresses.append(await network.listen())
        stranger = f"{addresses[1].partition('/')[0]}/wrong"
        (page,) = await networks[0].measure([addresses[1]])
        assert "pontoon_tables_loaded 0.0" in page
        assert await networks[0].measure([stranger, "127.0.0.1:1/none"]) == []
        for network in networks:
            await network.close()

    asyncio.run(work())
