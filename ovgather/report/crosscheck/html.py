"""A cross-check as one HTML file: tables of verdicts, and a drawing of what differs."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ovgather.crosscheck.report import (
    ALONE,
    FAILING,
    IN_PLACE,
    REFERENCE,
    VERDICTS,
    FileReport,
    Record,
    Report,
    disagreements,
)
from ovgather.layers.reference import LayerReference, called
from ovgather.report.crosscheck._environment import environment
from ovgather.report.crosscheck._figures import figures
from ovgather.report.crosscheck.text import summary, verdict_counts
from ovgather.report.html_builder import Markup, element, join, page, table
from ovgather.text import count

_MOST_ARTICLES = 200
_MANY = 20
"""From so many layers on, the page has a search."""
_SEARCH = """\
const files = [...document.querySelectorAll("section[aria-labelledby^=file]")];
const box = document.createElement("p"), label = document.createElement("label");
const input = document.createElement("input"), left = document.createElement("output");
input.type = "search";
label.append("Only layers with ", input);
box.append(label, " ", left);
files[0].before(box);
input.addEventListener("input", () => {
  const words = input.value.toLowerCase().split(/\\s+/);
  let shown = 0;
  for (const file of files) {
    const heading = file.querySelector("h2").textContent;
    const layers = [...file.querySelectorAll("details")];
    for (const layer of layers) {
      const text = `${heading} ${layer.textContent}`.toLowerCase();
      layer.hidden = !words.every(word => text.includes(word));
      shown += !layer.hidden;
    }
    file.hidden = layers.every(layer => layer.hidden);
  }
  left.textContent = `${shown} shown`;
});
"""
_OF_REDUCE = ("--inputs", "--weights", "--seed", "--device")


def render(
    results: Iterable[FileReport],
    color: bool = False,
    *,
    command: Sequence[str] = (),
    repeat: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> str:
    """All files on one page, which fetches nothing, and runs nothing but the search through many layers."""
    report = Report(results)
    articles = _cases(report)
    return page(
        f"Cross-check: {summary(report)}",
        element("a", "Skip to the report", class_="skip", href="#main"),
        element("header", element("h1", "Cross-check of Gather layers"), _banner(report)),
        _contents(articles[:_MOST_ARTICLES]),
        element(
            "main",
            _summary(report),
            *_files(report),
            *_differences(articles, repeat or {}),
            _environment(command, seed),
            id="main",
        ),
        script=_SEARCH if sum(1 for file in report for _ in _by_layer(file)) >= _MANY else "",
    )


def _banner(report: Report) -> Markup:
    """The verdict on all files, and the counts."""
    failing = {(file.path, record.layer) for file in report for record in file.layers if record.verdict in FAILING}
    unread = any(file.error for file in report)
    if failing or unread:
        parts = [count(len(failing), "layer") + (" fail" if len(failing) > 1 else " fails")] if failing else []
        words, kind = ", ".join(parts + ["a file cannot be read"] * unread), "failing"
    elif report.summary["equal"] or report.summary["known"]:
        words, kind = ("Nothing fails", "known") if report.summary["known"] else ("All is equal, bit by bit", "equal")
    else:
        words, kind = "Nothing was compared", "known"
    return element("p", element("strong", words, class_=kind), element("br"), summary(report), class_="banner")


def _contents(articles: list[_Case]) -> Markup:
    links = [element("li", element("a", *_heading(case.records[0]), href=f"#{case.key}")) for case in articles]
    items = element("ul", *links) if links else element("p", "Nothing differs.")
    return element("nav", element("h2", "What to look at", id="contents"), items, aria_labelledby="contents")


def _section(key: str, heading: str, *content: Markup) -> Markup:
    return element("section", element("h2", heading, id=key), *content, aria_labelledby=key)


def _verdict(verdict: str) -> Markup:
    return element("span", verdict, class_=f"verdict {'failing' if verdict in FAILING else verdict}")


def _heading(record: Record) -> tuple[str, str, Markup]:
    return called(record.layer), ": ", _verdict(record.verdict)


def _code(line: str) -> Markup:
    return element("pre", element("code", line))


def _summary(report: Report) -> Markup:
    numbers = {verdict: report.summary[verdict] for verdict in VERDICTS if report.summary[verdict]}
    rows = [(_verdict(name), element("td", str(number), class_="number")) for name, number in numbers.items()]
    counts = table("How many runs ended how", ["Verdict", "Runs"], rows) if rows else element("p", "Nothing was run.")
    return _section("summary", "Summary", counts, *_disagreements(report))


def _disagreements(report: Report) -> Iterator[Markup]:
    """Each runtime and the reference, pair by pair; nothing for one runtime alone."""
    names = [REFERENCE, *dict.fromkeys(record.against for record in report.records)]
    if len(names) < 3:
        return
    counts = disagreements(report.records)
    rows = []
    for row in names[:-1]:
        pairs = [counts.get((row, column)) for column in names[1:]]
        rows.append([row, *(f"{pair[0]} of {pair[1]}" if pair else "" for pair in pairs)])
    yield table("Disagreements of two runtimes, out of the runs that both answered", ["Between", *names[1:]], rows)


def _files(report: Report) -> Iterator[Markup]:
    for number, file in enumerate(report, 1):
        parts = [element("p", f"It could not be read: {file.error}")] if file.error else []
        parts += [_layer(layer, list(group)) for layer, group in _by_layer(file)]
        yield _section(f"file{number}", file.path, *(parts or [element("p", "It has no Gather layer.")]))


def _by_layer(file: FileReport) -> Iterator[tuple[LayerReference, Iterator[Record]]]:
    return groupby(file.layers, lambda record: record.layer)


def _layer(layer: LayerReference, records: list[Record]) -> Markup:
    runtimes = list(dict.fromkeys(map(_runtime, records)))
    variants: dict[str, dict[str, Record]] = {}
    for record in records:
        variants.setdefault(record.variant, {})[_runtime(record)] = record
    rows = []
    for variant, runs in variants.items():
        reasons = dict.fromkeys(record.reason for record in runs.values() if record.reason)
        why = element("td", "; ".join(reasons), class_="wide")
        rows.append([variant, *(_cell(runs.get(name)) for name in runtimes), why])
    counts = Counter(record.verdict for record in records)
    return element(
        "details",
        element("summary", f"{called(layer)}: {verdict_counts(counts)}"),
        element("p", "In a command: ", element("code", shlex.join(_option(layer)))),
        table(f"Variants of {called(layer)}", ["Variant", *runtimes, "Why"], rows),
        open="" if any(verdict in FAILING for verdict in counts) else None,
    )


def _cell(record: Record | None) -> Markup:
    if record is None:
        return element("td", "not run", class_="quiet")
    wrong = record.outcome.mismatches
    some = [element("br"), f"{wrong} of {record.outcome.elements} elements"] if wrong else []
    return element("td", _verdict(record.verdict), *some)


def _differences(articles: list[_Case], repeat: Mapping[str, str]) -> Iterator[Markup]:
    for key, heading, is_known in (("failures", "What fails", False), ("known", "Known deviations", True)):
        mine = [_article(case, repeat) for case in articles[:_MOST_ARTICLES] if case.is_known == is_known]
        if mine:
            yield _section(key, heading, *mine)
    if len(articles) > _MOST_ARTICLES:
        yield element("p", f"{len(articles) - _MOST_ARTICLES} more are left out; the tables above have them.")


def _article(case: _Case, repeat: Mapping[str, str]) -> Markup:
    record = case.records[0]
    facts = (join(element("dt", name), element("dd", text)) for name, text in _facts(case))
    parts = [element("h3", *_heading(record), id=case.key), element("dl", *facts)]
    if record.evidence is not None:
        parts.append(figures(record.evidence, called(record.layer), case.key))
    for what, line in _commands(case.path, record, repeat):
        parts += [element("p", f"{what}:"), _code(shlex.join(line))]
    return element("article", *parts, aria_labelledby=case.key)


def _facts(case: _Case) -> Iterator[tuple[str, str]]:
    record = case.records[0]
    outcome, first = record.outcome, record.outcome.first
    yield "File", case.path
    yield "Ran on", _runtime(record)
    yield "Variants", ", ".join(dict.fromkeys(each.variant for each in case.records))
    if record.cause:
        yield "Cause", element("code", record.cause)
    if record.reason:
        yield "Why", record.reason
    if outcome.mismatches:
        yield "Differing", f"{outcome.mismatches} of {outcome.elements} elements"
    if first is not None:
        got, want = element("code", str(first.got)), element("code", str(first.want))
        yield "First", join(f"at [{','.join(map(str, first.at))}]: got ", got, ", want ", want)


def _environment(command: Sequence[str], seed: int | None) -> Markup:
    rows = [*environment().items()]
    if seed is not None:
        rows.append(("Seed", str(seed)))
    line = [element("p", "The command:"), _code(shlex.join(command))] if command else []
    versions = table("What this was run on", ["What", "Which"], rows)
    folded = element("details", element("summary", "Versions, processor, command"), versions, *line)
    return _section("environment", "Environment", folded)


class _Case(NamedTuple):
    """Records of one layer with the same verdict for the same reason; ``records[0]`` stands for them."""

    path: str
    records: list[Record]
    key: str

    @property
    def is_known(self) -> bool:
        return self.records[0].verdict == "known"


def _cases(report: Report) -> list[_Case]:
    """The failures, then the known deviations; the same reason at one layer once."""
    groups: dict[tuple[object, ...], list[Record]] = {}
    for file in report:
        for record in file.layers:
            if record.verdict in FAILING or record.verdict == "known":
                why = record.cause or record.reason
                groups.setdefault((file.path, record.layer, record.against, record.verdict, why), []).append(record)
    ordered = sorted(groups.items(), key=lambda item: item[0][3] == "known")
    return [
        _Case(str(key[0]), sorted(records, key=_size), f"case{number}")
        for number, (key, records) in enumerate(ordered, 1)
    ]


def _size(record: Record) -> tuple[bool, int]:
    evidence = record.evidence
    return evidence is None, 0 if evidence is None else evidence.data.size + evidence.indices.size + evidence.got.size


def _runtime(record: Record) -> str:
    return f"{record.against} on {record.device}" if record.device else record.against


def _commands(path: str, record: Record, options: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Commands that run this layer in this way once more, or make a reproducer of it."""
    layer = _option(record.layer)
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


def _option(layer: LayerReference) -> list[str]:
    return ["--layer", "/".join((*layer.body, f"#{layer.id}"))]


def _flat(options: Mapping[str, str]) -> list[str]:
    return [part for name, value in options.items() for part in (name, value) if part]
