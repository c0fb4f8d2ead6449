"""Drives a Bygone server with Mem0's own client, whose base URL names it.

The server is named by BYGONE_URL, a key it may want by BYGONE_KEY.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import uuid

# The client reports to its makers otherwise.
os.environ["MEM0_TELEMETRY"] = "False"
os.environ.setdefault("MEM0_DIR", tempfile.mkdtemp())

from mem0 import AsyncMemoryClient, MemoryClient  # noqa: E402
from mem0.exceptions import MemoryNotFoundError, ValidationError  # noqa: E402


def texts(answer: object) -> list[str]:
    """Returns the texts of rows, in their order."""
    rows = answer["results"] if isinstance(answer, dict) else answer
    return [row["memory"] for row in rows]


def whole_life(client: MemoryClient, user: str) -> None:
    """Adding, getting, listing, searching, changing and deleting, with the history of all of it."""
    mine = {"user_id": user}
    added = client.add("I moved to Berlin last month. Nice weather today, is it not?", user_id=user)["results"]
    # The sentence from which something was read, and not the other one.
    assert [(row["event"], row["memory"]) for row in added] == [("ADD", "I moved to Berlin last month.")], added
    assert client.add("I moved to Berlin last month.", user_id=user)["results"] == []
    tea = client.add(
        [{"role": "user", "content": "Oolong, any time!"}, {"role": "assistant", "content": "Noted."}],
        user_id=user, metadata={"kind": "drink", "n": 2}, infer=False,
    )["results"]
    assert [row["memory"] for row in tea] == ["Oolong, any time!", "Noted."], tea
    other = client.add("Mountain bikes are my hobby.", user_id=f"{user}-other", infer=False)["results"][0]["id"]
    home = added[0]["id"]
    got = client.get(home)
    assert (got["id"], got["memory"], got["user_id"]) == (home, "I moved to Berlin last month.", user), got
    everything = client.get_all(filters=mine)
    assert sorted(texts(everything)) == sorted(["I moved to Berlin last month.", "Oolong, any time!", "Noted."])
    page = client.get_all(filters=mine, page=2, page_size=2)
    assert (page["count"], len(page["results"]), page["next"]) == (3, 1, None), page
    assert texts(client.get_all(filters={"AND": [mine, {"metadata": {"kind": "drink"}}, {"keywords": {"contains": "Oo"}}]})) == [
        "Oolong, any time!"
    ]
    assert texts(client.get_all(filters={"AND": [mine, {"NOT": [{"kind": "drink"}]}]})) == texts({"results": [got]})
    assert client.get_all(filters={"AND": [mine, {"created_at": {"lt": "2020-01-01"}}]})["count"] == 0
    found = client.search("Where did I move to?", filters=mine, top_k=2)["results"]
    assert found[0]["id"] == home and 0 < found[0]["score"] <= 1 and len(found) == 2, found
    assert client.search("oolong tea", filters=mine, top_k=1)["results"][0]["memory"] == "Oolong, any time!"
    assert client.search("Where did I move to?", filters=mine, threshold=0.5)["results"][0]["id"] == home
    assert other not in {row["id"] for row in client.search("bikes", filters=mine)["results"]}
    # What was so before stays.
    before = client.get(home)["updated_at"]
    changed = client.update(home, text="I moved to Zurich.", metadata={"kind": "home"})
    assert (changed["memory"], changed["metadata"]) == ("I moved to Zurich.", {"kind": "home"}), changed
    assert client.search("Zurich", filters=mine, top_k=1)["results"][0]["id"] == home
    assert "I moved to Berlin last month." in texts(client.get_all(filters=mine, known=before))
    was = client.search("Berlin", filters=mine, known=before)["results"][0]
    assert (was["id"], was["memory"]) == (home, "I moved to Berlin last month."), was
    client.update(tea[0]["id"], expiration_date="2020-01-01")
    assert "Oolong, any time!" not in texts(client.get_all(filters=mine))
    assert "Oolong, any time!" in texts(client.get_all(filters=mine, show_expired=True))
    client.update(tea[0]["id"], expiration_date=None)
    assert client.delete(home)["message"]
    try:
        client.get(home)
        raise AssertionError("it is gone")
    except MemoryNotFoundError:
        pass
    assert home not in {row["id"] for row in client.search("Zurich", filters=mine)["results"]}
    events = client.history(home)
    told = [(row["event"], row["old_memory"], row["new_memory"]) for row in events]
    assert told == [
        ("ADD", None, "I moved to Berlin last month."),
        ("UPDATE", "I moved to Berlin last month.", "I moved to Zurich."),
        ("DELETE", "I moved to Zurich.", None),
    ], told
    client.batch_update([{"memory_id": row["id"], "text": f"{row['memory']} Really."} for row in tea])
    assert sorted(texts(client.get_all(filters=mine))) == ["Noted. Really.", "Oolong, any time! Really."]
    client.batch_delete([{"memory_id": tea[1]["id"]}])
    try:
        client.delete_all()
        raise AssertionError("nobody is named")
    except ValidationError:
        pass
    client.delete_all(filters=mine)
    assert texts(client.get_all(filters=mine)) == []
    # Filters of a dictionary in the address, as Python writes them, and nobody else's memories.
    assert client.get(other)["memory"] == "Mountain bikes are my hobby."


def mapped(client: MemoryClient, user: str) -> None:
    """Users, agents and runs are told apart, listed and deleted."""
    run = f"run-{user}"
    client.add("The build takes nine minutes.", user_id=user, agent_id="builder", run_id=run, infer=False)
    client.add([{"role": "assistant", "content": "I use ripgrep."}], agent_id="builder", infer=False)
    assert len(client.get_all(filters={"agent_id": "builder"})["results"]) == 2
    assert texts(client.get_all(filters={"AND": [{"run_id": run}, {"user_id": "*"}]})) == [
        "The build takes nine minutes."
    ]
    told = {(row["type"], row["name"]): row["total_memories"] for row in client.users()["results"]}
    assert told["agent", "builder"] == 2 and told["run", run] == 1, told
    client.delete_users(run_id=run)
    assert texts(client.get_all(filters={"agent_id": "builder"})) == ["I use ripgrep."]
    client.reset()
    assert client.users()["results"] == []


def older(base: str, headers: dict[str, str]) -> None:
    """The first two versions of the interface, as older clients ask."""
    import httpx

    with httpx.Client(base_url=base, headers=headers) as http:
        added = http.post("/v1/memories/", json={
            "messages": [{"role": "user", "content": "Rice, please."}], "user_id": "old", "infer": False,
            "output_format": "v1.1",
        }).json()["results"]
        assert added[0]["memory"] == "Rice, please."
        assert texts(http.get("/v1/memories/", params={"user_id": "old"}).json()) == ["Rice, please."]
        wrapped = http.get("/v1/memories/", params={"user_id": "old", "output_format": "v1.1"}).json()
        assert texts(wrapped["results"]) == ["Rice, please."]
        query = {"query": "rice", "filters": {"OR": [{"user_id": "old"}]}}
        assert texts(http.post("/v2/memories/search/", json=query).json()) == ["Rice, please."]
        assert texts(http.post("/v1/memories/search/", json={"query": "rice", "user_id": "old"}).json()) == [
            "Rice, please."
        ]
        assert texts(http.post("/v2/memories/", json={"filters": {"user_id": "old"}}).json()) == ["Rice, please."]
        for method, path, status in [
            ("GET", "/v1/memories/none/", 404), ("GET", "/v1/exports/", 404), ("PATCH", "/v1/memories/none/", 405),
            ("POST", "/v1/memories/", 400), ("DELETE", "/v1/memories/", 400),
        ]:
            response = http.request(method, path)
            assert response.status_code == status and response.json()["detail"], (method, path, response.text)


async def without_blocking(base: str, key: str) -> None:
    """The async client does the same."""
    async with AsyncMemoryClient(api_key=key, host=base) as client:
        await client.add("Sailing.", user_id="async", infer=False)
        assert texts(await client.search("sailing", filters={"user_id": "async"})) == ["Sailing."]


def main() -> None:
    key = os.environ.get("BYGONE_KEY", "none")
    base = f"{os.environ['BYGONE_URL']}/mem0/mem0-{uuid.uuid4().hex}"
    client = MemoryClient(api_key=key, host=base)
    assert client.get_all(filters={"user_id": "ben"})["results"] == []
    whole_life(client, "ben")
    print("mem0: add, get, get_all, search, update, delete, delete_all, history and batches with Mem0's own client")
    mapped(client, "ben")
    older(base, {"Authorization": f"Token {key}"})
    asyncio.run(without_blocking(base, key))
    print("mem0: users, agents and runs; the first and second version; the async client")


if __name__ == "__main__":
    main()
