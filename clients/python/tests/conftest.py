"""A real server for the tests, from the program that BYGONE_PROGRAM names."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bygone_client import Client

STATEMENTS = [
    {"subject": "person:Anna", "predicate": "lives_in", "object": {"entity": "place:Lisbon"}, "from": "2023-03",
     "known_at": "2023-04-02T09:30:00Z", "source": "talk#1"},
    {"subject": "person:Anna", "predicate": "lives_in", "object": {"entity": "place:Porto"}, "from": "2024-03",
     "known_at": "2024-04-02T09:30:00Z", "source": "talk#2"},
    {"subject": "person:Anna", "predicate": "works_at", "object": {"entity": "org:Acme"}, "from": "2020",
     "known_at": "2024-04-02T09:30:00Z", "source": "talk#3"},
]  # fmt: skip


class Server:
    """A server of a store of its own."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "store"
        self.program = os.environ["BYGONE_PROGRAM"]
        command = [self.program, "--store", str(self.store), "serve", "--bind", "127.0.0.1:0", "--json"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        address: str = json.loads(self._process.stdout.readline())["address"]
        self.url = address if "://" in address else f"http://{address}"

    def run(self, *words: str) -> str:
        """Runs a command on the store, and returns what it prints."""
        command = [self.program, "--store", str(self.store), *words]
        return subprocess.check_output(command, text=True)

    def stop(self) -> None:
        self._process.terminate()
        self._process.communicate(timeout=30)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("served"))
    yield server
    server.stop()


@pytest.fixture
def client(server: Server, request: pytest.FixtureRequest) -> Iterator[Client]:
    """A client of a space that is this test's own, in which a few things are known of Anna."""
    with Client(server.url, space=re.sub("[^A-Za-z0-9]+", "-", request.node.name)) as client:
        client.assert_statements(STATEMENTS)
        yield client
