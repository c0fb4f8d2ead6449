"""The client that does not block is the other one."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Coroutine
from typing import Any, TypeVar

import httpx
import pytest
from conftest import STATEMENTS, Server
from test_sending import DONE, Answers, problem

from bygone_client import AsyncClient, AsyncRows, Client, Conflict, Rows, Unavailable

T = TypeVar("T")


def done(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def public(of: type) -> dict[str, list[inspect.Parameter]]:
    methods = inspect.getmembers(of, callable)
    return {
        name: list(inspect.signature(method).parameters.values())
        for name, method in methods
        if not name.startswith("_")
    }


@pytest.mark.parametrize(("one", "other"), [(Client, AsyncClient), (Rows, AsyncRows)])
def test_both_have_the_same_methods(one: type, other: type) -> None:
    assert public(one) == public(other)
    assert len(public(one)) >= 2


def test_both_are_made_of_the_same() -> None:
    one, other = (inspect.signature(client).parameters for client in (Client, AsyncClient))
    assert list(one) == list(other)
    for name in one.keys() - {"transport"}:
        assert one[name] == other[name]


def test_every_method_is_documented() -> None:
    for name in public(Client):
        assert inspect.getdoc(getattr(Client, name)), name
        assert inspect.getdoc(getattr(AsyncClient, name)), name


def test_both_are_told_the_same(client: Client, server: Server) -> None:
    async def asked() -> None:
        async with AsyncClient(server.url, space=client.space_name) as other:
            assert await other.ask("Where does Anna live?") == client.ask("Where does Anna live?")
            assert [fact async for fact in other.facts("Anna")] == client.facts("Anna").all()
            assert await other.rows("facts", page_size=1).all() == client.facts().all()
            assert await other.timeline("Nobody").first() is None
            assert await other.export().all() == client.export().all()
            assert await other.export().first() == client.export().first()
            await other.cursor_set("page", "1")
            with pytest.raises(Conflict):
                await other.cursor_set("page", "2", expect="")
            assert await other.checkpoint_restore(agent="nobody") is None
            second = other.space(client.space_name + "-2")
            receipts = await asyncio.gather(*(second.assert_statements([one]) for one in STATEMENTS))
            assert [receipt["assertions"] for receipt in receipts] == [1, 1, 1]

    done(asked())


def test_what_is_sent_again_is_the_same() -> None:
    async def asked(answers: Answers) -> object:
        async with AsyncClient("http://test", transport=httpx.MockTransport(answers)) as client:
            return (await client.stats(), await client.export().all())

    lines = httpx.Response(200, content=b'{"a":1}\n')
    answers = Answers(problem("busy"), httpx.Response(200, json=DONE), problem("busy"), lines)
    assert done(asked(answers)) == ({"value": "1"}, [{"a": 1}])
    with pytest.raises(Unavailable):
        done(asked(Answers(*(problem("busy") for _ in range(3)))))
