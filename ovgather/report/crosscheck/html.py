"""A cross-check as one HTML file: tables of verdicts, and a drawing of what differs."""

import os
import platform
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

from ovgather.crosscheck.report import ALONE, FAILING, IN_PLACE, VERDICTS, FileReport, Record, Report, matrix
from ovgather.crosscheck.verdict.compare import wrong_marks
from ovgather.errors import OvgatherError
from ovgather.layers.reference import LayerReference, called
from ovgather.report.crosscheck.text import summary, verdict_counts
from ovgather.report.drawing.cells import inputs_text, is_small, output_cells
from ovgather.report.drawing.histogram import histograms
from ovgather.report.drawing.svg import draw
from ovgather.report.drawing.svg_bars import draw_mismatches
from ovgather.report.html_builder import Markup, element, join, page, scroll, table
from ovgather.runtimes.available import processor
from ovgather.runtimes.outcome import Evidence
from ovgather.text import count, shape_text

_MOST_ARTICLES = 200
_MANY = 20  # from so many layers on, the page has a search
_OF_REDUCE = ("--inputs", "--weights", "--seed", "--device", "--config", "--plugin", "--tolerance")


class _Case(NamedTuple):
    """Records of one layer with the same verdict for the same reason: the smallest of them, and their variants."""

    path: str
    record: Record
    variants: list[str]
    key: str


def render(
    results: Iterable[FileReport],
    *,
    command: Sequence[str] = (),
    repeat: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> str:
    """All files on one page, which fetches nothing, and runs nothing but the search through many layers."""
    report = Report(results)
    cases = _cases(report)
    parts = (_summary(report), *_files(report), *_differences(cases, repeat or {}), _environment(command, seed))
    shown = cases[:_MOST_ARTICLES]
    links = [element("li", element("a", *_heading(case.record), href=f"#{case.key}")) for case in shown]
    if links:
        contents = element("ul", *links)
    else:
        contents = element("p", "Nothing differs.")
    return page(
        f"Cross-check: {summary(report)}",
        element("a", "Skip to the report", class_="skip", href="#main"),
        element("header", element("h1", "Cross-check of Gather layers"), _banner(report)),
        element("nav", element("h2", "What to look at", id="contents"), contents, aria_labelledby="contents"),
        element("main", *parts, id="main"),
        script=Path(__file__).with_suffix(".js") if sum(len(file.gathers) for file in report) >= _MANY else None,
    )


def _banner(report: Report) -> Markup:
    failing = {(file.path, record.layer) for file in report for record in file.layers if record.verdict in FAILING}
    unread = any(file.error for file in report)
    if failing or unread:
        parts = []
        if failing:
            parts = [count(len(failing), "layer") + (" fail" if len(failing) > 1 else " fails")]
        words, kind = ", ".join(parts + ["a file cannot be read"] * unread), "failing"
    elif report.summary["equal"] or report.summary["known"]:
        if report.summary["known"]:
            words, kind = ("Nothing fails", "known")
        else:
            words, kind = ("All is equal, bit by bit", "equal")
    else:
        words, kind = "Nothing was compared", "known"
    return element("p", element("strong", words, class_=kind), element("br"), summary(report), class_="banner")


def _section(key: str, heading: str, *content: Markup) -> Markup:
    return element("section", element("h2", heading, id=key), *content, aria_labelledby=key)


def _verdict(verdict: str) -> Markup:
    return element("span", verdict, class_=f"verdict {'failing' if verdict in FAILING else verdict}")


def _heading(record: Record) -> tuple[str, str, Markup]:
    return called(record.layer), ": ", _verdict(record.verdict)


def _code(line: Sequence[str]) -> Markup:
    return element("pre", element("code", shlex.join(line)))


def _summary(report: Report) -> Markup:
    rows = [(_verdict(name), report.summary[name]) for name in VERDICTS if report.summary[name]]
    if rows:
        counts = table("How many runs ended how", ["Verdict", "Runs"], rows)
    else:
        counts = element("p", "Nothing was run.")
    pairs = filter(None, [matrix(report.records)])
    matrices = (table(title, ["Between", *names], rows) for (title, *names), *rows in pairs)
    return _section("summary", "Summary", counts, *matrices)


def _files(report: Report) -> Iterator[Markup]:
    for number, file in enumerate(report, 1):
        parts = []
        if file.error:
            parts = [element("p", f"It could not be read: {file.error}")]
        parts += [_layer(layer, list(group)) for layer, group in groupby(file.layers, lambda record: record.layer)]
        yield _section(f"file{number}", file.path, *(parts or [element("p", "It has no Gather layer.")]))


def _layer(layer: LayerReference, records: list[Record]) -> Markup:
    runtimes = list(dict.fromkeys(map(_runtime, records)))
    rows = []
    for variant in dict.fromkeys(record.variant for record in records):
        runs = {_runtime(record): record for record in records if record.variant == variant}
        cells = [element("td", "not run", class_="quiet")] * len(runtimes)
        for runtime, record in runs.items():
            wrong = f"{record.outcome.mismatches} of {record.outcome.elements} elements"
            some = []
            if record.outcome.mismatches:
                some = [element("br"), wrong]
            cells[runtimes.index(runtime)] = element("td", _verdict(record.verdict), *some)
        reasons = dict.fromkeys(record.reason for record in runs.values() if record.reason)
        rows.append([variant, *cells, element("td", "; ".join(reasons), class_="wide")])
    counts = Counter(record.verdict for record in records)
    return element(
        "details",
        element("summary", f"{called(layer)}: {verdict_counts(counts)}"),
        element("p", "In a command: ", element("code", shlex.join(_option(layer)))),
        table(f"Variants of {called(layer)}", ["Variant", *runtimes, "Why"], rows),
        open="" if any(verdict in FAILING for verdict in counts) else None,
    )


def _differences(cases: list[_Case], repeat: Mapping[str, str]) -> Iterator[Markup]:
    for key, heading in (("failures", "What fails"), ("known", "Known deviations")):
        mine = [case for case in cases[:_MOST_ARTICLES] if (case.record.verdict == "known") == (key == "known")]
        if mine:
            yield _section(key, heading, *(_article(case, repeat) for case in mine))
    if len(cases) > _MOST_ARTICLES:
        yield element("p", f"{len(cases) - _MOST_ARTICLES} more are left out; the tables above have them.")


def _article(case: _Case, repeat: Mapping[str, str]) -> Markup:
    record = case.record
    facts = (join(element("dt", name), element("dd", text)) for name, text in _facts(case))
    parts = [element("h3", *_heading(record), id=case.key), element("dl", *facts)]
    if record.evidence is not None:
        parts.append(_figures(record.evidence, called(record.layer), case.key))
    for what, line in _commands(case.path, record, repeat):
        parts += [element("p", f"{what}:"), _code(line)]
    return element("article", *parts, aria_labelledby=case.key)


def _figures(evidence: Evidence, words: str, key: str) -> Markup:
    try:
        if is_small(evidence):
            return _cells(evidence, words, key)
        return _large(evidence, words, key)
    except OvgatherError as error:
        return element("p", f"It cannot be drawn: {error}")


def _figure(label: str, drawing: Markup, caption: str) -> Markup:
    return element("figure", scroll(label, drawing), element("figcaption", caption))


def _cells(evidence: Evidence, words: str, key: str) -> Markup:
    cells = output_cells(evidence)
    caption = f"{inputs_text(evidence)}. Cells of one colour are at one place along the axis; a broken line: outside."
    if any(cell.is_wrong for cell in cells):
        caption += " ✗ marks what differs."
    drawing = _figure(f"Drawing of {words}", draw(evidence, words, f"{key}-cells"), caption)
    differs = join(" ", element("strong", "✗ differs"))
    items = [element("li", cell.title, *[differs] * cell.is_wrong) for cell in cells]
    details = element("details", element("summary", "The same in words"), element("ol", *items))
    if items:
        return join(drawing, details)
    return drawing


def _large(evidence: Evidence, words: str, key: str) -> Markup:
    counts = "; ".join(f"{each.heading}: {each.counts}" for each in histograms(evidence))
    caption = f"{inputs_text(evidence)}. Where the indices point; the legal range is shaded. {counts}."
    drawing = _figure(f"Indices of {words}", draw(evidence, words, f"{key}-bars"), caption)
    wrong = wrong_marks(evidence)
    if not wrong.any():
        return drawing
    caption = f"{int(wrong.sum())} of {wrong.size} elements of the output {shape_text(wrong.shape)} differ:"
    caption += " the darker, the more of them."
    label = f"Map of what differs in {words}"
    return join(drawing, _figure(label, draw_mismatches(wrong, f"{key}-map"), caption))


def _facts(case: _Case) -> Iterator[tuple[str, str]]:
    outcome, first = case.record.outcome, case.record.outcome.first
    yield "File", case.path
    yield "Ran on", _runtime(case.record)
    yield "Variants", ", ".join(case.variants)
    if outcome.cause:
        yield "Cause", element("code", outcome.cause)
    if outcome.reason:
        yield "Why", outcome.reason
    if outcome.mismatches:
        yield "Differing", f"{outcome.mismatches} of {outcome.elements} elements"
    if first is not None:
        got, want = element("code", str(first.got)), element("code", str(first.want))
        yield "First", join(f"at {shape_text(first.at)}: got ", got, ", want ", want)


def _environment(command: Sequence[str], seed: int | None) -> Markup:
    rows = [*environment().items(), *([("Seed", str(seed))] if seed is not None else [])]
    line = []
    if command:
        line = [element("p", "The command:"), _code(command)]
    versions = table("What this was run on", ["What", "Which"], rows)
    folded = element("details", element("summary", "Versions, processor, command"), versions, *line)
    return _section("environment", "Environment", folded)


def environment() -> dict[str, str]:
    """Versions, processor and system; nothing of it names the machine or its user."""
    from ovgather import __version__

    versions = {"ovgather": __version__, "Python": f"{platform.python_implementation()} {platform.python_version()}"}
    for package in ("openvino", "numpy", "ml_dtypes", "onnx", "onnxruntime", "torch"):
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    system = f"{platform.system()} {platform.release()} ({platform.machine()})"
    return {**versions, "CPU": f"{processor()}, {os.cpu_count() or 1} cores", "OS": system}


def _cases(report: Report) -> list[_Case]:
    """The failures, then the known deviations; the same reason at one layer once."""
    groups: dict[tuple[object, ...], list[Record]] = {}
    for file in report:
        for record in file.layers:
            if record.verdict in FAILING or record.verdict == "known":
                why = record.cause or record.reason
                groups.setdefault((file.path, record.layer, record.against, record.verdict, why), []).append(record)
    cases: list[_Case] = []
    for key, records in sorted(groups.items(), key=lambda item: item[0][3] == "known"):
        records.sort(key=_size)
        variants = list(dict.fromkeys(record.variant for record in records))
        cases.append(_Case(str(key[0]), records[0], variants, f"case{len(cases) + 1}"))
    return cases


def _size(record: Record) -> tuple[bool, int]:
    evidence = record.evidence
    return evidence is None, 0 if evidence is None else evidence.data.size + evidence.indices.size + evidence.got.size


def _runtime(record: Record) -> str:
    if record.device:
        return f"{record.against} on {record.device}"
    return record.against


def _commands(path: str, record: Record, options: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Commands that run this layer in this way once more, or make a reproducer of it."""
    layer, variant = _option(record.layer), record.variant
    # Without the whole model, inputs would be those of the layer.
    used = {name: value for name, value in options.items() if variant == IN_PLACE or name != "--inputs"}
    way = ["--mode", ALONE, "--variants", "none" if variant == ALONE else variant]
    if variant == IN_PLACE:
        way = ["--mode", IN_PLACE]
    again = ["ovgather", "crosscheck", path, *layer, *way, "--against", record.against]
    yield "To see it again", [*again, *filter(None, chain(*used.items()))]
    if record.verdict in FAILING and record.against == "openvino":
        small = chain(*((name, value) for name, value in used.items() if name.partition("=")[0] in _OF_REDUCE))
        reduce = ["ovgather", "reduce", path, *layer, "--variant", variant]
        yield "To make it small", [*reduce, *filter(None, small)]


def _option(layer: LayerReference) -> list[str]:
    return ["--layer", "/".join((*layer.body, f"#{layer.id}"))]
