"""Results as text: the formats of a verb in a file, or in a folder, which is listed: ``validate/sarif.py``.

- May know: every package below; a renderer reads results and changes none.
- A new file: ``<verb>.py`` with functions of the results and the options of the verb: ``lines(results)`` yields painted
  text without its line ends, ``document(results)`` returns what JSON is to say, ``suites(results)`` yields those of
  JUnit XML, and ``render(results)`` returns any other text; formats that are not text and JSON stand in ``_FORMATS``.
  A verb with longer renderers is a folder, ``<verb>/<format>.py`` with one of these functions. What ``lines`` and
  ``document`` yield is written while the results come, as each format of ``validate`` but ``junit`` and ``html`` has to
  be. Control characters in ``lines``, tabs as well, are replaced, but for a renderer that says ``ESCAPES = True``: it
  escapes them itself. What renderers share stands here; pictures in ``drawing/``. A page of HTML is made by ``page``: a
  renderer gives it records.
- Its tests: ``tests/report/<verb>/test_<format>.py``; a format of ``validate`` also needs a branch in ``named_in`` of
  ``tests/report/test_validate_formats.py``, and a row in ``docs/ci.md``.
- Enters: the results of a verb. Leaves: text, which the command line prints or writes.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from ovgather.text import presentable, unpainted

_FORMATS = {
    "conformance": ["html", "json", "junit", "text"],
    "diff": ["html", "json", "text"],
    "inspect": ["json", "jsonl", "text"],
    "show": ["html", "text"],
    "survey": ["html", "json", "jsonl", "text"],
}
_ALSO = {"validate": ["jsonl"]}
"""Formats that a folder has no file for: ``jsonl`` is what ``document`` says, a line for each file."""
_AS_JSON = {"jsonl": "json"}
_FORMS = {"text": "lines", "json": "document", "junit": "suites"}


def formats(what: str) -> list[str]:
    """The formats of the verb ``what``, none where it has neither a folder nor a module."""
    modules = iter_modules([f"{folder}/{what}" for folder in __path__])
    names = sorted(
        [name for _, name, _ in modules if not name.startswith("_")]
        + _ALSO.get(what, [])
    )
    return names or (
        _FORMATS.get(what, ["json", "text"])
        if find_spec(f"{__name__}.{what}") is not None
        else []
    )


def render(what: str, format: str, results: Iterable[object], **options: object) -> str:
    """``results`` of the verb ``what`` as text in ``format``."""
    return "".join(pieces(what, format, results, **options))


def pieces(
    what: str,
    format: str,
    results: Iterable[object],
    color: object = False,
    **options: object,
) -> Iterator[str]:
    """The same text piece by piece, each as soon as its results are there, if the format can be written so."""
    renderer = import_module(f"{__name__}.{what}")
    if hasattr(renderer, "__path__"):
        renderer = import_module(f"{__name__}.{what}.{_AS_JSON.get(format, format)}")
    if format in _AS_JSON:
        from ovgather.report.json_text import by_line

        yield from by_line(renderer.document(results, **options))
        return
    forms = [form for form in (*_FORMS.values(), "render") if hasattr(renderer, form)]
    if len(forms) > 1:
        form = _FORMS.get(format, "render")
    else:
        form = forms[0]
    if form == "lines":
        present = str if hasattr(renderer, "ESCAPES") else presentable
        for line in renderer.lines(results, **options):
            yield f"{present(line if color else unpainted(line))}\n"
    elif form == "document":
        from ovgather.report.json_text import stream

        yield from stream(renderer.document(results, **options))
        yield "\n"
    elif form == "suites":
        from ovgather.report.junit import text

        yield from text(renderer.suites(results, **options))
    else:
        yield renderer.render(results, **options)
