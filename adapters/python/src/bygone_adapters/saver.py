"""LangGraph's checkpointer, kept by Bygone."""

from __future__ import annotations

import base64
import random
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    SerializerProtocol,
    get_checkpoint_id,
    get_serializable_checkpoint_metadata,
)

from .connection import BygoneError, Connection

__all__ = ["BygoneSaver"]

_INTERFACE = "langgraph/checkpoints"


class BygoneSaver(BaseCheckpointSaver[str]):
    """Checkpoints of threads in a space of a Bygone server, sync and async.

    What a channel holds is kept once for each of its versions, so a checkpoint costs what changed. Deleting and pruning
    leave the past as it was; only :meth:`erase_thread` lets go of bytes.

    Args:
        base_url: where the server is, such as ``http://127.0.0.1:7461``.
        space: the space that checkpoints are kept in.
        key: the API key, where the server wants one.
        timeout: how many seconds an operation may take.
        serde: what makes bytes of values; LangGraph's own where ``None``.
    """

    def __init__(
        self,
        base_url: str,
        *,
        space: str = "default",
        key: str | None = None,
        timeout: float = 60.0,
        serde: SerializerProtocol | None = None,
    ) -> None:
        super().__init__(serde=serde)
        self._connection = Connection(base_url, space=space, key=key, timeout=timeout)

    def close(self) -> None:
        """Closes the connections of the sync methods."""
        self._connection.close()

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._connection.aclose()

    # What is asked for.

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Returns the checkpoint that a config names, or the latest of its thread."""
        found = self._read("get", _get(config), None)
        return found and self._tuple(found)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Returns the checkpoint that a config names, or the latest of its thread."""
        found = await self._aread("get", _get(config), None)
        return found and self._tuple(found)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Lists checkpoints, the latest first."""
        body = _list(config, filter, before)
        while limit is None or limit > 0:
            page = self._read("list", {**body, "limit": limit}, _NO_PAGE)
            yield from map(self._tuple, page["checkpoints"])
            limit = None if limit is None else limit - len(page["checkpoints"])
            body["after"] = page["next"]
            if body["after"] is None:
                return

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Lists checkpoints, the latest first."""
        body = _list(config, filter, before)
        while limit is None or limit > 0:
            page = await self._aread("list", {**body, "limit": limit}, _NO_PAGE)
            for found in page["checkpoints"]:
                yield self._tuple(found)
            limit = None if limit is None else limit - len(page["checkpoints"])
            body["after"] = page["next"]
            if body["after"] is None:
                return

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Returns what was written to channels since a value of them was kept."""
        if not channels:
            return {}
        found = self._read("delta_history", _deltas(config, channels), _no_deltas(channels))
        return self._histories(found)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Returns what was written to channels since a value of them was kept."""
        if not channels:
            return {}
        found = await self._aread("delta_history", _deltas(config, channels), _no_deltas(channels))
        return self._histories(found)

    # What is put.

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Puts a checkpoint, and the values of the channels that changed."""
        self._call("put", self._put(config, checkpoint, metadata, new_versions))
        return _config(config, checkpoint["id"])

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Puts a checkpoint, and the values of the channels that changed."""
        await self._acall("put", self._put(config, checkpoint, metadata, new_versions))
        return _config(config, checkpoint["id"])

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Puts what a task wrote that started from a checkpoint."""
        self._call("put_writes", self._writes(config, writes, task_id, task_path))

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Puts what a task wrote that started from a checkpoint."""
        await self._acall("put_writes", self._writes(config, writes, task_id, task_path))

    # What is let go.

    def delete_thread(self, thread_id: str) -> None:
        """Deletes a thread."""
        self._call("delete_thread", {"thread_id": str(thread_id)})

    async def adelete_thread(self, thread_id: str) -> None:
        """Deletes a thread."""
        await self._acall("delete_thread", {"thread_id": str(thread_id)})

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Deletes the checkpoints of runs, in whatever thread."""
        self._call("delete_for_runs", {"run_ids": [str(run) for run in run_ids]})

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Deletes the checkpoints of runs, in whatever thread."""
        await self._acall("delete_for_runs", {"run_ids": [str(run) for run in run_ids]})

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copies a thread with all that belongs to it."""
        self._call("copy_thread", _copy(source_thread_id, target_thread_id))

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copies a thread with all that belongs to it."""
        await self._acall("copy_thread", _copy(source_thread_id, target_thread_id))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Deletes all but the latest checkpoint of each namespace and those that delta channels are made from, or all."""
        self._call("prune", {"thread_ids": [str(one) for one in thread_ids], "strategy": strategy})

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Deletes all but the latest checkpoint of each namespace and those that delta channels are made from, or all."""
        body = {"thread_ids": [str(one) for one in thread_ids], "strategy": strategy}
        await self._acall("prune", body)

    def erase_thread(self, thread_id: str) -> dict[str, Any]:
        """Erases a thread physically, in all versions. Returns the certificate."""
        return self._call("erase", {"thread_id": str(thread_id)})

    async def aerase_thread(self, thread_id: str) -> dict[str, Any]:
        """Erases a thread physically, in all versions. Returns the certificate."""
        return await self._acall("erase", {"thread_id": str(thread_id)})

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Returns the version after one. Two that go on from one are two, so that values of branches do not meet."""
        if current is None:
            number = 0
        elif isinstance(current, int):
            number = current
        else:
            number = int(current.split(".")[0])
        return f"{number + 1:032}.{random.random():016}"

    # What is sent, and what comes back.

    def _put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> dict[str, Any]:
        rest: dict[str, Any] = dict(checkpoint)
        values = rest.pop("channel_values")
        new = [
            {
                "channel": channel,
                "version": version,
                "value": self._typed(values[channel]) if channel in values else None,
            }
            for channel, version in new_versions.items()
        ]
        return {
            **_thread(config),
            "checkpoint_id": checkpoint["id"],
            "parent_id": get_checkpoint_id(config),
            "checkpoint": self._typed(rest),
            "metadata": get_serializable_checkpoint_metadata(config, metadata),
            "channel_versions": checkpoint["channel_versions"],
            "values": new,
        }

    def _writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str,
    ) -> dict[str, Any]:
        return {
            **_thread(config),
            "checkpoint_id": get_checkpoint_id(config),
            "task_id": task_id,
            "task_path": task_path,
            "writes": [
                {
                    "idx": WRITES_IDX_MAP.get(channel, idx),
                    "channel": channel,
                    "value": self._typed(value),
                }
                for idx, (channel, value) in enumerate(writes)
            ],
        }

    def _typed(self, value: Any) -> dict[str, str]:
        kind, data = self.serde.dumps_typed(value)
        return {"type": kind, "base64": base64.b64encode(data).decode("ascii")}

    def _value(self, typed: dict[str, str]) -> Any:
        return self.serde.loads_typed((typed["type"], base64.b64decode(typed["base64"])))

    def _tuple(self, found: dict[str, Any]) -> CheckpointTuple:
        values = {one["channel"]: self._value(one["value"]) for one in found["values"]}
        place = (found["thread_id"], found["checkpoint_ns"])
        parent = found["parent_id"]
        return CheckpointTuple(
            config=_place(*place, found["checkpoint_id"]),
            checkpoint={**self._value(found["checkpoint"]), "channel_values": values},
            metadata=found["metadata"],
            parent_config=_place(*place, parent) if parent else None,
            pending_writes=[self._write(write) for write in found["writes"]],
        )

    def _write(self, write: dict[str, Any]) -> tuple[str, str, Any]:
        return (write["task_id"], write["channel"], self._value(write["value"]))

    def _histories(self, found: dict[str, Any]) -> dict[str, DeltaChannelHistory]:
        histories: dict[str, DeltaChannelHistory] = {}
        for channel, told in found["channels"].items():
            histories[channel] = {"writes": [self._write(write) for write in told["writes"]]}
            if told["seed"] is not None:
                histories[channel]["seed"] = self._value(told["seed"])
        return histories

    def _call(self, operation: str, body: dict[str, Any]) -> Any:
        return self._connection.call(_INTERFACE, operation, body)

    async def _acall(self, operation: str, body: dict[str, Any]) -> Any:
        return await self._connection.acall(_INTERFACE, operation, body)

    def _read(self, operation: str, body: dict[str, Any], otherwise: Any) -> Any:
        try:
            return self._call(operation, body)
        except BygoneError as error:
            return _unless_space(error, otherwise)

    async def _aread(self, operation: str, body: dict[str, Any], otherwise: Any) -> Any:
        try:
            return await self._acall(operation, body)
        except BygoneError as error:
            return _unless_space(error, otherwise)


_NO_PAGE: dict[str, Any] = {"checkpoints": [], "next": None}


def _unless_space(error: BygoneError, otherwise: Any) -> Any:
    # Nothing was ever written into the space.
    if error.code == "no_space":
        return otherwise
    raise error


def _thread(config: RunnableConfig) -> dict[str, str]:
    named = config["configurable"]
    return {
        "thread_id": str(named["thread_id"]),
        "checkpoint_ns": named.get("checkpoint_ns", "") or "",
    }


def _get(config: RunnableConfig) -> dict[str, Any]:
    return {**_thread(config), "checkpoint_id": get_checkpoint_id(config)}


def _list(
    config: RunnableConfig | None,
    filter: dict[str, Any] | None,
    before: RunnableConfig | None,
) -> dict[str, Any]:
    body: dict[str, Any] = {"filter": filter, "after": None}
    if config is not None:
        named = config["configurable"]
        body["thread_id"] = str(named["thread_id"])
        body["checkpoint_ns"] = named.get("checkpoint_ns")
        body["checkpoint_id"] = get_checkpoint_id(config)
    if before is not None:
        body["before"] = get_checkpoint_id(before)
    return body


def _deltas(config: RunnableConfig, channels: Sequence[str]) -> dict[str, Any]:
    return {**_get(config), "channels": list(channels)}


def _no_deltas(channels: Sequence[str]) -> dict[str, Any]:
    return {"channels": {channel: {"writes": [], "seed": None} for channel in channels}}


def _copy(source: str, target: str) -> dict[str, str]:
    return {"source_thread_id": str(source), "target_thread_id": str(target)}


def _place(thread: str, namespace: str, checkpoint: str) -> RunnableConfig:
    return {
        "configurable": {
            "thread_id": thread,
            "checkpoint_ns": namespace,
            "checkpoint_id": checkpoint,
        }
    }


def _config(config: RunnableConfig, checkpoint: str) -> RunnableConfig:
    named = _thread(config)
    return _place(named["thread_id"], named["checkpoint_ns"], checkpoint)
