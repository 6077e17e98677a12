"""The public surface: every name of ``ovgather``, with its arguments or its fields.

``python tools/generate_surface.py`` writes ``docs/surface.json``. ``--since REVISION`` instead prints what a user of
that revision misses now, and exits with 1 if there is anything: names, arguments and fields that are gone or moved.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ovgather

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "surface.json"
Surface = dict[str, dict[str, Any]]


def surface() -> Surface:
    """By name: the kind, the arguments with their defaults, and the members that have no underscore."""
    return {name: _facts(getattr(ovgather, name)) for name in sorted(ovgather.__all__)}


def _facts(value: Any) -> dict[str, Any]:
    if not inspect.isclass(value):
        return {"kind": "function", "arguments": _arguments(value)}
    members = {name for name in dir(value) if not name.startswith("_")}
    members |= {
        name for each in value.__mro__ for name in vars(each).get("__annotations__", ())
    }
    inherited = {
        name
        for base in (tuple, dict, list, str, Exception)
        if issubclass(value, base)
        for name in dir(base)
    }
    return {
        "kind": "class",
        "members": sorted(
            name for name in members - inherited if not name.startswith("_")
        ),
    }


def _arguments(function: Any) -> dict[str, str]:
    """How each argument is given, and its default."""
    arguments = {}
    for name, parameter in inspect.signature(function).parameters.items():
        default = (
            "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        )
        arguments[name] = (
            f"{'by name' if parameter.kind is parameter.KEYWORD_ONLY else 'in order'}{default}"
        )
    return arguments


def missing(old: Surface, new: Surface) -> Iterator[str]:
    """What somebody who uses ``old`` misses in ``new``."""
    for name, facts in old.items():
        if name not in new:
            yield f"{name} is gone"
            continue
        now = new[name]
        yield from (
            f"{name}.{each} is gone"
            for each in facts.get("members", ())
            if each not in now.get("members", ())
        )
        before, after = facts.get("arguments", {}), now.get("arguments", {})
        yield from (f"{name}({each}) is gone" for each in before if each not in after)
        order = [each for each, how in before.items() if how.startswith("in order")]
        if (
            order
            != [each for each, how in after.items() if how.startswith("in order")][
                : len(order)
            ]
        ):
            yield f"{name}: the arguments {', '.join(order)} are in another order, or are given by name only"
        yield from (
            f"{name}({each}) has no default"
            for each, how in after.items()
            if each not in before and "=" not in how
        )


def text() -> str:
    return json.dumps(surface(), indent=1, sort_keys=True) + "\n"


def main(arguments: list[str]) -> int:
    if arguments[:1] != ["--since"]:
        PAGE.write_text(text(), encoding="utf-8")
        return 0
    where = f"{arguments[1]}:{PAGE.relative_to(ROOT).as_posix()}"
    old = subprocess.run(
        ["git", "show", where], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if old.returncode:
        print(f"{arguments[1]} has no {PAGE.name}: there is nothing to compare with")
        return 0
    found = list(missing(json.loads(old.stdout), surface()))
    print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
