"""Drives Bygone's memory tool as the SDK's tool runner does, and compares it with the SDK's own one for files on a disk.

The server is named by BYGONE_URL, a key it may want by BYGONE_KEY. No model is asked: commands are what a model would send.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import uuid
from typing import Any

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool
from bygone_adapters.memory_tool import AsyncBygoneMemoryTool, BygoneMemoryTool

# Commands in an order in which each has something to work on.
COMMANDS: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": "/memories/none.md"},
    {"command": "create", "path": "/memories/todo.md", "file_text": "one\ntwo\nthree\ntwo\n"},
    {"command": "create", "path": "/memories/todo.md", "file_text": "again"},
    {"command": "create", "path": "/memories/notes/deep/er/x.md", "file_text": "x" * 1536},
    {"command": "create", "path": "/memories/notes/empty.md", "file_text": ""},
    {"command": "create", "path": "/memories/.hidden.md", "file_text": "x"},
    {"command": "create", "path": "/memories/Grüße und mehr.md", "file_text": "Zürich\r\nBern\r\n"},
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": "/memories/notes"},
    {"command": "view", "path": "/memories/todo.md"},
    {"command": "view", "path": "/memories/todo.md", "view_range": [2, 3]},
    {"command": "view", "path": "/memories/todo.md", "view_range": [3, -1]},
    {"command": "view", "path": "/memories/todo.md", "view_range": [0, 99]},
    {"command": "view", "path": "/memories/todo.md", "view_range": [9, 12]},
    {"command": "view", "path": "/memories/notes/empty.md"},
    {"command": "view", "path": "/memories/Grüße und mehr.md"},
    {"command": "str_replace", "path": "/memories/todo.md", "old_str": "one", "new_str": "1\n1½"},
    {"command": "str_replace", "path": "/memories/todo.md", "old_str": "two", "new_str": "2"},
    {"command": "str_replace", "path": "/memories/todo.md", "old_str": "seven", "new_str": "7"},
    {"command": "str_replace", "path": "/memories/none.md", "old_str": "x", "new_str": "y"},
    {"command": "insert", "path": "/memories/todo.md", "insert_line": 0, "insert_text": "zero\n\n"},
    {"command": "insert", "path": "/memories/todo.md", "insert_line": 6, "insert_text": "last"},
    {"command": "insert", "path": "/memories/todo.md", "insert_line": 99, "insert_text": "x"},
    {"command": "insert", "path": "/memories/todo.md", "insert_line": -1, "insert_text": "x"},
    {"command": "insert", "path": "/memories/notes/empty.md", "insert_line": 0, "insert_text": "first"},
    {"command": "insert", "path": "/memories/none.md", "insert_line": 0, "insert_text": "x"},
    {"command": "view", "path": "/memories/todo.md"},
    {"command": "rename", "old_path": "/memories/todo.md", "new_path": "/memories/done/all.md"},
    {"command": "rename", "old_path": "/memories/todo.md", "new_path": "/memories/x.md"},
    {"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/done/all.md"},
    {"command": "rename", "old_path": "/memories/notes", "new_path": "/memories/kept"},
    {"command": "view", "path": "/memories"},
    {"command": "delete", "path": "/memories/done/none.md"},
    {"command": "delete", "path": "/memories/kept"},
    {"command": "delete", "path": "/memories"},
    {"command": "view", "path": "/memories/kept"},
    {"command": "view", "path": "/memories"},
]

# What is no path under /memories, however it is written.
OUTSIDE = [
    "/etc/passwd", "/memories/../../etc/passwd", "/memories/a/../../b", "/memories/%2e%2e/b", "/memories/..%2fb",
    "/memories/%252e%252e/b", "/memories/..\\b", "/memories/\uff0e\uff0e/b", "/memories/\u2025/b",
    "/memories/a\u2215..\u2215b", "/memories/a\u202eb", "/memories/a\x00b", "/memoriesx/a",
]


def answer(tool: Any, command: dict[str, Any]) -> tuple[str, bool]:
    """Returns what the model is told, and whether the tool raised it."""
    try:
        return tool.call(command), False
    except ToolError as error:
        return str(error), True


def plain(text: str) -> str:
    """Leaves out what the documentation words otherwise than the SDK's own tool, and the sizes of folders on a disk."""
    text = text.removeprefix("Error: ")
    text = text.replace("excluding hidden items and node_modules:", "excluding hidden items:")
    text = text.replace("the range of lines of the file: [", "the range [").removesuffix(".")
    text = text.removesuffix(". Please provide a valid path")
    lines = text.split("\n")
    if lines[0].startswith("Here're the files"):
        names = [line.partition("\t") for line in lines[1:]]
        folders = {name for _, _, name in names if name.endswith("/")} | {names[0][2]}
        lines[1:] = [name if name in folders else f"{size}\t{name}" for size, _, name in names]
    return "\n".join(lines)


def make(kind: Any = BygoneMemoryTool) -> Any:
    """Returns a tool in a space of its own."""
    return kind(
        os.environ["BYGONE_URL"], space=f"memory-{uuid.uuid4().hex}", key=os.environ.get("BYGONE_KEY")
    )


def compared() -> None:
    """Both tools say the same, save for what the documentation words otherwise."""
    tool = make()
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    with tempfile.TemporaryDirectory() as folder:
        files = BetaLocalFilesystemMemoryTool(folder)
        for command in COMMANDS:
            ours, theirs = answer(tool, command), answer(files, command)
            assert (plain(ours[0]), ours[1]) == (plain(theirs[0]), theirs[1]), (command, ours, theirs)
    for path in OUTSIDE:
        for command in (
            {"command": "view", "path": path},
            {"command": "create", "path": path, "file_text": "x"},
            {"command": "rename", "old_path": "/memories/done/all.md", "new_path": path},
        ):
            told, is_error = answer(tool, command)
            assert is_error and told.startswith("Error: Path"), (command, told)
    tool.close()


def past() -> None:
    """Every overwrite, rename and delete can be seen as of then."""
    tool = make()
    path = "/memories/home.md"
    for command in (
        {"command": "create", "path": path, "file_text": "Berlin"},
        {"command": "str_replace", "path": path, "old_str": "Berlin", "new_str": "Zurich"},
        {"command": "rename", "old_path": path, "new_path": "/memories/moved.md"},
        {"command": "delete", "path": "/memories/moved.md"},
    ):
        tool.call(command)
    history = tool.history(path)
    assert [row["text"] for row in history] == ["Berlin", "Zurich", None], history
    assert tool.view_as_of(path, known=history[0]["known"]).endswith("\tBerlin")
    assert tool.view_as_of(path, recorded=history[1]["recorded"]).endswith("\tZurich")
    assert "moved.md" in tool.view_as_of(recorded=history[2]["recorded"])
    assert tool.erase("/memories")["found"] == []
    assert tool.history(path) == []
    tool.close()


async def without_blocking() -> None:
    """The async tool does the same, and a model that asks for many things at a time loses none."""
    tool = make(AsyncBygoneMemoryTool)
    assert (await tool.call({"command": "view", "path": "/memories"})).endswith("0B\t/memories")
    path = "/memories/log.md"
    await tool.call({"command": "create", "path": path, "file_text": ""})
    await asyncio.gather(*(
        tool.call({"command": "insert", "path": path, "insert_line": 0, "insert_text": f"line {n}"})
        for n in range(20)
    ))
    seen = await tool.call({"command": "view", "path": path})
    assert all(f"\tline {n}\n" in seen for n in range(20)), seen
    await tool.aclose()


def main() -> None:
    compared()
    print(f"memory tool: {len(COMMANDS)} commands as the SDK's own tool, {len(OUTSIDE)} paths refused")
    past()
    asyncio.run(without_blocking())
    print("memory tool: the past, and many commands at a time")


if __name__ == "__main__":
    main()
