"""Results as text: one renderer a file, found by listing. ``validate/sarif.py`` serves ``validate --format sarif``.

- May know: every room below; a renderer reads results and changes none.
- A new file: ``<verb>/<format>.py`` with one function of the results and the options of the verb: ``lines(results,
  color)`` yields text without its line ends, ``document(results)`` returns what JSON is to say, ``suites(results)``
  yields those of JUnit XML, and ``render(results)`` returns any other text. A verb with text and JSON only may be one
  file, ``<verb>.py`` with ``lines`` and ``document``. What is yielded is written while the results come. What renderers
  share stands here; pictures of a gather in ``drawing/``; the script of a page beside it.
- Enters: the results of a verb. Leaves: text, which the command line prints or writes.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules


def formats(what: str) -> list[str]:
    """The formats of the verb ``what``, none where it has neither a folder nor a module."""
    modules = iter_modules([f"{folder}/{what}" for folder in __path__])
    names = sorted(name for _, name, _ in modules if not name.startswith("_"))
    return names or ["json", "text"] * (find_spec(f"{__name__}.{what}") is not None)


def render(what: str, format: str, results: Iterable[object], **options: object) -> str:
    """``results`` of the verb ``what`` as text in ``format``."""
    return "".join(pieces(what, format, results, **options))


def pieces(
    what: str, format: str, results: Iterable[object], color: object = False, **options: object
) -> Iterator[str]:
    """The same text piece by piece, each as soon as its results are there, if the format can be written so."""
    renderer = import_module(f"{__name__}.{what}")
    if hasattr(renderer, "__path__"):
        renderer = import_module(f"{__name__}.{what}.{format}")
    if hasattr(renderer, "lines") and format != "json":
        for line in renderer.lines(results, color, **options):
            yield f"{line}\n"
    elif hasattr(renderer, "document"):
        from ovgather.report.json_text import stream

        yield from stream(renderer.document(results, **options))
        yield "\n"
    elif hasattr(renderer, "suites"):
        from ovgather.report.junit import text

        yield from text(renderer.suites(results, **options))
    else:
        yield renderer.render(results, **options)
