"""The rules of ``validate`` for ONNX files: one module a rule, as in the other folders, but ``check`` gets a model."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.validation.diagnostic import Diagnostic


class OnnxRule(Protocol):
    """A rule module."""

    CODE: str
    TITLE: str
    SEVERITIES: tuple[str, ...]
    VERDICTS: tuple[str, ...]
    __doc__: str | None

    def check(self, model: OnnxModel) -> Iterable[Diagnostic]:
        """The findings of this rule in ``model``."""


@cache
def rules() -> tuple[OnnxRule, ...]:
    """All rules in the order of their codes.

    >>> [rule.CODE for rule in rules()][:2]
    ['OVG801', 'OVG802']
    """
    groups = [entry.name for entry in iter_modules(__path__) if entry.ispkg]
    modules: list[OnnxRule] = [
        import_module(f"{__name__}.{group}.{name}")
        for group in groups
        for _, name, _ in iter_modules([f"{folder}/{group}" for folder in __path__])
    ]
    return tuple(sorted(modules, key=lambda rule: rule.CODE))
