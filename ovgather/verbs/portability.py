"""Where ONNX, IR and their runtimes differ on the Gather family: what ``ovgather explain portability`` prints."""

import json
from pathlib import Path

_TABLE = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
COLUMNS: list[str] = _TABLE["columns"]
MEASURED: str = _TABLE["measured"]
ROWS: dict[str, list[str]] = _TABLE["rows"]
"""Cases, each with a cell a column, empty where no difference is known. The tests measure those of runtimes again."""


def text() -> str:
    """The table, each case with a line for each column that is not empty."""
    lines = [
        "Where ONNX and IR differ on Gather, GatherElements and GatherND, and what runtimes make of it",
        f"({MEASURED}).",
    ]
    width = max(map(len, COLUMNS))
    for case, cells in ROWS.items():
        lines += ["", case]
        lines += [
            f"    {name:<{width}}  {text}"
            for name, text in zip(COLUMNS, cells, strict=True)
            if text
        ]
    more = (
        "`ovgather validate` notes in an ONNX file what differs, `--select OVG,OVG851` "
        "in an IR what ONNX does not have"
    )
    return "\n".join(
        [*lines, "", f"{more}, and `ovgather convert` makes the one of the other.", ""]
    )
