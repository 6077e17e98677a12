"""The rules of ``validate``: one module a rule, found by listing this package.

A rule module has a docstring (its page), ``RULE``, which says its code, its title and what its findings can be, and
``check(file)``, which yields diagnostics. The rules for ONNX files are in the folder ``onnx``.
"""

from __future__ import annotations

from collections.abc import Iterable
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


def rooms_of(rule: object) -> list[str]:
    """The folder and the module of a rule.

    >>> rooms_of(rules()[0])
    ['document', 'unreadable']
    """
    return str(vars(rule)["__name__"]).split(".")[-2:]


def every() -> tuple[RuleModule[Any], ...]:
    """All rules, those for ONNX files too, in the order of their codes."""
    return tuple(sorted((*rules(), *onnx_rules()), key=lambda rule: rule.RULE.code))
