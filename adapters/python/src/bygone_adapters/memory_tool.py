"""The memory tool of Anthropic's API, kept by Bygone."""

from __future__ import annotations

from typing import Any

from anthropic.lib.tools import (
    BetaAbstractMemoryTool,
    BetaAsyncAbstractMemoryTool,
    ToolError,
)

from .connection import BygoneError, Connection

__all__ = ["AsyncBygoneMemoryTool", "BygoneMemoryTool"]

_INTERFACE = "memory-tool"


class _Files:
    """What both tools have in common."""

    def __init__(
        self,
        base_url: str,
        *,
        space: str = "default",
        key: str | None = None,
        timeout: float = 60.0,
        **tool: Any,
    ) -> None:
        super().__init__(**tool)
        self._connection = Connection(base_url, space=space, key=key, timeout=timeout)

    def history(self, path: str) -> list[dict[str, Any]]:
        """Returns what a file was: ``recorded``, ``known`` and ``text`` (``None`` where it was gone)."""
        return self._connection.call(_INTERFACE, "history", {"path": path})

    def view_as_of(
        self, path: str = "/memories", *, known: str | None = None, recorded: int | None = None
    ) -> str:
        """Shows a file or a folder as it was: as known by a time, as recorded by a commit, or both.

        Raises:
            ToolError: where there was none.
        """
        as_of = {"known": known, "recorded": recorded}
        return _told(self._connection.call(_INTERFACE, "view", {"path": path, "as_of": as_of}))

    def erase(self, path: str) -> dict[str, Any]:
        """Erases a file, or all that is or was in a folder, in all versions. Returns the certificate."""
        return self._connection.call(_INTERFACE, "erase", {"path": path})

    def close(self) -> None:
        """Closes the connections of what blocks."""
        self._connection.close()


class BygoneMemoryTool(_Files, BetaAbstractMemoryTool):
    """The memory tool on files in a space of a Bygone server.

    Every command is a version: what a file was stays in its :meth:`history` and can be viewed by :meth:`view_as_of`.

    Args:
        base_url: where the server is, such as ``http://127.0.0.1:7461``.
        space: the space that files are kept in.
        key: the API key, where the server wants one.
        timeout: how many seconds a command may take.
        **tool: what ``BetaAbstractMemoryTool`` takes, such as ``cache_control``.
    """

    def view(self, command: Any) -> str:
        """Shows a file with the numbers of its lines, or a folder."""
        try:
            return _told(self._connection.call(_INTERFACE, "view", _body(command)))
        except BygoneError as error:
            # Nothing was ever written into the space: it is made, and has no file.
            if error.code != "no_space":
                raise
        return self._run(command)

    def create(self, command: Any) -> str:
        """Makes a file."""
        return self._run(command)

    def str_replace(self, command: Any) -> str:
        """Replaces a text that stands in a file once."""
        return self._run(command)

    def insert(self, command: Any) -> str:
        """Puts lines into a file."""
        return self._run(command)

    def delete(self, command: Any) -> str:
        """Deletes a file, or a folder with all that is in it."""
        return self._run(command)

    def rename(self, command: Any) -> str:
        """Renames or moves a file or a folder."""
        return self._run(command)

    def _run(self, command: Any) -> str:
        return _told(self._connection.call(_INTERFACE, "run", _body(command), once=True))


class AsyncBygoneMemoryTool(_Files, BetaAsyncAbstractMemoryTool):
    """The memory tool on files in a space of a Bygone server, without blocking; as :class:`BygoneMemoryTool`."""

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._connection.aclose()

    async def view(self, command: Any) -> str:
        """Shows a file with the numbers of its lines, or a folder."""
        try:
            return _told(await self._connection.acall(_INTERFACE, "view", _body(command)))
        except BygoneError as error:
            if error.code != "no_space":
                raise
        return await self._run(command)

    async def create(self, command: Any) -> str:
        """Makes a file."""
        return await self._run(command)

    async def str_replace(self, command: Any) -> str:
        """Replaces a text that stands in a file once."""
        return await self._run(command)

    async def insert(self, command: Any) -> str:
        """Puts lines into a file."""
        return await self._run(command)

    async def delete(self, command: Any) -> str:
        """Deletes a file, or a folder with all that is in it."""
        return await self._run(command)

    async def rename(self, command: Any) -> str:
        """Renames or moves a file or a folder."""
        return await self._run(command)

    async def _run(self, command: Any) -> str:
        return _told(await self._connection.acall(_INTERFACE, "run", _body(command), once=True))


def _body(command: Any) -> dict[str, Any]:
    # What the model left out is left out.
    return command.model_dump(mode="json", exclude_unset=True)


def _told(answer: dict[str, Any]) -> str:
    if answer["is_error"]:
        raise ToolError(answer["text"])
    return answer["text"]
