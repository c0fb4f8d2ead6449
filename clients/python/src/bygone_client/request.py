"""What is sent for a verb, and what is read from the answer. Nothing here sends.

Invariant: everything that both clients do alike is here or in ``verbs``; they only send, wait and hand on.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import httpx

from .errors import BygoneError, Unavailable, of_status
from .rows import Row
from .times import text_of

__all__ = ["Address", "Lines", "Reply", "Request", "pause_before_next", "request", "told", "translated"]

_JSON_LINES = "application/x-ndjson"
# Sent twice, these may do more than once, or answer otherwise: statements without `known_at` are known when they are
# read, and what is erased already cannot be erased.
_NOT_TWICE = frozenset({"assert", "ingest", "import", "erase"})


@dataclass(frozen=True)
class Request:
    """A verb, and what it is asked with.

    ``body`` is what the verb reads, where that is not an argument; ``reads`` says that it changes nothing.
    """

    verb: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    body: bytes | None = None
    reads: bool = False
    idempotency_key: str | None = None

    @property
    def may_be_sent_twice(self) -> bool:
        """Whether sending it again does no more than sending it once."""
        return self.reads or self.verb not in _NOT_TWICE

    def after(self, reply: Reply) -> Request | None:
        """Returns the request for the next page, if there is one."""
        if reply.next is None:
            return None
        return replace(self, arguments={**self.arguments, "cursor": reply.next})


def request(
    verb: str,
    arguments: Mapping[str, Any],
    *,
    body: bytes | None = None,
    reads: bool = False,
) -> Request:
    """Returns the request for a verb; what is ``None`` is left out, and an underscore that ends a name is dropped.

    A change that bears no ``idempotency_key`` is given one, so that it can be sent again.

    Raises:
        ValueError: where a ``datetime`` has no zone.
    """
    given = {name.rstrip("_"): _sent(value) for name, value in arguments.items() if value is not None}
    key = given.pop("idempotency_key", None)
    if key is None and not reads:
        key = str(uuid.uuid4())
    return Request(verb.strip("/").replace(" ", "/"), given, body, reads, key)


def _sent(value: Any) -> Any:
    if isinstance(value, date) or isinstance(value, tuple) and len(value) == 2:
        return text_of(value)
    return value


@dataclass(frozen=True)
class Reply:
    """An answer.

    Attributes:
        rows: what the verb gave, or a page of it.
        yes: false where the answer is no, or not known.
        next: where the next page goes on, if there is one.
        remarks: what the verb says beside its rows, such as why there are none.
        result: what a verb of another program's interface gave, such as ``session-store/load``; it has no rows.
        content: the bytes that a verb gave that has no rows either, such as ``checkpoint/restore``.
    """

    rows: list[Row] = field(default_factory=list)
    yes: bool = True
    next: str | None = None
    remarks: list[str] = field(default_factory=list)
    result: Any = None
    content: bytes = field(default=b"", repr=False)

    @property
    def row(self) -> Row:
        """The only row.

        Raises:
            BygoneError: where there is none.
        """
        if not self.rows:
            raise BygoneError("no_row", "; ".join(self.remarks) or "the server answered without a row", 200)
        return self.rows[0]


@dataclass(frozen=True)
class Address:
    """Where requests go, and what each of them bears."""

    url: str
    space: str
    key: str | None = field(default=None, repr=False)

    def shaped(self, request: Request, *, as_lines: bool = False) -> dict[str, Any]:
        """Returns a request as ``httpx`` takes it."""
        headers = {"Bygone-Space": self.space, "Accept": _JSON_LINES if as_lines else "*/*"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        if request.idempotency_key is not None:
            headers["Idempotency-Key"] = request.idempotency_key
        shaped = {"method": "POST", "url": f"{self.url}/v1/{request.verb}", "headers": headers}
        if request.body is None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(request.arguments, allow_nan=False, ensure_ascii=False).encode()
            return {**shaped, "content": content}
        headers["Content-Type"] = "application/octet-stream"
        return {**shaped, "content": request.body, "params": request.arguments}


def told(response: httpx.Response) -> Reply:
    """Returns what a response says, of which all bytes are there.

    Raises:
        BygoneError: where it says that something went wrong, or is none of the server's.
    """
    content = response.content
    if response.status_code != 200:
        raise _failure(response.status_code, content, response.headers.get("retry-after"))
    if response.headers.get("content-type", "").startswith("application/octet-stream"):
        return Reply(content=content)
    try:
        answer = json.loads(content)
        if "result" in answer:
            return Reply(result=answer["result"])
        return Reply(answer["rows"], answer["exit"] == 0, answer["next"], answer["remarks"])
    except (ValueError, KeyError, TypeError) as error:
        raise BygoneError("no_answer", f"expected an answer of bygone: {content[:200]!r}", 200) from error


def _failure(status: int, content: bytes, retry_after: str | None = None) -> BygoneError:
    try:
        answer = json.loads(content)
        code, message = str(answer["error"]["code"]), str(answer["error"]["message"])
        rows = answer.get("rows")
    except (ValueError, KeyError, TypeError):
        code, message, rows = "no_answer", f"HTTP {status}: {content[:200]!r}", None
    failure = of_status(status)(code, message, status, rows)
    if isinstance(failure, Unavailable):
        failure.may_be_done = code != "busy"
        failure.retry_after = float(retry_after) if retry_after and retry_after.isdecimal() else None
    return failure


class Lines:
    """Rows from JSON Lines that arrive in pieces.

    Only a line feed ends a line: texts in rows may have other characters that Unicode calls line ends.
    """

    def __init__(self) -> None:
        self._rest = b""

    def fed(self, piece: bytes) -> Iterator[Row]:
        """Yields the rows that are whole now.

        Raises:
            BygoneError: where the row says what went wrong after the rows before it.
        """
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            if line:
                row = json.loads(line)
                if "error" in row and row.keys() <= {"error", "rows"}:
                    raise _failure(0, line)
                yield row

    def end(self) -> None:
        """Raises what says that the last row is not whole."""
        if self._rest:
            raise _unreachable("cut_off", "the answer ended within a row")


def _unreachable(code: str, message: str, *, may_be_done: bool = True) -> Unavailable:
    failure = Unavailable(code, message)
    failure.may_be_done = may_be_done
    return failure


@contextmanager
def translated() -> Iterator[None]:
    """Turns what goes wrong on the way to the server into :class:`Unavailable`."""
    try:
        yield
    except httpx.TimeoutException as error:
        begun = not isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout))
        message = "the server did not answer in time"
        raise _unreachable("timeout", message, may_be_done=begun) from error
    except httpx.TransportError as error:
        begun = not isinstance(error, (httpx.ConnectError, httpx.ProxyError))
        message = f"the server cannot be reached: {error or repr(error)}"
        raise _unreachable("unreachable", message, may_be_done=begun) from error


def pause_before_next(request: Request, failure: Unavailable, *, tried: int, retries: int) -> float:
    """Returns how many seconds to wait before a request is sent again.

    Raises:
        Unavailable: the failure, where it is not to be sent again: it was often enough, it may have been done and would
            be done twice, or it has taken as long as it may.
    """
    again = failure.status in (0, 503) and failure.code not in ("timeout", "cut_off")
    if tried > retries or not again or failure.may_be_done and not request.may_be_sent_twice:
        raise failure
    return 0.1 * 4.0 ** (tried - 1) if failure.retry_after is None else failure.retry_after
