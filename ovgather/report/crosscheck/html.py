"""A cross-check as a page: what fails by cause, each layer with a drawing of what differs, and commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ovgather.comparison.report import (
    ALONE,
    FAILING,
    IN_PLACE,
    FileReport,
    Report,
    matrix,
)
from ovgather.comparison.report import Record as Run
from ovgather.errors import OvgatherError
from ovgather.layers.reference import called, key_of
from ovgather.report import page
from ovgather.report.crosscheck.text import summary
from ovgather.report.drawing.cells import inputs_text, is_small, output_cells
from ovgather.report.drawing.text import draw
from ovgather.report.page import Cause, HtmlPage, PageRecord, Part, View
from ovgather.runtimes.outcome import Evidence
from ovgather.text import count, shape_text, unpainted

_MOST_DRAWN = 200
_COLUMNS = ("File", "Layer", "Variant", "Runtime", "Elements that differ", "Why")
_STATUSES = {
    "crash": "bad", "timeout": "bad", "different": "bad", "error": "bad", "known": "known", "equal": "good",
    "skipped": "quiet",
}  # fmt: skip
_OF_REDUCE = (
    "--inputs",
    "--weights",
    "--seed",
    "--device",
    "--config",
    "--plugin",
    "--tolerance",
)


def render(
    results: Iterable[FileReport],
    *,
    command: Sequence[str] = (),
    repeat: Mapping[str, str] | None = None,
    seed: int | None = None,
) -> str:
    """All files on one page. ``repeat``: options with which a command runs a layer in the same way."""
    report = Report(results)
    runs = [(file.path, run) for file in report for run in file.layers]
    drawn = _drawn(runs)
    records = [
        _record(path, run, repeat or {}, number in drawn)
        for number, (path, run) in enumerate(runs)
    ]
    unread = Cause("Files that cannot be read", "bad")
    records += [
        PageRecord("error", [file.path, "", "", "", "", file.error], cause=unread)
        for file in report
        if file.error
    ]
    devices = dict.fromkeys(_runtime(run) for _, run in runs)
    facts = {
        "Device": ", ".join(devices),
        **({"Seed": str(seed)} if seed is not None else {}),
    }
    pairs = filter(None, [matrix(report.records)])
    tables = [
        page.table(title, ["Between", *names], rows) for (title, *names), *rows in pairs
    ]
    view = View("Runs", "run", _COLUMNS, _STATUSES, records)
    verdict, kind = _verdict(report)
    title = "Cross-check of Gather layers"
    return page.render(
        HtmlPage(
            title, verdict, kind, summary(report), [view], command, facts, tables=tables
        )
    )


def _drawn(runs: Sequence[tuple[str, Run]]) -> set[int]:
    """The numbers of the runs that are drawn: of those alike (layer, verdict, cause) the one with least data."""
    smallest: dict[tuple[object, ...], int] = {}
    for number, (path, run) in enumerate(runs):
        key = path, run.layer, run.against, run.verdict, run.cause or run.reason
        if key not in smallest or _size(run) < _size(runs[smallest[key]][1]):
            smallest[key] = number
    worst = sorted(
        smallest.values(),
        key=lambda number: list(_STATUSES).index(runs[number][1].verdict),
    )
    return {*worst[:_MOST_DRAWN]}


def _verdict(report: Report) -> tuple[str, str]:
    failing = {
        (file.path, run.layer)
        for file in report
        for run in file.layers
        if run.verdict in FAILING
    }
    unread = ["a file cannot be read"] * any(file.error for file in report)
    if failing:
        return ", ".join(
            [
                count(len(failing), "layer")
                + (" fail" if len(failing) > 1 else " fails"),
                *unread,
            ]
        ), "bad"
    if unread:
        return unread[0].capitalize(), "bad"
    if report.summary["known"]:
        return "Nothing fails", "known"
    if report.summary["equal"]:
        return "All is equal, bit by bit", "good"
    return "Nothing was compared", "known"


def _record(
    path: str, run: Run, repeat: Mapping[str, str], is_drawn: bool
) -> PageRecord:
    kind = _STATUSES[run.verdict]
    cause = None
    if kind == "bad":
        cause = Cause(f"{run.verdict}: {run.cause or run.reason}", kind)
    elif kind == "known":
        cause = Cause(run.cause or run.reason, kind)
    if run.outcome.mismatches:
        wrong = f"{run.outcome.mismatches} of {run.outcome.elements}"
    else:
        wrong = ""
    cells = [path, called(run.layer), run.variant, _runtime(run), wrong, run.reason]
    return PageRecord(
        run.verdict, cells, list(_parts(path, run, repeat, is_drawn)), cause
    )


def _parts(
    path: str, run: Run, repeat: Mapping[str, str], is_drawn: bool
) -> Iterator[Part]:
    if _STATUSES[run.verdict] in ("bad", "known"):
        yield from (page.text(name, words) for name, words in _facts(run))
        if run.evidence is not None and is_drawn:
            yield from _figures(run.evidence)
        yield from (
            page.command(what, line) for what, line in _commands(path, run, repeat)
        )


def _facts(run: Run) -> Iterator[tuple[str, str]]:
    if run.cause:
        yield "cause", run.cause
    if run.reason:
        yield "why", run.reason
    if run.outcome.kernel is not None:
        yield "kernel", str(run.outcome.kernel)
    if (first := run.outcome.first) is not None:
        yield (
            "first difference",
            f"at {shape_text(first.at)}: got {first.got}, want {first.want}",
        )


def _figures(evidence: Evidence) -> Iterator[Part]:
    """The drawing of the layer; of a small one each output cell in words, too."""
    try:
        drawing = unpainted(draw(evidence))
        heading = "Where the indices point"
        if is_small(evidence):
            heading = "The layer, cell by cell"
        yield page.code(heading, f"{inputs_text(evidence)}\n\n{drawing}")
        if is_small(evidence):
            cells = output_cells(evidence)
            texts = [f"{each.title}{' ✗' * each.is_wrong}" for each in cells]
            yield page.items("The same in words", texts)
    except OvgatherError as error:
        yield page.text("drawing", f"It cannot be drawn: {error}")


def _size(record: Run) -> tuple[bool, int]:
    evidence = record.evidence
    return (
        evidence is None,
        0
        if evidence is None
        else evidence.data.size + evidence.indices.size + evidence.got.size,
    )


def _runtime(record: Run) -> str:
    if record.device:
        return f"{record.against} on {record.device}"
    return record.against


def _commands(
    path: str, record: Run, options: Mapping[str, str]
) -> Iterator[tuple[str, list[str]]]:
    """Commands that run this layer in this way once more, or make a reproducer of it."""
    layer = ["--layer", key_of(record.layer)]
    variant = record.variant
    # Without the whole model, inputs would be those of the layer.
    used = {
        name: value
        for name, value in options.items()
        if variant == IN_PLACE or name != "--inputs"
    }
    way = ["--mode", ALONE, "--variants", "none" if variant == ALONE else variant]
    if variant == IN_PLACE:
        way = ["--mode", IN_PLACE]
    yield (
        "See it again",
        [
            "ovgather",
            "crosscheck",
            path,
            *layer,
            *way,
            "--against",
            record.against,
            *filter(None, chain(*used.items())),
        ],
    )
    if record.verdict in FAILING and record.against == "openvino":
        small = chain(
            *(
                (name, value)
                for name, value in used.items()
                if name.partition("=")[0] in _OF_REDUCE
            )
        )
        yield (
            "Make it small",
            [
                "ovgather",
                "reduce",
                path,
                *layer,
                "--variant",
                variant,
                *filter(None, small),
            ],
        )
