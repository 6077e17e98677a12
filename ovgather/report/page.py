"""The one shell of all HTML reports: a head with the verdict, then records that a reader filters, sorts and opens.

A renderer says what its records are; they travel as data, and the script beside this file draws them as one scrolls, so
that a page of many files opens at once. A page fetches nothing: its policy allows only its own style sheet and script.

>>> records = [PageRecord("error", ["m.xml"], [text("Why", "a <b>")])]
>>> view = View("Findings", "finding", ["File"], {"error": "bad"}, records)
>>> page = render(HtmlPage("Validation", "1 error", "bad", "1 file", [view]))
>>> "a \\\\u003cb>" in page, page.startswith("<!DOCTYPE html>")
(True, True)
"""

from __future__ import annotations

import json
import os
import platform
import shlex
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from ovgather.report.html_builder import Markup, element
from ovgather.runtimes.available import processor
from ovgather.text import printable

_HERE = Path(__file__)
Part = list[Any]
"""A part of what opens below a record: its kind, a heading, and what it shows; made by the functions below."""


class Cause(NamedTuple):
    """What several records have in common. ``kind``: ``bad`` where they are new, ``known`` where they are expected."""

    title: str
    kind: str
    about: str = ""


class PageRecord(NamedTuple):
    """One line: its status, a cell for each column, and the parts that open below it."""

    status: str
    cells: Sequence[str | int]
    parts: Sequence[Part] = ()
    cause: Cause | None = None


class View(NamedTuple):
    """Records of one kind, each called ``noun``.

    Attributes:
        statuses: the kind of each status, the gravest first: ``bad``, ``known``, ``good`` or ``quiet``.
        columns: their titles; the first is that of the file, or of what else a record is about.
    """

    title: str
    noun: str
    columns: Sequence[str]
    statuses: Mapping[str, str]
    records: Iterable[PageRecord]


class HtmlPage(NamedTuple):
    """A report.

    ``graphs`` are those that its parts draw, by their keys. ``first`` stands above the records, ``tables`` below.
    """

    title: str
    verdict: str
    kind: str
    summary: str
    views: Sequence[View]
    command: Sequence[str] = ()
    facts: Mapping[str, str] = {}
    graphs: Mapping[str, Any] = {}
    tables: Sequence[Markup] = ()
    first: Sequence[Part] = ()


def text(heading: str, words: str) -> Part:
    return ["text", heading, words]


def code(heading: str, lines: str) -> Part:
    return ["code", heading, lines]


def command(heading: str, words: Sequence[str]) -> Part:
    """A command to be copied."""
    return ["command", heading, shlex.join(words)]


def items(heading: str, texts: Sequence[str]) -> Part:
    """A list that is folded."""
    return ["items", heading, list(texts)]


def graph(heading: str, key: str, layer: str) -> Part:
    """The neighbourhood of ``layer`` in the graph ``key`` of the page."""
    return ["graph", heading, key, layer]


def table(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[str | int]]
) -> Markup:
    """A table that stands on the page; the first cell of each row heads it. Wide tables scroll."""
    lines = (
        element("tr", element("th", row[0], scope="row"), *map(_cell, row[1:]))
        for row in rows
    )
    columns = element("tr", *(element("th", head, scope="col") for head in heads))
    body = element(
        "table",
        element("caption", caption),
        element("thead", columns),
        element("tbody", *lines),
    )
    return element(
        "div", body, class_="scroll", role="group", tabindex="0", aria_label=caption
    )


def _cell(content: str | int) -> Markup:
    return element("td", content, class_="number" if isinstance(content, int) else None)


def environment() -> dict[str, str]:
    """Versions, processor and system; nothing of it names the machine or its user."""
    from ovgather import __version__

    versions = {"ovgather": __version__}
    for package in ("openvino", "onnx", "onnxruntime", "torch", "numpy", "ml_dtypes"):
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    system = f"{platform.system()} {platform.release()} ({platform.machine()})"
    return {
        **versions,
        "Python": python,
        "CPU": f"{processor()}, {os.cpu_count() or 1} cores",
        "OS": system,
    }


def date() -> str:
    """The time of the report, or that of SOURCE_DATE_EPOCH, with which a page is the same each time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isdigit():
        now = datetime.fromtimestamp(int(epoch), timezone.utc)
    else:
        now = datetime.now(timezone.utc)
    return f"{now:%Y-%m-%d %H:%M} UTC"


def render(page: HtmlPage) -> str:
    """The whole page."""
    style = _HERE.with_suffix(".css").read_text(encoding="utf-8")
    script = _HERE.with_suffix(".js").read_text(encoding="utf-8")
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element(
            "meta",
            http_equiv="Content-Security-Policy",
            content=f"{policy}; form-action 'none'",
        ),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{page.title}: {page.verdict}"),
        element("style", Markup(style)),
    )
    more = (
        element("section", element("h2", "More"), *page.tables) if page.tables else ""
    )
    noscript = element(
        "noscript",
        element(
            "p", "The records are drawn by a script, which this browser does not run."
        ),
    )
    body = element(
        "body",
        element("a", "Skip to the records", class_="skip", href="#main"),
        _head(page),
        element("main", noscript, element("div", id="views"), more, id="main"),
        element("script", Markup(_data(page)), type="application/json", id="data"),
        element("script", Markup(script)),
    )
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en")


def _head(page: HtmlPage) -> Markup:
    """Verdict and summary; what the report was made with is folded but for the most telling."""
    facts = {"Date": date(), **environment(), **page.facts}
    first = [*page.facts, "ovgather", "openvino", "Date"]
    line = " · ".join(
        facts[name] if name == "Date" else f"{name} {facts[name]}"
        for name in first
        if name in facts
    )
    rows = (
        Markup(element("dt", name) + element("dd", value))
        for name, value in facts.items()
    )
    made = []
    if page.command:
        made = [
            element("p", "Made by"),
            element("pre", element("code", shlex.join(page.command))),
        ]
    return element(
        "header",
        element("h1", page.title),
        element(
            "p",
            element("strong", page.verdict, class_=page.kind),
            element("span", page.summary),
            class_="verdict",
        ),
        element(
            "details",
            element("summary", line),
            element("dl", *rows),
            *made,
            class_="facts",
        ),
    )


def _data(page: HtmlPage) -> str:
    views = []
    for view in page.views:
        statuses = list(view.statuses)
        causes = dict[Cause, int]()
        records = []
        for record in view.records:
            if record.cause is None:
                cause = -1
            else:
                cause = causes.setdefault(record.cause, len(causes))
            records.append(
                [
                    statuses.index(record.status),
                    cause,
                    list(record.cells),
                    list(record.parts),
                ]
            )
        kinds = [[name, kind] for name, kind in view.statuses.items()]
        names = {"title": view.title, "noun": view.noun, "columns": list(view.columns)}
        views.append(
            {
                **names,
                "statuses": kinds,
                "causes": [list(cause) for cause in causes],
                "records": records,
            }
        )
    data = json.dumps(
        _printable({"first": page.first, "views": views, "graphs": page.graphs}),
        separators=(",", ":"),
    )
    # Which a CI may take for a command.
    return data.replace("<", "\\u003c").replace("##", "#\\u0023")


def _printable(value: Any) -> Any:
    """``value`` with all its texts fit to be shown; lines stay lines."""
    if isinstance(value, str):
        if value.isprintable():
            return value
        return "\n".join(map(printable, value.split("\n")))
    if isinstance(value, Mapping):
        return {key: _printable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_printable(item) for item in value]
    return value


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
