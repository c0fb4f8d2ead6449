"""Who may do what."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import STATEMENTS, Server

from bygone_client import BadRequest, Client, Forbidden, Unauthorized


def test_a_key_opens_its_space_for_what_it_is_for(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        Client(server.url, space="work").assert_statements(STATEMENTS)
        Client(server.url, space="home").assert_statements(STATEMENTS)
        key = server.run("keys", "create", "reader", "--opens", "work", "-q").split()[-1]
        with Client(server.url, space="work", key=key) as client:
            assert key not in repr(client._address)
            assert len(client.facts().all()) == 2
            assert [row["space"] for row in client.spaces()] == ["work"]
            with pytest.raises(Forbidden):
                client.space("home").facts().all()
            with pytest.raises(Forbidden):
                client.cursor_set("page", "1")
        with pytest.raises(Unauthorized) as raised:
            Client(server.url, space="work").export().all()
        assert raised.value.status == 401
        with pytest.raises(Unauthorized):
            Client(server.url, space="work", key="bg_wrong").stats()
    finally:
        server.stop()


def test_a_space_needs_a_name(server: Server) -> None:
    with pytest.raises(BadRequest, match="no/such"):
        Client(server.url, space="no/such").stats()
