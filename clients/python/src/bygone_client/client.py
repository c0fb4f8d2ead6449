"""The two clients: how what ``verbs`` says is sent, and nothing else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from types import TracebackType
from typing import Generic, TypeVar, cast

import httpx

from .errors import Unavailable
from .method import Listing, Steps
from .request import Address, Lines, Reply, Request, pause_before_next, told, translated
from .rows import Row
from .verbs import Verbs

__all__ = ["AsyncClient", "AsyncRows", "Client", "Rows"]

T = TypeVar("T")
DEFAULT_URL = "http://127.0.0.1:7461"


class Client(Verbs):
    """A space of a Bygone server.

    Args:
        url: where the server is.
        space: the space; everything in it is apart from other spaces.
        key: the API key, where the server wants one.
        timeout: how many seconds the server may take to answer, or to send more of an answer.
        retries: how often something is sent again that the server had no time for, or that did not reach it. What would
            be done twice by that is not sent again.
        transport: what carries requests instead of the network, as ``httpx`` has it.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        space: str = "default",
        key: str | None = None,
        timeout: float = 60.0,
        retries: int = 2,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._address = Address(url.rstrip("/"), space, key)
        self._retries = retries
        self._http = httpx.Client(timeout=timeout, transport=transport)

    def close(self) -> None:
        """Closes the connections."""
        if self._is_owner:
            self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _done(self, steps: Steps[T]) -> T:
        try:
            request = next(steps)
            while True:
                request = steps.send(self._sent(request))
        except StopIteration as end:
            return cast(T, end.value)

    def _listed(self, listing: Listing[T]) -> Rows[T]:
        return Rows(self, listing)

    def _sent(self, request: Request) -> Reply:
        tried = 0
        while True:
            tried += 1
            try:
                with translated():
                    response = self._http.request(**self._address.shaped(request))
                return told(response)
            except Unavailable as failure:
                pause = pause_before_next(request, failure, tried=tried, retries=self._retries)
            time.sleep(pause)

    def _lines(self, request: Request) -> Iterator[Row]:
        tried = 0
        while True:
            tried += 1
            lines, has_begun = Lines(), False
            try:
                with translated(), self._http.stream(**self._address.shaped(request, as_lines=True)) as response:
                    if response.status_code != 200:
                        response.read()
                        told(response)
                    for piece in response.iter_bytes():
                        has_begun = True
                        yield from lines.fed(piece)
                lines.end()
                return
            except Unavailable as failure:
                if has_begun:
                    raise
                pause = pause_before_next(request, failure, tried=tried, retries=self._retries)
            time.sleep(pause)


class AsyncClient(Verbs):
    """A space of a Bygone server, asked without blocking; it takes what :class:`Client` takes.

    It belongs to the event loop in which it is used first.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        space: str = "default",
        key: str | None = None,
        timeout: float = 60.0,
        retries: int = 2,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._address = Address(url.rstrip("/"), space, key)
        self._retries = retries
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport)

    async def close(self) -> None:
        """Closes the connections."""
        if self._is_owner:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _done(self, steps: Steps[T]) -> T:
        try:
            request = next(steps)
            while True:
                request = steps.send(await self._sent(request))
        except StopIteration as end:
            return cast(T, end.value)

    def _listed(self, listing: Listing[T]) -> AsyncRows[T]:
        return AsyncRows(self, listing)

    async def _sent(self, request: Request) -> Reply:
        tried = 0
        while True:
            tried += 1
            try:
                with translated():
                    response = await self._http.request(**self._address.shaped(request))
                return told(response)
            except Unavailable as failure:
                pause = pause_before_next(request, failure, tried=tried, retries=self._retries)
            await asyncio.sleep(pause)

    async def _lines(self, request: Request) -> AsyncGenerator[Row, None]:
        tried = 0
        while True:
            tried += 1
            lines, has_begun = Lines(), False
            try:
                with translated():
                    async with self._http.stream(**self._address.shaped(request, as_lines=True)) as response:
                        if response.status_code != 200:
                            await response.aread()
                            told(response)
                        async for piece in response.aiter_bytes():
                            has_begun = True
                            for row in lines.fed(piece):
                                yield row
                lines.end()
                return
            except Unavailable as failure:
                if has_begun:
                    raise
                pause = pause_before_next(request, failure, tried=tried, retries=self._retries)
            await asyncio.sleep(pause)


class Rows(Generic[T]):
    """Rows that are asked for while they are gone through, each time anew; all pages are of one commit.

    Attributes:
        remarks: what the verb said beside the rows that were gone through, such as why there are none.
    """

    def __init__(self, client: Client, listing: Listing[T]) -> None:
        self._client = client
        self._listing = listing
        self.remarks: list[str] = []

    def __iter__(self) -> Iterator[T]:
        if self._listing.as_lines:
            yield from cast("Iterator[T]", self._client._lines(self._listing.request))
            return
        request: Request | None = self._listing.request
        while request is not None:
            reply = self._client._sent(request)
            self.remarks = reply.remarks
            yield from cast("list[T]", reply.rows)
            request = request.after(reply)

    def all(self) -> list[T]:
        """Returns all of them."""
        return list(self)

    def first(self) -> T | None:
        """Returns the first one, if there is one."""
        return next(iter(self), None)


class AsyncRows(Generic[T]):
    """Rows that are asked for while they are gone through, as :class:`Rows` are, with ``async for``."""

    def __init__(self, client: AsyncClient, listing: Listing[T]) -> None:
        self._client = client
        self._listing = listing
        self.remarks: list[str] = []

    async def __aiter__(self) -> AsyncGenerator[T, None]:
        request: Request | None = self._listing.request
        if self._listing.as_lines:
            async with aclosing(self._client._lines(self._listing.request)) as lines:
                async for row in lines:
                    yield cast(T, row)
            return
        while request is not None:
            reply = await self._client._sent(request)
            self.remarks = reply.remarks
            for row in reply.rows:
                yield cast(T, row)
            request = request.after(reply)

    async def all(self) -> list[T]:
        """Returns all of them."""
        return [row async for row in self]

    async def first(self) -> T | None:
        """Returns the first one, if there is one."""
        async with aclosing(self.__aiter__()) as rows:
            async for row in rows:
                return row
        return None
