"""Runs the Python blocks of docs/integrations.md against the server that BYGONE_URL names."""

from __future__ import annotations

import os
import pathlib
import re

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "integrations.md"


def main() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    assert blocks, "the page has blocks to run"
    for number, block in enumerate(blocks, 1):
        code = block.replace("http://127.0.0.1:7461", os.environ["BYGONE_URL"])
        exec(compile(code, f"{PAGE.name}, block {number}", "exec"), {"__name__": "block"})
    print(f"documents: {len(blocks)} blocks of {PAGE.name}")


if __name__ == "__main__":
    main()
