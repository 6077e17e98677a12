"""A cross-check as one HTML file: tables of verdicts, and a drawing of what differs."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ovgather.crosscheck.disagreement import REFERENCE, disagreements
from ovgather.crosscheck.report import ALONE, FAILING, IN_PLACE, VERDICTS, FileReport, Record, Report
from ovgather.layers.reference import LayerReference, called
from ovgather.report.crosscheck._figures import figures
from ovgather.report.html_page import escape, page, table
from ovgather.text import count
from ovgather.verbs.environment import environment

_MOST_ARTICLES = 200
_OF_REDUCE = ("--inputs", "--weights", "--seed", "--device")


class Case(NamedTuple):
    """Records of one layer with the same verdict for the same reason; ``records[0]`` stands for them."""

    path: str
    records: list[Record]
    key: str


def render(
    results: Iterable[FileReport],
    color: bool = False,
    *,
    command: Sequence[str] = (),
    repeat: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> str:
    """All files on one page, which fetches nothing and runs nothing.

    Args:
        command: the command line that made the report.
        repeat: options that a command needs to repeat one run, besides file, layer, variant and runtime; an option
            without a value has an empty one.
        seed: of what was random.

    >>> render([FileReport("m.xml", ())]).startswith("<!DOCTYPE html>")
    True
    """
    report = Report(results)
    cases = _cases(report)
    sections = [_summary(report), *_files(report), *_differences(cases, repeat or {}), _environment(command, seed)]
    links = [
        f'<li><a href="#{case.key}">{escape(_words(case.records[0].layer))}: {_verdict(case.records[0])}</a></li>'
        for case in cases[:_MOST_ARTICLES]
    ]
    listed = f"<ul>{''.join(links)}</ul>" if links else "<p>Nothing differs.</p>"
    body = (
        '<a class="skip" href="#main">Skip to the report</a>\n'
        f"<header>\n<h1>Cross-check of Gather layers</h1>\n<p>{escape(_headline(report))}</p>\n</header>\n"
        f'<nav aria-labelledby="contents">\n<h2 id="contents">What to look at</h2>\n{listed}\n</nav>\n'
        f'<main id="main">\n{"".join(sections)}</main>\n'
    )
    return page(f"Cross-check: {_headline(report)}", body)


def _headline(report: Report) -> str:
    layers = sum(len(file.gathers) for file in report)
    counts = [f"{report.summary[verdict]} {verdict}" for verdict in VERDICTS if report.summary[verdict]]
    return f"{count(len(report.files), 'file')}, {count(layers, 'layer')}: {', '.join(counts) or 'nothing to check'}"


def _section(key: str, heading: str, content: str) -> str:
    return f'<section aria-labelledby="{key}">\n<h2 id="{key}">{escape(heading)}</h2>\n{content}</section>\n'


def _summary(report: Report) -> str:
    rows = [
        [
            f'<span class="verdict {_class(verdict)}">{verdict}</span>',
            f'<td class="number">{report.summary[verdict]}</td>',
        ]
        for verdict in VERDICTS
        if report.summary[verdict]
    ]
    content = table("How many runs ended how", ["Verdict", "Runs"], rows) if rows else "<p>Nothing was run.</p>\n"
    return _section("summary", "Summary", content + _disagreements(report))


def _disagreements(report: Report) -> str:
    """Each runtime and the reference, pair by pair; empty for one runtime alone."""
    names = [REFERENCE, *dict.fromkeys(record.against for record in report.records)]
    if len(names) < 3:
        return ""
    counts = disagreements(report.records)
    rows = []
    for row in names[:-1]:
        pairs = [counts.get((row, column)) for column in names[1:]]
        rows.append([escape(row), *(f"{pair[0]} of {pair[1]}" if pair else "" for pair in pairs)])
    caption = "Runs in which two disagree, of those that both answered"
    return table(caption, ["Between", *map(escape, names[1:])], rows)


def _class(verdict: str) -> str:
    return "failing" if verdict in FAILING else verdict


def _verdict(record: Record) -> str:
    return f'<span class="verdict {_class(record.verdict)}">{record.verdict}</span>'


def _words(layer: LayerReference) -> str:
    return called(layer)


def _files(report: Report) -> Iterable[str]:
    """The verdicts of each file: a table for each layer, open where something is to be seen."""
    for number, file in enumerate(report, 1):
        parts = [f"<p>It could not be read: {escape(file.error)}</p>\n"] if file.error else []
        for layer, records in groupby(file.layers, lambda record: record.layer):
            parts.append(_layer(layer, list(records)))
        content = "".join(parts) or "<p>It has no Gather layer.</p>\n"
        yield _section(f"file{number}", file.path, content)


def _layer(layer: LayerReference, records: list[Record]) -> str:
    runtimes = list(dict.fromkeys(_runtime(record) for record in records))
    variants: dict[str, dict[str, Record]] = {}
    for record in records:
        variants.setdefault(record.variant, {})[_runtime(record)] = record
    rows = []
    for variant, found in variants.items():
        cells = [_cell(found.get(runtime)) for runtime in runtimes]
        reasons = dict.fromkeys(record.reason for record in found.values() if record.reason)
        rows.append([escape(variant), *cells, f'<td class="wide">{escape("; ".join(reasons))}</td>'])
    counts = [f"{sum(record.verdict == verdict for record in records)} {verdict}" for verdict in VERDICTS]
    told = ", ".join(text for text in counts if not text.startswith("0 "))
    opened = " open" if any(record.verdict in FAILING for record in records) else ""
    words = _words(layer)
    inside = table(f"Variants of {words}", ["Variant", *map(escape, runtimes), "Why"], rows)
    return f"<details{opened}>\n<summary>{escape(words)}: {told}</summary>\n{inside}</details>\n"


def _runtime(record: Record) -> str:
    return f"{record.against} on {record.device}" if record.device else record.against


def _cell(record: Record | None) -> str:
    if record is None:
        return '<td class="quiet">not run</td>'
    wrong = record.outcome.mismatches
    some = f"<br>{wrong} of {record.outcome.elements} elements" if wrong else ""
    return f"<td>{_verdict(record)}{some}</td>"


def _cases(report: Report) -> list[Case]:
    """What is worth looking at: failures first, then known departures; the same reason at one layer once."""
    groups: dict[tuple[object, ...], list[Record]] = {}
    for file in report:
        for record in file.layers:
            if record.verdict in FAILING or record.verdict == "known":
                why = record.cause or record.reason
                groups.setdefault((file.path, record.layer, record.against, record.verdict, why), []).append(record)
    ordered = sorted(groups.items(), key=lambda item: item[0][3] == "known")
    return [
        Case(str(key[0]), sorted(records, key=_size), f"case{number}")
        for number, (key, records) in enumerate(ordered, 1)
    ]


def _size(record: Record) -> tuple[bool, int]:
    evidence = record.evidence
    return evidence is None, 0 if evidence is None else evidence.data.size + evidence.indices.size + evidence.got.size


def _differences(cases: list[Case], repeat: Mapping[str, str]) -> Iterable[str]:
    for key, heading, known in (("failures", "What fails", False), ("known", "Known departures", True)):
        mine = [case for case in cases[:_MOST_ARTICLES] if (case.records[0].verdict == "known") == known]
        if mine:
            yield _section(key, heading, "".join(_article(case, repeat) for case in mine))
    if len(cases) > _MOST_ARTICLES:
        yield f"<p>{len(cases) - _MOST_ARTICLES} more are left out; the tables above have them.</p>\n"


def _article(case: Case, repeat: Mapping[str, str]) -> str:
    record = case.records[0]
    outcome, first = record.outcome, record.outcome.first
    facts = [("File", escape(case.path)), ("Ran on", escape(_runtime(record)))]
    facts.append(("Variants", escape(", ".join(dict.fromkeys(each.variant for each in case.records)))))
    if record.cause:
        facts.append(("Cause", f"<code>{escape(record.cause)}</code>"))
    if record.reason:
        facts.append(("Why", escape(record.reason)))
    if outcome.mismatches:
        facts.append(("Differing", f"{outcome.mismatches} of {outcome.elements} elements"))
    if first is not None:
        at = ",".join(map(str, first.at))
        facts.append(
            (
                "First",
                f"at [{at}]: got <code>{escape(str(first.got))}</code>, want <code>{escape(str(first.want))}</code>",
            )
        )
    told = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in facts)
    drawing = figures(record.evidence, _words(record.layer), case.key) if record.evidence is not None else ""
    lines = "".join(
        f"<p>{what}:</p>\n<pre><code>{escape(shlex.join(line))}</code></pre>\n"
        for what, line in _commands(case.path, record, repeat)
    )
    heading = f"{escape(_words(record.layer))}: {_verdict(record)}"
    return (
        f'<article aria-labelledby="{case.key}">\n<h3 id="{case.key}">{heading}</h3>\n'
        f"<dl>{told}</dl>\n{drawing}{lines}</article>\n"
    )


def _commands(path: str, record: Record, options: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Commands that run this layer in this way once more, or make a reproducer of it."""
    layer = ["--layer", "/".join((*record.layer.body, f"#{record.layer.id}"))]
    # Without the whole model, inputs would be those of the layer.
    used = {name: value for name, value in options.items() if record.variant == IN_PLACE or name != "--inputs"}
    if record.variant == IN_PLACE:
        way = ["--mode", IN_PLACE]
    else:
        way = ["--mode", ALONE, "--variants", "none" if record.variant == ALONE else record.variant]
    command = ["ovgather", "crosscheck", path, *layer, *way, "--against", record.against]
    yield "To see it again", [*command, *_flat(used)]
    if record.verdict in FAILING and record.against == "openvino":
        small = {name: value for name, value in used.items() if name in _OF_REDUCE}
        yield "To make it small", ["ovgather", "reduce", path, *layer, "--variant", record.variant, *_flat(small)]


def _flat(options: Mapping[str, str]) -> list[str]:
    return [part for name, value in options.items() for part in (name, value) if part]


def _environment(command: Sequence[str], seed: int | None) -> str:
    facts = [(name, escape(text)) for name, text in environment().items()]
    if seed is not None:
        facts.append(("Seed", str(seed)))
    rows = [[escape(name), text] for name, text in facts]
    content = table("What this was run on", ["What", "Which"], rows)
    if command:
        content += f"<p>The command:</p>\n<pre><code>{escape(shlex.join(command))}</code></pre>\n"
    return _section("environment", "Environment", content)
