"""Write docs/releases.md, ovgather/validation/releases.py and ovgather/targets/onnx_operations.json from
docs/releases.json.

The JSON is measured: see tests/releases/measure_releases.py.
"""

from __future__ import annotations

import json
import os
from typing import Any

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs"
)
DATA = os.path.join(FOLDER, "releases.json")
PAGE = os.path.join(FOLDER, "releases.md")
MODULE = os.path.join(os.path.dirname(FOLDER), "ovgather", "validation", "releases.py")
OPERATIONS = os.path.join(
    os.path.dirname(FOLDER), "ovgather", "targets", "onnx_operations.json"
)
# The outcome that a rule reports, and the outcomes that count as the same: one process dies, another has wrong values.
_COUNTS = {
    "dies": ("dies", "wrong"),
    "wrong": ("wrong", "dies"),
    "refused": ("refused",),
    "runs": ("runs", "wrong", "dies"),
}
_WIDTH = 121
_HEAD = """\
<!-- Made by tools/generate_releases.py (`make docs`) from docs/releases.json. -->

# Behaviour by OpenVINO release

The behaviour of OpenVINO that ovgather reports was measured on the CPU plugin of {count} releases, {first} to {last}
(wheels from PyPI, Linux, an Intel Xeon with AVX-512). A range ends at the last measured release.

To measure another release, give the Python of an environment that has it:

```
python tests/releases/measure_releases.py measure measured.jsonl 2024.6/bin/python 2025.4/bin/python
python tests/releases/measure_releases.py merge measured.jsonl
python tools/generate_releases.py
```

## Hazards

Each hazard was measured with the files that show it, each run in its own process. A hazard that depends on the content
of memory ran several times; the table gives the worst outcome, so a release without a failure may still be affected.
`dies`: a signal ends the process. `wrong`: the values differ from the specification. `refused`: an exception. `runs`:
neither a signal nor an exception; the values were not compared. `read`, `compile`, `infer`: the stage.

| Hazard | Rule | What OpenVINO does |
| --- | --- | --- |
"""
_SAMPLES = """
## Samples with different outcomes

All other files of `samples_xml/rules` reach the same stage on all these releases. (`OVG010/bad-2` is short: releases up
to 2024.4 read no file of up to 512 bytes. `OVG210/bad-4` needs an input that the Python API of these releases cannot
create.)

| File | What OpenVINO does |
| --- | --- |
"""
_DEVIATIONS = """
## Known deviations of the cross-check

The cases of `tests/comparison/test_crosscheck_known.py`. `known`: the deviation of that name explains every bit of the
difference. `equal`: the output is that of the specification.

| Case | Outcome |
| --- | --- |
"""
_FEATURES = """
## Supported versions and types

{versions}

Each opset of a release contains the operations of the family from the opset that introduced them (Gather: opset1,
GatherND: opset5, GatherElements: opset6). Opset17 contains only a few operations.

| Opset | Read by |
| --- | --- |
{opsets}
| Element type | Read by |
| --- | --- |
{types}
## ONNX operations

An operation is converted where OpenVINO does not answer that it has no conversion rule for it. These are not converted
by all releases; {count} others are. No release converts a function of a model: `onnx.inliner` replaces its calls.

| Operation | Converted by |
| --- | --- |
{operations}"""
_MODULE = '''\
"""The releases of OpenVINO that its hazards were seen on. Made by tools/generate_releases.py: see docs/releases.md."""

from typing import NamedTuple


class Seen(NamedTuple):
    """A hazard: the rule that tells of it, what it is, the releases it was seen on, and what the others do."""

    rule: str
    what: str
    on: str
    otherwise: str = ""


FIRST, LAST = "{first}", "{last}"  # the first and the last release that was measured

# fmt: off
SEEN = {{
{seen}}}
"""Each hazard that a rule tells of, by its name."""

OPSETS = {opsets}
"""The opsets that some of the releases do not read, with the first that does."""
# fmt: on
'''


def load() -> dict[str, Any]:
    """What was measured."""
    with open(DATA, encoding="utf-8") as file:
        table: dict[str, Any] = json.load(file)
    return table


def short(release: str) -> str:
    """A release as people call it: 2024.6 is 2024.6.0."""
    return release.removesuffix(".0")


def span(first: str, last: str) -> str:
    """The releases from ``first`` to ``last``."""
    return short(first) if first == last else f"{short(first)} to {short(last)}"


def told(ranges: list[list[str]], releases: list[str]) -> str:
    """The outcomes, each with its releases."""
    if ranges[0][1:] == [releases[0], releases[-1]]:
        return f"{ranges[0][0]}: all"
    return "; ".join(
        f"{outcome}: {span(first, last)}" for outcome, first, last in ranges
    )


def seen_on(hazard: dict[str, Any], releases: list[str]) -> tuple[str, str]:
    """The releases on which it is as the rule says, and in words what it is on the others."""
    counts = _COUNTS[hazard["told"]]
    spans: list[list[str]] = []
    others: list[list[str]] = []
    for outcome, first, last in hazard["seen"]:
        if not outcome.startswith(counts):
            others.append([outcome, first, last])
        elif spans and releases.index(first) == releases.index(spans[-1][1]) + 1:
            spans[-1][1] = last
        else:
            spans.append([first, last])
    grouped: dict[str, list[str]] = {}
    for outcome, first, last in others:
        grouped.setdefault(outcome, []).append(span(first, last))
    otherwise = "; ".join(
        f"{', '.join(each)}: {outcome}" for outcome, each in grouped.items()
    )
    return " and ".join(span(*each) for each in spans), otherwise


def page(table: dict[str, Any]) -> str:
    """What docs/releases.md should hold."""
    releases = table["releases"]
    head = _HEAD.format(
        count=len(releases), first=short(releases[0]), last=short(releases[-1])
    )
    rows = "".join(
        f"| {hazard['what']} | {_link(hazard['rule'])} | {told(hazard['seen'], releases)} |\n"
        for hazard in table["hazards"].values()
    )
    differing = {name: row for name, row in table["samples"].items() if len(row) > 1}
    samples = "".join(
        f"| `{name}` | {told(row, releases)} |\n" for name, row in differing.items()
    )
    deviations = "".join(
        f"| {name} | {told(row, releases)} |\n"
        for name, row in table["deviations"].items()
    )
    return (
        head + rows + _SAMPLES + samples + _DEVIATIONS + deviations + _features(table)
    )


def _link(rule: str) -> str:
    return f"[{rule}](rules.md#{rule.lower()})" if rule else ""


def _features(table: dict[str, Any]) -> str:
    read = [
        name
        for name, ranges in table["ir_versions"].items()
        if [row[0] for row in ranges] == ["read"]
    ]
    versions = f"All of them read IR versions {' and '.join(read)}, and no other of those that were tried."
    operations = table["onnx_operations"]
    differing = {
        name: row
        for name, row in operations.items()
        if [each[0] for each in row] != ["converted"]
    }
    return _FEATURES.format(
        versions=versions,
        opsets=_readers(_by_opset(table)),
        types=_readers(table["element_types"]),
        count=len(operations) - len(differing),
        operations="".join(
            f"| {name} | {_converters(row) or 'none'} |\n"
            for name, row in differing.items()
        ),
    )


def _converters(row: list[list[str]]) -> str:
    return ", ".join(
        span(first, last) for outcome, first, last in row if outcome == "converted"
    )


def operations(table: dict[str, Any]) -> str:
    """What ovgather/targets/onnx_operations.json should hold: since when, and up to which release."""
    last = table["releases"][-1]
    known = {}
    for name, row in sorted(table["onnx_operations"].items()):
        spans = [each[1:] for each in row if each[0] == "converted"]
        ends = (
            []
            if not spans
            else [spans[0][0], *([] if spans[-1][1] == last else [spans[-1][1]])]
        )
        known[name] = [_release(each) for each in ends]
    rows = ",\n".join(
        f" {json.dumps(name)}: {json.dumps(ends)}" for name, ends in known.items()
    )
    return f"{{\n{rows}\n}}\n"


def _release(version: str) -> str:
    """The release of a version: 2025.4.1 is one of 2025.4."""
    return ".".join(version.split(".")[:2])


def _readers(rows: dict[str, list[list[str]]]) -> str:
    """A row for each that not all releases read, and one for all others."""
    always = [
        name for name, ranges in rows.items() if [row[0] for row in ranges] == ["read"]
    ]
    lines = [f"| {', '.join(always)} | all |\n"]
    for name, ranges in rows.items():
        spans = [
            span(first, last) for outcome, first, last in ranges if outcome == "read"
        ]
        if name not in always and spans:
            lines.append(f"| {name} | {', '.join(spans)} |\n")
    return "".join(lines)


def _by_opset(table: dict[str, Any]) -> dict[str, list[list[str]]]:
    return {
        name.split()[1]: ranges
        for name, ranges in table["opsets"].items()
        if name.startswith("Gather ")
    }


def module(table: dict[str, Any]) -> str:
    """What ovgather/validation/releases.py should hold."""
    releases = table["releases"]
    seen = "".join(
        _row(key, _seen(hazard, releases))
        for key, hazard in table["hazards"].items()
        if hazard["rule"]
    )
    since = {
        name: short(first)
        for name, ranges in _by_opset(table).items()
        for outcome, first, _ in ranges
        if outcome == "read" and first != releases[0]
    }
    return _MODULE.format(
        first=short(releases[0]),
        last=short(releases[-1]),
        seen=seen,
        opsets=json.dumps(since),
    )


def _row(key: str, parts: list[str]) -> str:
    texts = [json.dumps(part) for part in parts]
    start, head, last = f'    "{key}": Seen(', ", ".join(texts[:-1]), texts[-1]
    rows = [
        start + text
        for text in (
            f"{head}, {last}),\n",
            f"{head},\n        {last}),\n",
            f"\n        {head},\n        {last}),\n",
        )
    ]
    return next(
        row for row in rows if all(len(line) < _WIDTH for line in row.splitlines())
    )


def _seen(hazard: dict[str, Any], releases: list[str]) -> list[str]:
    on, otherwise = seen_on(hazard, releases)
    return [hazard["rule"], hazard["what"], on, *([otherwise] if otherwise else [])]


def main() -> None:
    """Write the files."""
    table = load()
    for path, made in (
        (PAGE, page(table)),
        (MODULE, module(table)),
        (OPERATIONS, operations(table)),
    ):
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(made)


if __name__ == "__main__":
    main()
