"""Results as text: one renderer a file, found by listing. ``validate/sarif.py`` serves ``validate --format sarif``.

- May know: every room below; a renderer reads results and changes none.
- A new file: ``<verb>/<format>.py`` with ``render(results, **options) -> str``, or with ``pieces``, which yields the
  text while the results come. What renderers share stands here; pictures of a gather in ``drawing/``.
- Enters: the results of a verb. Leaves: text, which the command line prints or writes.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules


def formats(what: str) -> list[str]:
    """The formats of the verb ``what``, none where it has no folder."""
    folders = [f"{folder}/{what}" for folder in __path__]
    return sorted(name for _, name, _ in iter_modules(folders) if not name.startswith("_"))


def render(what: str, format: str, results: Iterable[object], **options: object) -> str:
    """``results`` of the verb ``what`` as text in ``format``."""
    return "".join(pieces(what, format, results, **options))


def pieces(what: str, format: str, results: Iterable[object], **options: object) -> Iterator[str]:
    """The same text piece by piece, each as soon as its results are there, if the format can be written so."""
    renderer = import_module(f"{__name__}.{what}.{format}")
    if hasattr(renderer, "pieces"):
        yield from renderer.pieces(results, **options)
    else:
        yield renderer.render(results, **options)
