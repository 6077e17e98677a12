"""The names of the package: told once for Python and once for type checkers, and never replaced by a package."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import ovgather


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(ovgather.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    found = {
        name.asname: node.module
        for node in imports
        for name in node.names
        if (node.module or "").startswith("ovgather.")
    }
    assert found == ovgather._WHERE


def test_every_name_is_there() -> None:
    for name, module in ovgather._WHERE.items():
        assert getattr(ovgather, name) is getattr(import_module(module), name)
    assert dir(ovgather) == sorted(ovgather.__all__)


def test_no_room_hides_a_function() -> None:
    packages = {
        path.parent.name
        for path in Path(ovgather.__file__).parent.glob("*/__init__.py")
    }
    assert not packages & set(ovgather.__all__)
    code = "import ovgather, ovgather.comparison.entry; assert callable(ovgather.crosscheck), ovgather.crosscheck"
    subprocess.run([sys.executable, "-c", code], check=True)
