"""Calls every tool of a Bygone server with the MCP project's own client, over HTTP and over standard input and output.

The server is named by BYGONE_URL, the program by BYGONE_PROGRAM.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

# What each tool is called with, in an order in which each has something to work on.
CALLS = [
    ("remember", {"text": "I moved to Zurich last week.", "speaker": "Ben", "session": "talk"}),
    ("recall", {"text": "Zurich", "k": 2}),
    ("ask", {"question": "Where does Ben live?"}),
    ("what_changed", {"since": "2020"}),
    ("why", {"id": None}),
    ("resume", {}),
    ("checkpoint", {"state": {"step": 1}, "agent": "a"}),
    ("create_entities", {"entities": [
        {"name": "Ada", "entityType": "Person", "observations": ["Likes tea"]},
        {"name": "Acme", "entityType": "company", "observations": []},
    ]}),
    ("create_relations", {"relations": [{"from": "Ada", "to": "Acme", "relationType": "worksAt"}]}),
    ("add_observations", {"observations": [{"entityName": "Ada", "contents": ["Plays go"]}]}),
    ("read_graph", {}),
    ("search_nodes", {"query": "tea"}),
    ("open_nodes", {"names": ["Ada"]}),
    ("delete_observations", {"deletions": [{"entityName": "Ada", "observations": ["Likes tea"]}]}),
    ("delete_relations", {"relations": [{"from": "Ada", "to": "Acme", "relationType": "worksAt"}]}),
    ("delete_entities", {"entityNames": ["Ada", "Acme"]}),
    ("forget", {"session": "talk"}),
]


async def check(session: ClientSession) -> None:
    """Lists the tools, and calls each of them once."""
    await session.initialize()
    listed = {tool.name for tool in (await session.list_tools()).tools}
    assert listed == {name for name, _ in CALLS}, listed
    fact = None
    for name, arguments in CALLS:
        if name == "why":
            arguments = {"id": fact}
        result = (await session.call_tool(name, arguments)).model_dump(by_alias=True, mode="json")
        assert not result.get("isError"), (name, result)
        if name == "ask":
            row = result["structuredContent"]["rows"][0]
            assert row["known"] and row["facts"][0]["object"] == {"entity": "place:Zurich"}, json.dumps(row)
            fact = row["facts"][0]["id"]


async def main() -> None:
    url = os.environ["BYGONE_URL"] + "/mcp"
    async with streamable_http_client(url) as streams, ClientSession(streams[0], streams[1]) as session:
        await check(session)
    print(f"mcp: {len(CALLS)} tools over HTTP")
    with tempfile.TemporaryDirectory() as folder:
        command = StdioServerParameters(
            command=os.environ["BYGONE_PROGRAM"], args=["mcp", "--store", f"{folder}/store"]
        )
        async with stdio_client(command) as (read, write), ClientSession(read, write) as session:
            await check(session)
    print(f"mcp: {len(CALLS)} tools over standard input and output")


if __name__ == "__main__":
    asyncio.run(main())
