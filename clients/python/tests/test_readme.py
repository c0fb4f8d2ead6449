"""What the README shows runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from conftest import Server

README = Path(__file__).parent.parent / "README.md"


def test_every_python_block_runs(server: Server) -> None:
    text = README.read_text()
    names: dict[str, Any] = {}
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert len(blocks) >= 4
    for block in blocks:
        # Blank lines before it make an error name the line of the README.
        lines = "\n" * text.count("\n", 0, block.start(1)) + block[1].replace("http://127.0.0.1:7461", server.url)
        exec(compile(lines, README, "exec"), names)
