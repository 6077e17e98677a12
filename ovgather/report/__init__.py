"""One renderer a file: findings in, text out. A renderer that is named ``<what>_<format>`` serves ``--format
<format>`` of a verb."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules


def formats(what: str) -> list[str]:
    """The formats there are for ``what``: the renderers are found by listing this package.

    >>> formats("infer")
    ['json', 'text']
    """
    prefix = f"{what}_"
    return sorted(name.removeprefix(prefix) for _, name, _ in iter_modules(__path__) if name.startswith(prefix))


def render(what: str, format: str, results: Iterable[object], **options: object) -> str:
    """``results`` of the verb ``what`` as text in ``format``."""
    renderer = import_module(f"{__name__}.{what}_{format}")
    text: str = renderer.render(results, **options)
    return text
