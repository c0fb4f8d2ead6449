"""Runs the Claude Agent SDK's own suite for session stores against a Bygone server: all fourteen contracts.

The server is named by BYGONE_URL, a key it may want by BYGONE_KEY. Each contract has a space of its own.
"""

from __future__ import annotations

import asyncio
import os
import uuid

import httpx
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


async def remembered() -> None:
    """A transcript that is kept is read, and found by its words from then on; what was read is not read again."""
    space = f"remembered-{uuid.uuid4().hex}"
    store = make_store(space)
    key = {"project_key": "p", "session_id": "talk"}
    said = [
        {
            "type": "user", "uuid": f"m{n}", "parentUuid": f"m{n - 1}" if n else None, "sessionId": "talk",
            "timestamp": f"2026-03-0{n + 1}T10:00:00Z", "cwd": "/work", "version": "2.0.0",
            "message": {"role": "user", "content": text},
        }
        for n, text in enumerate(["I moved to Lisbon last week.", "The code word is Xylophone."])
    ]
    assert await store.remember(key) is None
    await store.append(key, said[:1])
    first = await store.remember(key)
    assert first is not None and first["episodes"] == 1 and first["quarantined"] == 0, first
    await store.append(key, said[1:])
    second = await store.remember(key)
    assert second is not None and (second["episodes"], second["duplicates"]) == (1, 1), second
    headers = {"Bygone-Space": space}
    if "BYGONE_KEY" in os.environ:
        headers["Authorization"] = f"Bearer {os.environ['BYGONE_KEY']}"
    async with httpx.AsyncClient(base_url=os.environ["BYGONE_URL"], headers=headers) as http:
        rows = (await http.post("/v1/search", json={"text": "Xylophone"})).json()["rows"]
        assert rows[0]["session"] == "talk" and "Xylophone" in rows[0]["text"], rows
    await store.aclose()


async def main() -> None:
    await run_session_store_conformance(make_store)
    print("session store: 14 contracts of 14")
    await beyond()
    print("session store: beyond the contracts")
    await remembered()
    print("session store: transcripts are read")


if __name__ == "__main__":
    asyncio.run(main())
