"""The Claude Agent SDK's ``SessionStore``, kept by Bygone."""

from __future__ import annotations

import asyncio
import weakref
from collections import OrderedDict
from typing import Any, cast

from claude_agent_sdk.types import (
    SessionKey,
    SessionListSubkeysKey,
    SessionStore,
    SessionStoreEntry,
    SessionStoreListEntry,
    SessionSummaryEntry,
)

try:
    from claude_agent_sdk import fold_session_summary
except ImportError:  # not exported by every version
    from claude_agent_sdk._internal.session_summary import fold_session_summary

from .connection import BygoneError, Connection

__all__ = ["BygoneSessionStore"]

_INTERFACE = "session-store"
# How many summaries are remembered, and how often one that others changed is folded again.
_REMEMBERED = 1024
_TRIES = 50

_Summary = dict[str, Any]


class BygoneSessionStore(SessionStore):
    """Transcripts of sessions in a space of a Bygone server.

    Entries come back as they were appended, in order; one whose ``uuid`` the transcript has already is not added again.
    Summaries are folded here and written with the entries that they go with; where somebody else wrote in between, they
    are folded again.

    Beyond the protocol, transcripts are loaded as of any commit or time (:meth:`load_as_of`), forked without being copied
    (:meth:`fork`), and erased physically (:meth:`erase`). :meth:`delete` leaves the past as it was.

    Args:
        base_url: where the server is, such as ``http://127.0.0.1:7461``.
        space: the space that transcripts are kept in.
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
        self._connection = Connection(base_url, space=space, key=key, timeout=timeout)
        self._summaries: OrderedDict[tuple[str, str], _Summary | None] = OrderedDict()
        self._locks: weakref.WeakKeyDictionary[
            asyncio.AbstractEventLoop, weakref.WeakValueDictionary[tuple[str, ...], asyncio.Lock]
        ] = weakref.WeakKeyDictionary()

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._connection.aclose()

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Adds entries to a transcript, in the order in which this is called."""
        if not entries:
            return
        async with self._lock(key):
            body: dict[str, Any] = {"key": _key(key), "entries": entries}
            # What has no uuid would be added twice if an answer was lost and the request sent again.
            once = any(not isinstance(entry.get("uuid"), str) for entry in entries)
            if key.get("subpath"):
                await self._call("append", body, once=once)
            else:
                await self._append_main(key, entries, body, once)

    async def _append_main(
        self,
        key: SessionKey,
        entries: list[SessionStoreEntry],
        body: dict[str, Any],
        once: bool,
    ) -> None:
        session = (key["project_key"], key["session_id"])
        for _ in range(_TRIES):
            before = await self._summary(session, key)
            folded = fold_session_summary(
                cast("SessionSummaryEntry | None", before and _entry(before)), key, entries
            )
            version = before["version"] if before else 0
            body["summary"] = {"data": folded["data"], "folded_from": version}
            try:
                done = await self._call("append", body, once=once)
            except BygoneError as error:
                self._summaries.pop(session, None)
                if error.code != "conflict":
                    raise
                continue
            if done["appended"]:
                self._remember(
                    session,
                    {
                        "session_id": key["session_id"],
                        "mtime": done["mtime"],
                        "data": folded["data"],
                        "version": done["summary_version"],
                    },
                )
            else:
                self._summaries.pop(session, None)
            return
        raise BygoneError("conflict", f"others keep changing the summary of {session!r}", 409)

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """Returns the entries of a transcript; ``None`` where it was never written, or was deleted."""
        return await self.load_as_of(key)

    async def load_as_of(
        self,
        key: SessionKey,
        *,
        known: str | None = None,
        recorded: int | None = None,
    ) -> list[SessionStoreEntry] | None:
        """Returns a transcript as it was.

        Args:
            key: the transcript.
            known: as of a time, such as ``2026-03-01`` (its end) or ``2026-03-01T12:00:00Z``.
            recorded: as of a commit, such as :meth:`history` lists.
        """
        as_of: dict[str, Any] = {"known": known, "recorded": recorded}
        entries: list[SessionStoreEntry] = []
        start = 0
        while True:
            body = {"key": _key(key), "as_of": as_of, "from": start}
            part = await self._read("load", body, None)
            if part is None:
                return None
            entries.extend(part["entries"])
            if part["next"] is None:
                return entries
            # What comes next is of the same transcript, whatever is appended meanwhile.
            start, as_of["recorded"] = part["next"], part["recorded"]

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """Returns the sessions of a project with their modified times in milliseconds."""
        rows = await self._all("list_sessions", {"project_key": project_key}, "sessions")
        return [{"session_id": row["session_id"], "mtime": row["mtime"]} for row in rows]

    async def list_session_summaries(self, project_key: str) -> list[SessionSummaryEntry]:
        """Returns the summaries of a project's sessions."""
        rows = await self._all("list_session_summaries", {"project_key": project_key}, "summaries")
        return [cast("SessionSummaryEntry", _entry(row)) for row in rows]

    async def delete(self, key: SessionKey) -> None:
        """Deletes a transcript, and with a main one all others of its session. What it was stays in its history."""
        async with self._lock(key):
            self._summaries.pop((key["project_key"], key["session_id"]), None)
            await self._read("delete", {"key": _key(key)}, None)

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """Returns the subpaths of a session."""
        body = {"key": {"project_key": key["project_key"], "session_id": key["session_id"]}}
        return await self._all("list_subkeys", body, "subpaths")

    async def fork(
        self,
        source: SessionKey,
        target: SessionKey,
        *,
        entries: int | None = None,
        known: str | None = None,
        recorded: int | None = None,
        subkeys: bool = False,
    ) -> int:
        """Makes another transcript that starts with the entries of one; nothing is copied.

        Args:
            source: the transcript.
            target: the new one, which must not be there.
            entries: how many entries it starts with; all where ``None``.
            known: as of which time it is forked.
            recorded: as of which commit it is forked.
            subkeys: whether the other transcripts of the session go along.

        Returns:
            How many entries the new transcript has.
        """
        body = {
            "from": _key(source),
            "to": _key(target),
            "entries": entries,
            "as_of": {"known": known, "recorded": recorded},
            "subkeys": subkeys,
        }
        return (await self._call("fork", body, once=True))["entries"]

    async def remember(self, key: SessionKey) -> dict[str, Any] | None:
        """Has a transcript read as one, so that it can be asked about and found by its words.

        Only what is new since the last time is recorded.

        Returns:
            the receipt, as ``bygone ingest`` prints it; nothing where there is no such transcript.
        """
        return await self._call("remember", {"key": _key(key)})

    async def history(self, key: SessionKey) -> list[dict[str, Any]]:
        """Returns what a transcript was: ``recorded``, ``known``, ``entries`` (``None`` where deleted) and ``mtime``."""
        return await self._read("history", {"key": _key(key)}, [])

    async def erase(self, key: SessionKey) -> dict[str, Any]:
        """Erases a transcript physically, in all versions, and with a main one all others of its session.

        Returns:
            The certificate: what was removed, and whether its bytes are gone.
        """
        self._summaries.pop((key["project_key"], key["session_id"]), None)
        return await self._call("erase", {"key": _key(key)})

    async def _summary(self, session: tuple[str, str], key: SessionKey) -> _Summary | None:
        if session not in self._summaries:
            body = {"key": {"project_key": session[0], "session_id": session[1]}}
            self._remember(session, await self._read("get_session_summary", body, None))
        return self._summaries[session]

    def _remember(self, session: tuple[str, str], summary: _Summary | None) -> None:
        self._summaries[session] = summary
        self._summaries.move_to_end(session)
        while len(self._summaries) > _REMEMBERED:
            self._summaries.popitem(last=False)

    def _lock(self, key: SessionKey) -> asyncio.Lock:
        # Who waits for a lock first gets it first, so appends of one key go in the order in which they are called.
        locks = self._locks.setdefault(asyncio.get_running_loop(), weakref.WeakValueDictionary())
        return locks.setdefault(
            (key["project_key"], key["session_id"], key.get("subpath") or ""), asyncio.Lock()
        )

    async def _all(self, operation: str, body: dict[str, Any], rows: str) -> list[Any]:
        found: list[Any] = []
        after = None
        while True:
            page = await self._read(operation, {**body, "after": after}, {rows: [], "next": None})
            found.extend(page[rows])
            after = page["next"]
            if after is None:
                return found

    async def _read(self, operation: str, body: dict[str, Any], otherwise: Any) -> Any:
        try:
            return await self._call(operation, body)
        except BygoneError as error:
            # Nothing was ever written into the space.
            if error.code == "no_space":
                return otherwise
            raise

    async def _call(self, operation: str, body: dict[str, Any], *, once: bool = False) -> Any:
        return await self._connection.acall(_INTERFACE, operation, body, once=once)


def _key(key: SessionKey) -> dict[str, Any]:
    named: dict[str, Any] = {"project_key": key["project_key"], "session_id": key["session_id"]}
    if key.get("subpath"):
        named["subpath"] = key["subpath"]
    return named


def _entry(summary: _Summary) -> dict[str, Any]:
    return {name: summary[name] for name in ("session_id", "mtime", "data")}
