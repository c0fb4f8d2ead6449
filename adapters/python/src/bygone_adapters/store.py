"""LangGraph's ``BaseStore``, kept by Bygone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from .connection import BygoneError, Connection

__all__ = ["BygoneStore"]

_INTERFACE = "langgraph/store"


class BygoneStore(BaseStore):
    """Items in namespaces of a space of a Bygone server, sync and async.

    A search with a query ranks by meaning, with the vectors of the server's own embedder. Items that ran out are not shown;
    :meth:`sweep` removes them. Every value that an item had stays in its :meth:`history`; :meth:`erase` lets go of it.

    Args:
        base_url: where the server is, such as ``http://127.0.0.1:7461``.
        space: the space that items are kept in.
        key: the API key, where the server wants one.
        timeout: how many seconds an operation may take.
        fields: the paths of what is searched in items that do not say so themselves; all of an item where ``None``.
        ttl: how long items live, as LangGraph has it.
        read_only: whether to ask with a key that may only read; nothing lives on for being read then.
    """

    supports_ttl = True

    __slots__ = ("_connection", "_fields", "_read_only", "ttl_config")

    def __init__(
        self,
        base_url: str,
        *,
        space: str = "default",
        key: str | None = None,
        timeout: float = 60.0,
        fields: list[str] | None = None,
        ttl: TTLConfig | None = None,
        read_only: bool = False,
    ) -> None:
        self._connection = Connection(base_url, space=space, key=key, timeout=timeout)
        self._fields = fields
        self._read_only = read_only
        self.ttl_config = ttl

    def close(self) -> None:
        """Closes the connections of the sync methods."""
        self._connection.close()

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._connection.aclose()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Does operations on what is there before them, and puts what is put together."""
        asked = list(ops)
        if not asked:
            return []
        try:
            found = self._connection.call(_INTERFACE, self._operation(asked), self._body(asked))
        except BygoneError as error:
            found = _nothing(error, asked)
        return [_result(op, one) for op, one in zip(asked, found, strict=True)]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Does operations on what is there before them, and puts what is put together."""
        asked = list(ops)
        if not asked:
            return []
        try:
            found = await self._connection.acall(
                _INTERFACE, self._operation(asked), self._body(asked)
            )
        except BygoneError as error:
            found = _nothing(error, asked)
        return [_result(op, one) for op, one in zip(asked, found, strict=True)]

    def sweep(self) -> int:
        """Removes items that ran out, and returns how many."""
        return self._connection.call(_INTERFACE, "sweep", {})["swept"]

    async def asweep(self) -> int:
        """Removes items that ran out, and returns how many."""
        return (await self._connection.acall(_INTERFACE, "sweep", {}))["swept"]

    def history(self, namespace: tuple[str, ...], key: str) -> list[dict[str, Any]]:
        """Returns what an item was: ``recorded``, ``known`` and ``value`` (``None`` where it was removed)."""
        body = {"namespace": list(namespace), "key": key}
        return self._connection.call(_INTERFACE, "history", body)

    def erase(self, namespace: tuple[str, ...], key: str | None = None) -> dict[str, Any]:
        """Erases an item, or all of a namespace and within it, physically. Returns the certificate."""
        body = {"namespace": list(namespace), "key": key}
        return self._connection.call(_INTERFACE, "erase", body)

    def _operation(self, ops: list[Op]) -> str:
        puts = any(isinstance(op, PutOp) for op in ops)
        return "read" if self._read_only and not puts else "batch"

    def _body(self, ops: list[Op]) -> dict[str, Any]:
        return {"ops": [self._op(op) for op in ops]}

    def _op(self, op: Op) -> dict[str, Any]:
        if isinstance(op, GetOp):
            return {
                "get": {
                    "namespace": list(op.namespace),
                    "key": op.key,
                    "refresh_ttl": op.refresh_ttl,
                }
            }
        if isinstance(op, SearchOp):
            return {
                "search": {
                    "namespace_prefix": list(op.namespace_prefix),
                    "filter": op.filter,
                    "limit": op.limit,
                    "offset": op.offset,
                    "query": op.query,
                    "refresh_ttl": op.refresh_ttl,
                }
            }
        if isinstance(op, ListNamespacesOp):
            return {
                "list_namespaces": {
                    "match_conditions": [
                        {"match_type": one.match_type, "path": list(one.path)}
                        for one in op.match_conditions or ()
                    ],
                    "max_depth": op.max_depth,
                    "limit": op.limit,
                    "offset": op.offset,
                }
            }
        if isinstance(op, PutOp):
            index: Any = op.index if op.index is not None else self._fields
            return {
                "put": {
                    "namespace": list(op.namespace),
                    "key": op.key,
                    "value": None if op.value is None else dict(op.value),
                    "index": index if index is False or index is None else list(index),
                    "ttl": op.ttl,
                }
            }
        raise ValueError(f"unknown operation: {type(op)}")


def _nothing(error: BygoneError, ops: list[Op]) -> list[Any]:
    # Nothing was ever written into the space.
    if error.code != "no_space":
        raise error
    return [None if isinstance(op, GetOp) else [] for op in ops]


def _result(op: Op, found: Any) -> Result:
    if isinstance(op, GetOp):
        return None if found is None else Item(**_item(found))
    if isinstance(op, SearchOp):
        return [SearchItem(**_item(one), score=one.get("score")) for one in found]
    if isinstance(op, ListNamespacesOp):
        return [tuple(one) for one in found]
    return None


def _item(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "namespace": tuple(found["namespace"]),
        "key": found["key"],
        "value": found["value"],
        "created_at": _time(found["created_at"]),
        "updated_at": _time(found["updated_at"]),
    }


def _time(text: str) -> datetime:
    # Python 3.10 does not read a Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
