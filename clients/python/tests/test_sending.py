"""What is sent again, and what is not; against answers that no real server gives at will."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator

import httpx
import pytest

from bygone_client import BygoneError, Client, Unavailable

DONE = {"rows": [{"value": "1"}], "exit": 0, "next": None, "remarks": []}


def problem(code: str, status: int = 503) -> httpx.Response:
    return httpx.Response(status, json={"error": {"code": code, "message": "m"}}, headers={"retry-after": "0"})


class Answers:
    """Answers one after the other, and keeps what was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, retries: int = 2) -> Client:
        return Client("http://test", retries=retries, transport=httpx.MockTransport(self))


def test_a_busy_server_is_asked_again_with_the_same_key() -> None:
    answers = Answers(problem("busy"), problem("too_late"), httpx.Response(200, json=DONE))
    assert answers.client().cursor_set("page", "1")["value"] == "1"
    keys = {request.headers["idempotency-key"] for request in answers.requests}
    assert len(answers.requests) == 3 and len(keys) == 1


def test_it_is_asked_no_more_often_than_it_may() -> None:
    answers = Answers(*(problem("busy") for _ in range(3)))
    with pytest.raises(Unavailable) as raised:
        answers.client().stats()
    assert (raised.value.code, raised.value.status, len(answers.requests)) == ("busy", 503, 3)


def test_a_caller_may_do_the_asking_again() -> None:
    answers = Answers(problem("busy"))
    with pytest.raises(Unavailable):
        answers.client(retries=0).stats()


TWICE: list[tuple[str, Callable[[Client], object], int]] = [
    ("too_late", lambda client: client.assert_statements([]), 1),
    ("too_late", lambda client: client.ingest(b""), 1),
    ("too_late", lambda client: client.erase(session="s"), 1),
    ("too_late", lambda client: client.call("assert", input=""), 1),
    ("busy", lambda client: client.assert_statements([]), 2),
    ("too_late", lambda client: client.stats(), 2),
    ("too_late", lambda client: client.facts().all(), 2),
    ("too_late", lambda client: client.call("work/add", set="s", items=["1"]), 2),
]


@pytest.mark.parametrize(("code", "do", "times"), TWICE)
def test_what_would_be_done_twice_is_not_sent_twice(code: str, do: Callable[[Client], object], times: int) -> None:
    answers = Answers(problem(code), httpx.Response(200, json=DONE))
    if times == 1:
        with pytest.raises(Unavailable) as raised:
            do(answers.client())
        assert raised.value.may_be_done
    else:
        do(answers.client())
    assert len(answers.requests) == times


def test_a_lost_connection_is_made_again_and_a_timeout_is_not() -> None:
    answers = Answers(httpx.ReadError("reset"), httpx.Response(200, json=DONE))
    answers.client().stats()
    with pytest.raises(Unavailable) as raised:
        Answers(httpx.ReadTimeout("slow")).client().stats()
    assert (raised.value.code, raised.value.status) == ("timeout", 0)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(Unavailable) as raised:
            Client(url, retries=1).stats()
    assert (raised.value.code, raised.value.may_be_done) == ("unreachable", False)


def test_rows_that_are_streamed_may_end_with_what_went_wrong() -> None:
    lines = b'{"a":1}\n{"error":{"code":"corrupt","message":"damaged"}}\n'
    rows = iter(Answers(httpx.Response(200, content=lines)).client().export())
    assert next(rows) == {"a": 1}
    with pytest.raises(BygoneError, match="damaged") as raised:
        next(rows)
    assert raised.value.code == "corrupt"


def test_rows_that_break_off_are_not_taken_for_whole() -> None:
    rows = iter(Answers(httpx.Response(200, content=b'{"a":1}\n{"b":')).client().export())
    assert next(rows) == {"a": 1}
    with pytest.raises(Unavailable, match="within a row"):
        next(rows)


class Broken(httpx.SyncByteStream):
    """A body of which the connection breaks off after a row."""

    def __iter__(self) -> Iterator[bytes]:
        yield b'{"a":1}\n'
        raise httpx.ReadError("reset")


def test_a_stream_that_has_begun_is_not_asked_for_again() -> None:
    answers = Answers(httpx.Response(200, stream=Broken()), httpx.Response(200, content=b'{"a":1}\n'))
    rows = iter(answers.client().export())
    assert next(rows) == {"a": 1}
    with pytest.raises(Unavailable, match="reset"):
        next(rows)
    assert len(answers.requests) == 1


def test_a_stream_that_has_not_begun_is_asked_for_again() -> None:
    answers = Answers(problem("busy"), httpx.Response(200, content=b'{"a":1}\n'))
    assert answers.client().export().all() == [{"a": 1}]


@pytest.mark.parametrize("status", [200, 404, 502])
def test_what_is_no_answer_of_bygone_is_an_error(status: int) -> None:
    answers = Answers(httpx.Response(status, text="<html>"), httpx.Response(status, text="<html>"))
    with pytest.raises(BygoneError, match="<html>") as raised:
        answers.client().stats()
    assert (raised.value.status, raised.value.code) == (status, "no_answer")


def test_what_is_sent() -> None:
    answers = Answers(*(httpx.Response(200, json=DONE) for _ in range(2)))
    client = Client("http://test/", space="work", key="k", transport=httpx.MockTransport(answers))
    client.ask("Who?", known="2024", by_user=None)
    client.checkpoint_save(b"\xff", agent="a", keep_secrets=True, idempotency_key="mine")
    ask, save = answers.requests
    assert (str(ask.url), json.loads(ask.content)) == ("http://test/v1/ask", {"question": "Who?", "known": "2024"})
    assert (ask.headers["bygone-space"], ask.headers["authorization"]) == ("work", "Bearer k")
    assert "idempotency-key" not in ask.headers
    assert dict(save.url.params) == {"agent": "a", "keep_secrets": "true"} and save.content == b"\xff"
    assert save.headers["idempotency-key"] == "mine"
