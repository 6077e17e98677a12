"""Docstrings that are shown to users, also where Python strips them (``-OO``, ``PYTHONOPTIMIZE=2``)."""

from __future__ import annotations

import sys
from typing import Any


def docstring(module: Any, function: str | None = None) -> str:
    """The docstring of ``module`` or of a function at its top; empty when it has none, or there is no source.

    >>> import ovgather
    >>> docstring(ovgather).partition(":")[0]
    'ovgather'
    """
    if sys.flags.optimize < 2:
        return (getattr(module, function) if function else module).__doc__ or ""
    import ast
    import inspect

    try:
        tree: ast.AST = ast.parse(inspect.getsource(module))
    except OSError:
        return ""
    for node in ast.iter_child_nodes(tree) if function else ():
        if isinstance(node, ast.FunctionDef) and node.name == function:
            tree = node
    return ast.get_docstring(tree, clean=False) or ""  # type: ignore[arg-type]
