"""What a type checker makes of both clients; `run-tests` has mypy read it, and nothing runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bygone_client import Answer, AsyncClient, AsyncRows, Client, Fact, Hit, Reply, Rows

if TYPE_CHECKING:
    from typing_extensions import assert_type


def of_the_one(client: Client) -> None:
    assert_type(client.ask("Who?", valid="2024", known=("2023", "2024")), Answer)
    assert_type(client.facts("Anna"), Rows[Fact])
    assert_type(client.search("tea", k=3).first(), Hit | None)
    assert_type(client.checkpoint_restore(), bytes | None)
    assert_type(client.call("work/add", set="pages", items=["1"]), Reply)
    assert_type(client.space("work"), Client)
    client.ask("Who?", vaild="2024")  # type: ignore[call-arg]
    client.search("tea", k="3")  # type: ignore[arg-type]
    client.ask("Who?")["nothing"]  # type: ignore[misc]


async def of_the_other(client: AsyncClient) -> None:
    assert_type(await client.ask("Who?", valid="2024", known=("2023", "2024")), Answer)
    assert_type(client.facts("Anna"), AsyncRows[Fact])
    assert_type([hit async for hit in client.search("tea", k=3)], list[Hit])
    assert_type(await client.checkpoint_restore(), bytes | None)
    assert_type(client.space("work"), AsyncClient)
    await client.ask("Who?", vaild="2024")  # type: ignore[call-arg]
