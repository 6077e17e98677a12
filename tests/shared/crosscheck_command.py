"""The command ``ovgather crosscheck``, and a file for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from crosscheck_models import Files, gather_model

from ovgather.cli.main import run

GOOD = gather_model("GatherElements", "opset6", ("f32", [2, 3]), ("i64", [2, 5]), 1)


def put(folder: Path, name: str, files: Files) -> str:
    path = folder / f"{name}.xml"
    path.write_bytes(files[0])
    path.with_suffix(".bin").write_bytes(files[1])
    return str(path)


def crosscheck(capfdbinary: Any, *arguments: str) -> tuple[int, str, str]:
    code = run(["crosscheck", "--variants", "none", *arguments])
    said = capfdbinary.readouterr()
    return code, said.out.decode(), said.err.decode()
