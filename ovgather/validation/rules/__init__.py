"""The rules of ``validate``: one module a rule, found by listing this package.

A rule module has a docstring (its page), ``CODE``, ``TITLE``, the ``SEVERITIES`` and ``VERDICTS`` that its findings can
have, worst first, and ``check(file)``, which yields diagnostics. ``FIXES`` of a rule whose findings may have fixes says
which: ``safe`` or ``unsafe`` ones. The rules for ONNX files are in the folder ``onnx``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol

from ovgather.validation.checked import Counted
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic

if TYPE_CHECKING:
    from ovgather.validation.rules.onnx import OnnxRule


class Rule(Protocol):
    """A rule module."""

    CODE: str
    TITLE: str
    SEVERITIES: tuple[str, ...]
    VERDICTS: tuple[str, ...]
    __doc__: str | None

    def check(self, file: File) -> Iterable[Diagnostic | Counted]:
        """The findings of this rule in ``file``; while ``file.counting``, their number is enough."""


@cache
def rules() -> tuple[Rule, ...]:
    """All rules in the order of their codes.

    >>> [rule.CODE for rule in rules()][:2]
    ['OVG001', 'OVG002']
    """
    groups = [name for _, name, _ in iter_modules(__path__) if name != "onnx"]
    modules: list[Rule] = [
        import_module(f"{__name__}.{group}.{name}")
        for group in groups
        for _, name, _ in iter_modules([f"{folder}/{group}" for folder in __path__])
    ]
    return tuple(sorted(modules, key=lambda rule: rule.CODE))


def every() -> tuple[Rule | OnnxRule, ...]:
    """All rules, those for ONNX files too, in the order of their codes."""
    from ovgather.validation.rules import onnx

    return tuple(sorted((*rules(), *onnx.rules()), key=lambda rule: rule.CODE))
