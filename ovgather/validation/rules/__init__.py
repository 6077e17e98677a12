"""The rules of ``validate``: one module a rule, found by listing this package.

A rule module has a docstring (its page), ``RULE``, which says its code, its title and what its findings can be, and
``check(file)``, which yields diagnostics. ``tools/generate_rules.py`` writes ``index.json``: a process imports only the
rules that can speak about its files, a third of them for most. The rules for ONNX files are in the folder ``onnx``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ovgather.validation.checked import Counted
from ovgather.validation.context import Diagnostic, File, Rule

if TYPE_CHECKING:
    from ovgather.validation.onnx.context import OnnxFile

Checks = TypeVar("Checks", contravariant=True)


class RuleModule(Protocol[Checks]):
    """The module of a rule for files of one format."""

    RULE: Rule
    __doc__: str | None

    def check(self, file: Checks) -> Iterable[Diagnostic | Counted]:
        """The findings of this rule in ``file``; while an IR file is ``counting``, their number is enough."""


@cache
def _index() -> list[tuple[str, str, str]]:
    """The rules for IR files in the order of their codes: the code, the module, and what a file needs."""
    path = os.path.join(os.path.dirname(__file__), "index.json")
    with open(path, encoding="utf-8") as file:
        return [
            (code, f"{__name__}.{name}", needs) for code, name, needs in json.load(file)
        ]


def rules_for(
    file: File, is_wanted: Callable[[str], object]
) -> Iterator[RuleModule[File]]:
    """The rules with a wanted code that can have findings in ``file``."""
    met = {"": True}
    for code, name, needs in _index():
        if not is_wanted(code):
            continue
        if needs not in met:
            met[needs] = file.has_any(needs.split())
        if met[needs]:
            module = _module(name)
            if module.RULE.of_snippets or not file.model.snippet:
                yield module


@cache
def _module(name: str) -> Any:
    return import_module(name)


@cache
def codes_of(folders: Container[str]) -> frozenset[str]:
    """The codes of the rules for IR files in folders, and of modules."""
    return frozenset(
        code
        for code, name, _ in _index()
        if any(part in folders for part in name.split("."))
    )


@cache
def rules() -> tuple[RuleModule[File], ...]:
    """All rules for IR files in the order of their codes.

    >>> [rule.RULE.code for rule in rules()][:2]
    ['OVG001', 'OVG002']
    """
    return _modules(__name__, __path__)


@cache
def onnx_rules() -> tuple[RuleModule[OnnxFile], ...]:
    """All rules for ONNX files in the order of their codes.

    >>> [rule.RULE.code for rule in onnx_rules()][:2]
    ['OVG801', 'OVG802']
    """
    return _modules(f"{__name__}.onnx", [f"{folder}/onnx" for folder in __path__])


def _modules(package: str, folders: Iterable[str]) -> tuple[Any, ...]:
    groups = [
        name
        for _, name, is_package in iter_modules(folders)
        if is_package and name != "onnx"
    ]
    modules: list[Any] = [
        import_module(f"{package}.{group}.{name}")
        for group in groups
        for _, name, _ in iter_modules([f"{folder}/{group}" for folder in folders])
    ]
    return tuple(sorted(modules, key=lambda module: module.RULE.code))


def every() -> tuple[RuleModule[Any], ...]:
    """All rules, those for ONNX files too, in the order of their codes."""
    return tuple(sorted((*rules(), *onnx_rules()), key=lambda rule: rule.RULE.code))
