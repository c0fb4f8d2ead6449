"""Operations of a Bygone server: JSON out, JSON back."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from typing import Any

import httpx

__all__ = ["BygoneError", "Connection"]

# How often an operation is tried while the server cannot be reached or is busy, and the seconds between.
_PAUSES = (0.1, 0.4)


class BygoneError(Exception):
    """What a server refused, or could not do.

    Attributes:
        code: what went wrong, in one word, such as ``conflict`` or ``not_found``.
        status: the HTTP status; 0 where no answer came.
    """

    def __init__(self, code: str, message: str, status: int = 0) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.status = status


class Connection:
    """A space of a Bygone server.

    Args:
        base_url: where the server is, such as ``http://127.0.0.1:7461``.
        space: the space; everything in it is apart from other spaces.
        key: the API key, where the server wants one.
        timeout: how many seconds an operation may take.
    """

    def __init__(
        self,
        base_url: str,
        *,
        space: str = "default",
        key: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        self.space = space
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout
        self._headers = {"Bygone-Space": space, "Content-Type": "application/json"}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._client: httpx.Client | None = None
        self._async: tuple[asyncio.AbstractEventLoop, httpx.AsyncClient] | None = None

    def call(
        self, interface: str, operation: str, body: Any, *, once: bool = False
    ) -> Any:
        """Does an operation and returns its result.

        Args:
            interface: such as ``session-store``.
            operation: such as ``append``.
            body: the request.
            once: whether doing it twice would be more than doing it once; the server is told which requests are the same.

        Raises:
            BygoneError: where the server refuses it or cannot be reached.
        """
        if self._client is None:
            self._client = httpx.Client(timeout=self._timeout)
        url, content, headers = self._request(interface, operation, body, once)
        for pause in (*_PAUSES, None):
            try:
                response = self._client.post(url, content=content, headers=headers)
            except httpx.TransportError as error:
                if pause is None:
                    raise BygoneError("unreachable", f"{url}: {str(error) or repr(error)}") from error
            else:
                if response.status_code != 503 or pause is None:
                    return _result(response)
            time.sleep(pause)
        raise AssertionError("the last try returns or raises")

    async def acall(
        self, interface: str, operation: str, body: Any, *, once: bool = False
    ) -> Any:
        """Does an operation as :meth:`call` does, without blocking."""
        client = self._async_client()
        url, content, headers = self._request(interface, operation, body, once)
        for pause in (*_PAUSES, None):
            try:
                response = await client.post(url, content=content, headers=headers)
            except httpx.TransportError as error:
                if pause is None:
                    raise BygoneError("unreachable", f"{url}: {str(error) or repr(error)}") from error
            else:
                if response.status_code != 503 or pause is None:
                    return _result(response)
            await asyncio.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Closes the connections of :meth:`call`."""
        if self._client is not None:
            self._client.close()
            self._client = None

    async def aclose(self) -> None:
        """Closes all connections."""
        self.close()
        if self._async is not None:
            loop, client = self._async
            self._async = None
            if loop is asyncio.get_running_loop():
                await client.aclose()

    def _async_client(self) -> httpx.AsyncClient:
        # Connections belong to the loop in which they were opened.
        loop = asyncio.get_running_loop()
        if self._async is None or self._async[0] is not loop:
            self._async = (loop, httpx.AsyncClient(timeout=self._timeout))
        return self._async[1]

    def _request(
        self, interface: str, operation: str, body: Any, once: bool
    ) -> tuple[str, bytes, dict[str, str]]:
        content = json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
        headers = self._headers
        if once:
            headers = {**headers, "Idempotency-Key": str(uuid.uuid4())}
        return f"{self._base_url}/v1/{interface}/{operation}", content, headers


def _result(response: httpx.Response) -> Any:
    try:
        answer = response.json()
    except ValueError as error:
        raise BygoneError(
            "no_json", f"the server answered no JSON: {response.text[:200]!r}", response.status_code
        ) from error
    if isinstance(answer, dict) and "result" in answer:
        return answer["result"]
    told = answer.get("error") if isinstance(answer, dict) else None
    told = told if isinstance(told, dict) else {}
    raise BygoneError(
        str(told.get("code", "unknown")),
        str(told.get("message", response.text[:200])),
        response.status_code,
    )
