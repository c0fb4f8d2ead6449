"""Runs the Claude Agent SDK's own suite for session stores against a Bygone server: all fourteen contracts.

The server is named by BYGONE_URL, a key it may want by BYGONE_KEY. Each contract has a space of its own.
"""

from __future__ import annotations

import asyncio
import os
import uuid

from bygone_adapters.session_store import BygoneSessionStore
from claude_agent_sdk.testing import run_session_store_conformance


def make_store(space: str | None = None) -> BygoneSessionStore:
    """Returns a store in a space of its own, or in one that is named."""
    return BygoneSessionStore(
        os.environ["BYGONE_URL"],
        space=space or f"conformance-{uuid.uuid4().hex}",
        key=os.environ.get("BYGONE_KEY"),
    )


async def beyond() -> None:
    """What goes beyond the contracts: order and summaries under concurrency, the past, and forks."""
    space = f"beyond-{uuid.uuid4().hex}"
    store = make_store(space)
    key = {"project_key": "p", "session_id": "s"}
    entries = [{"type": "user", "uuid": f"u{n}", "customTitle": f"title {n}"} for n in range(40)]
    await asyncio.gather(*(store.append(key, [entry]) for entry in entries))
    assert await store.load(key) == entries
    (summary,) = await store.list_session_summaries("p")
    assert summary["data"]["custom_title"] == "title 39", summary
    # Two processes that know nothing of each other's summaries.
    others = [make_store(space) for _ in range(2)]
    more = [{"type": "user", "uuid": f"v{n}"} for n in range(40)]
    await asyncio.gather(*(others[n % 2].append(key, [entry]) for n, entry in enumerate(more)))
    loaded = await store.load(key)
    assert loaded is not None and len(loaded) == 80
    # What has no uuid, and what others said already.
    await store.append(key, [entries[0], {"type": "tag", "tag": "x"}, {"type": "tag", "tag": "x"}])
    loaded = await store.load(key)
    assert loaded is not None and len(loaded) == 82
    past = await store.history(key)
    assert await store.load_as_of(key, recorded=past[0]["recorded"]) == entries[:1]
    fork = {"project_key": "p", "session_id": "fork"}
    assert await store.fork(key, fork, entries=3) == 3
    await store.append(fork, [entries[0], {"type": "user", "uuid": "w"}])
    assert await store.load(fork) == [*entries[:3], {"type": "user", "uuid": "w"}]
    await store.delete(key)
    assert await store.load(key) is None
    assert await store.load_as_of(key, recorded=past[1]["recorded"]) == entries[:2]
    assert (await store.erase(key))["found"] == []
    assert await store.load(fork) == [*entries[:3], {"type": "user", "uuid": "w"}]
    for one in (store, *others):
        await one.aclose()


async def main() -> None:
    await run_session_store_conformance(make_store)
    print("session store: 14 contracts of 14")
    await beyond()
    print("session store: beyond the contracts")


if __name__ == "__main__":
    asyncio.run(main())
