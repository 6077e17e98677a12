"""Finds the operations of a folder: every file in it whose name ends in a version is one."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ovgather.ops.operation import Operation


def load(package: str, path: Iterable[str]) -> tuple[Operation, ...]:
    """The ``OPERATION`` of every file of a package, by type and version."""
    names = [entry.name for entry in iter_modules(path) if not entry.ispkg and entry.name[-1].isdigit()]
    found: list[Operation] = []
    for name in names:
        module = import_module(f"{package}.{name}")
        found.append(module.OPERATION)
        if not module.OPERATION.page:
            from ovgather.text import docstring

            module.OPERATION.page = docstring(module)  # under -OO there is no ``__doc__``
    return tuple(sorted(found, key=lambda operation: (operation.type, operation.version)))
