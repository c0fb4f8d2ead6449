"""Puts a load on a Bygone server: many clients at a time that write and read, while a bulk ingest runs beside them.

Everything that was acknowledged is looked for afterwards. The server is named by BYGONE_URL.

    python adapters/conformance/load.py --clients 64 --seconds 60
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time

import httpx

JSON_LINES = {"content-type": "application/x-ndjson"}


def statement(who: str, place: str) -> str:
    """Returns an assertion as a line."""
    return json.dumps({
        "subject": f"person:{who}", "predicate": "lives_in", "object": {"entity": f"place:{place}"}, "from": "2024-03",
    })


async def client(number: int, http: httpx.AsyncClient, until: float, acknowledged: list[str], took: dict[str, list[float]]) -> None:
    """Writes a statement, reads it back, and asks and searches now and then."""
    count = 0
    while time.monotonic() < until:
        who = f"C{number}N{count}"
        steps = [
            ("assert", "/v1/assert", {"content": statement(who, "Bern"), "headers": JSON_LINES}),
            ("facts", "/v1/facts", {"json": {"subject": f"person:{who}"}}),
        ]
        if count % 5 == 0:
            steps.append(("ask", "/v1/ask", {"json": {"question": f"Where does {who} live?"}}))
        for name, path, body in steps:
            started = time.monotonic()
            response = await http.post(path, **body)
            took.setdefault(name, []).append(time.monotonic() - started)
            assert response.status_code == 200, (name, response.status_code, response.text[:300])
            if name == "facts":
                assert len(response.json()["rows"]) == 1, response.text
        acknowledged.append(who)
        count += 1


async def bulk(http: httpx.AsyncClient, until: float) -> int:
    """Asserts five thousand statements at a time."""
    count = 0
    while time.monotonic() < until:
        lines = "\n".join(statement(f"B{count + n}", "Oslo") for n in range(5_000))
        response = await http.post("/v1/assert", content=lines, headers={**JSON_LINES, "bygone-space": "bulk"})
        assert response.status_code == 200, response.text[:300]
        count += 5_000
    return count


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    acknowledged: list[str] = []
    took: dict[str, list[float]] = {}
    limits = httpx.Limits(max_connections=options.clients + 1)
    async with httpx.AsyncClient(base_url=os.environ["BYGONE_URL"], timeout=60, limits=limits) as http:
        until = time.monotonic() + options.seconds
        work = [client(number, http, until, acknowledged, took) for number in range(options.clients)]
        n_bulk, *_ = await asyncio.gather(bulk(http, until), *work)
        found: set[str] = set()
        cursor = None
        while True:
            response = await http.post("/v1/facts", json={"predicate": "lives_in", "page_size": 10_000, "cursor": cursor})
            answer = response.json()
            found.update(row["subject"].removeprefix("person:") for row in answer["rows"])
            cursor = answer["next"]
            if cursor is None:
                break
    lost = [who for who in acknowledged if who not in found]
    for name, times in sorted(took.items()):
        times.sort()
        p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        print(f"{name}: {len(times)} requests, p50 {p50 * 1e3:.0f} ms, p99 {p99 * 1e3:.0f} ms")
    print(f"{len(acknowledged)} acknowledged, {len(lost)} lost, {n_bulk} in bulk beside them")
    assert not lost, lost[:10]


if __name__ == "__main__":
    asyncio.run(main())
