"""Runs LangGraph's own suite for checkpointers against a Bygone server, which is to be FULL, and what it leaves out.

The server is named by BYGONE_URL, a key it may want by BYGONE_KEY.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
import uuid

from bygone_adapters.saver import BygoneSaver
from bygone_adapters.store import BygoneStore
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint, generate_config, generate_metadata
from langgraph.store.base import GetOp, PutOp, SearchOp


def where() -> dict[str, str | None]:
    """Returns a space of its own on the server."""
    return {
        "base_url": os.environ["BYGONE_URL"],
        "space": f"conformance-{uuid.uuid4().hex}",
        "key": os.environ.get("BYGONE_KEY"),
    }


@checkpointer_test(name="BygoneSaver")
async def saver():
    """Makes a checkpointer for each part of the suite."""
    one = BygoneSaver(**where())
    yield one
    await one.aclose()


async def deltas() -> None:
    """Channels that are kept as what was written to them, sync and async, and what pruning leaves of them."""
    one = BygoneSaver(**where())
    config = generate_config("t")
    for step in range(6):
        values = {"d": ["snapshot"]} if step == 1 else {}
        versions = {"d": f"{step}"}
        checkpoint = generate_checkpoint(channel_values=values, channel_versions=versions)
        metadata = generate_metadata(step=step, counters_since_delta_snapshot={"d": (1, 1)})
        config = await one.aput(config, checkpoint, metadata, versions)
        await one.aput_writes(config, [("d", f"b{step}")], "b", "2")
        await one.aput_writes(config, [("d", f"a{step}"), ("other", 1)], "c", "1")
    for history in (
        await one.aget_delta_channel_history(config=config, channels=["d", "none"]),
        one.get_delta_channel_history(config=config, channels=["d", "none"]),
    ):
        written = [value for _, _, value in history["d"]["writes"]]
        assert written == ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4"], written
        assert history["d"]["seed"] == ["snapshot"]
        assert history["none"] == {"writes": []}
    before = await one.aget_delta_channel_history(config=config, channels=["d"])
    await one.aprune(["t"])
    assert len(list(one.list(generate_config("t")))) == 5
    assert await one.aget_delta_channel_history(config=config, channels=["d"]) == before
    assert one.erase_thread("t")["found"] == []
    assert one.get_tuple(generate_config("t")) is None
    await one.aclose()


async def items() -> None:
    """Items: order of a batch, filters, namespaces, time to live, meaning, and the past."""
    store = BygoneStore(**where(), fields=["text"])
    assert store.get(("docs",), "a") is None
    store.put(("docs",), "a", {"text": "a recipe for bread", "n": 1})
    store.put(("docs", "deep"), "b", {"text": "how to repair a bicycle", "n": 2, "o": {"p": [1]}})
    await store.aput(("users", "u1"), "c", {"text": "the weather in Oslo", "n": 3}, index=False)
    item = await store.aget(("docs",), "a")
    assert item is not None and item.value == {"text": "a recipe for bread", "n": 1}
    assert item.created_at == item.updated_at and item.created_at.tzinfo is not None
    assert [one.key for one in store.search(("docs",))] == ["a", "b"]
    assert [one.key for one in store.search((), filter={"n": {"$gte": 2}})] == ["b", "c"]
    assert [one.key for one in store.search((), filter={"o": {"p": [1]}})] == ["b"]
    assert [one.key for one in store.search((), limit=1, offset=1)] == ["b"]
    found = await store.asearch((), query="mending a bike")
    assert [one.key for one in found] == ["b", "a", "c"], found
    assert found[0].score > found[1].score and found[2].score is None
    assert store.list_namespaces() == [("docs",), ("docs", "deep"), ("users", "u1")]
    assert store.list_namespaces(prefix=("docs", "*")) == [("docs", "deep")]
    assert store.list_namespaces(suffix=("u1",)) == [("users", "u1")]
    assert store.list_namespaces(max_depth=1) == [("docs",), ("users",)]
    old, _, new = store.batch(
        [GetOp(("docs",), "a"), PutOp(("docs",), "a", {"text": "new"}), SearchOp(("docs",))]
    )
    assert old.value["n"] == 1 and new[0].value["n"] == 1
    changed = store.get(("docs",), "a")
    assert changed.value == {"text": "new"} and changed.created_at < changed.updated_at
    store.delete(("docs",), "a")
    assert store.get(("docs",), "a") is None
    past = [one["value"] and one["value"]["text"] for one in store.history(("docs",), "a")]
    assert past == ["a recipe for bread", "new", None], past
    store.put(("life",), "short", {"x": 1}, ttl=0.01)
    store.put(("life",), "long", {"x": 1}, ttl=60)
    assert len(store.search(("life",))) == 2
    time.sleep(2.5)
    assert [one.key for one in store.search(("life",))] == ["long"]
    assert store.get(("life",), "short") is None and store.sweep() == 1
    assert store.erase(("life",))["documents"] == 4
    assert store.list_namespaces() == [("docs", "deep"), ("users", "u1")]
    store.close()
    await store.aclose()


async def main() -> int:
    report = await validate(saver)
    report.print_report()
    await deltas()
    print("langgraph: delta channels")
    await items()
    print("langgraph: items")
    is_full = report.conformance_level() == "FULL"
    return 0 if is_full else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
