"""The architecture: packages import only packages below them, no circles, small folders; lazy imports count as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LEVELS = (
    {"errors", "text", "processes", "schemas"},
    {"tensor", "files"},
    {"ops", "ir"},
    {"onnx_file", "targets", "forward"},
    {"layers"},
    {"runtimes"},
    {"validation"},
    {"comparison"},
    {"verbs"},
    {"report"},
    {"testing", "cli"},
)
LOOSE = {"__main__.py", "errors.py", "processes.py", "text.py"}
MOST_MODULES = 16
OPERATION_QUESTIONS = 25
"""Tests of an operation's name, type, version or axis outside ``ops``; facts belong on the operation."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its name."""
    found = {}
    for folder, package in (
        (ROOT / "ovgather", "ovgather"),
        (ROOT / "cli", "ovgather.cli"),
    ):
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join((package, *parts)).removesuffix(".__init__")] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports() -> dict[str, set[str]]:
    """The modules of the package that each module imports anywhere in its text."""
    return {
        name: set(_imported(path)) - {name, "ovgather"}
        for name, path in modules().items()
    }


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules())
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in modules():
                    yield whole
                elif node.module in modules():
                    yield str(node.module)


def package(module: str) -> str:
    """The package that a module is in; empty for ``ovgather`` itself."""
    return (
        module.split(".")[1] if "." in module and module != "ovgather.__main__" else ""
    )


def level(module: str) -> int:
    """The level of its package."""
    return next(
        number for number, packages in enumerate(LEVELS) if package(module) in packages
    )


def test_every_package_has_a_level() -> None:
    packages = {package(name) for name in modules()} - {""}
    assert packages <= set().union(*LEVELS)
    assert {path.name for path in (ROOT / "ovgather").glob("*.py")} - {
        "__init__.py"
    } == LOOSE


def test_packages_import_only_packages_below_them() -> None:
    upward = [
        f"{name} -> {target}"
        for name, targets in imports().items()
        for target in targets
        if package(name)
        and package(name) != package(target)
        and level(target) >= level(name)
    ]
    assert sorted(upward) == []


def test_no_circle_of_files() -> None:
    left = {
        name: set(targets) for name, targets in imports().items() if name != "ovgather"
    }
    while ends := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in ends:
            del left[name]
    assert sorted(left) == []


def test_rules_import_no_rule() -> None:
    prefix = "ovgather.validation.rules."
    rules = {
        name
        for name, path in modules().items()
        if name.startswith(prefix) and "\nRULE = " in path.read_text()
    }
    assert len(rules) > 60
    assert [
        f"{name} -> {target}" for name in rules for target in imports()[name] & rules
    ] == []


def test_private_modules_stay_in_their_folder() -> None:
    outside = []
    for name, targets in imports().items():
        for target in targets:
            parts = target.split(".")
            for index, part in enumerate(parts):
                folder = ".".join(parts[:index])
                if part.startswith("_") and not f"{name}.".startswith(f"{folder}."):
                    outside.append(f"{name} -> {target}")
    assert outside == []


@pytest.mark.parametrize("top", ["ovgather", "cli"])
def test_no_folder_is_full(top: str) -> None:
    folders = {path.parent for path in (ROOT / top).rglob("*.py")}
    counts = {str(folder): len([*folder.glob("*.py")]) for folder in folders}
    assert {
        folder: count for folder, count in counts.items() if count > MOST_MODULES
    } == {}


def test_packages_say_what_they_are() -> None:
    for name in set().union(*LEVELS[1:]):
        path = modules()[f"ovgather.{name}"]
        page = ast.get_docstring(tree(path)) or ""
        missing = [
            word
            for word in ("May know", "A new file", "Enters", "Leaves")
            if word not in page
        ]
        assert not missing, f"{name}/__init__.py does not say: {missing}"


def test_operations_are_asked_for_facts_not_for_their_names() -> None:
    fields = {"name", "type", "version", "axis_from"}
    asked = []
    for name, path in modules().items():
        if package(name) == "ops":
            continue
        for node in ast.walk(tree(path)):
            sides = (
                [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            )
            for side in sides:
                owner = (
                    side.value
                    if isinstance(side, ast.Attribute) and side.attr in fields
                    else None
                )
                if getattr(owner, "attr", getattr(owner, "id", "")) == "operation":
                    asked.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert len(asked) <= OPERATION_QUESTIONS, "\n".join(asked)
