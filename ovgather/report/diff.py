"""What two models differ in: in lines, for programs, and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ovgather.layers.reference import LayerReference, called
from ovgather.report.json_text import JsonObject, fields
from ovgather.text import count, paint, printable
from ovgather.verbs.diff.records import (
    FORM,
    KINDS,
    Change,
    Differences,
    Distance,
    Parting,
)

_MOST, _EXAMPLES = 12, 3
"""Changes of a kind that the text tells, and of those that leave the meaning as it is."""
_TITLES = {
    "added": "Added layers",
    "removed": "Removed layers",
    "input": "Inputs from elsewhere",
    "attribute": "Attributes",
    "version": "Versions of operations",
    "constant": "Constants",
    "compression": "Compression",
    "type": "Element types",
    "shape": "Shapes",
    "merged": "Layers whose values other layers give",
    "moved": "Constants at other places of the .bin",
    "renamed": "Names",
    "renumbered": "Ids",
    "reordered": "Order",
    "stored": "Weights stored in another way, with the same values",
    "unused": "Layers that no output depends on",
}


def lines(results: Iterable[Differences]) -> Iterator[str]:
    for differences in results:
        style = "bold" if differences.are_same else "warning"
        left, right, pairs = differences.layers
        layers = f"{pairs} of {left} and {right} layers match"
        if left == right == pairs:
            layers = f"all {count(pairs, 'layer')} match"
        names = f"{printable(differences.left)} and {printable(differences.right)}"
        yield f"{names}: {paint(_verdict(differences), style)}; {layers}"
        for quantized in differences.quantized:
            yield f"  {printable(str(quantized))}"
        for kind, changes in _by_kind(differences):
            yield from _of_kind(kind, changes)
        if differences.unknown:
            yield f"  {'unknown':<13}{count(differences.unknown, 'constant')} without values: there is no usable .bin"
        if differences.parting is not None:
            yield f"  {'run':<13}{_parting(differences.parting)}"


def _verdict(differences: Differences) -> str:
    numbers = ", ".join(
        f"{number} {kind}" for kind, number in differences.counts.items()
    )
    if differences.verdict == "same meaning":
        return f"the same meaning ({numbers})"
    if differences.verdict == "unknown":
        return "the same as far as is known"
    if differences.verdict == "different":
        return f"different ({numbers})"
    return "the same"


def _by_kind(differences: Differences) -> Iterator[tuple[str, list[Change]]]:
    changes = sorted(differences.changes, key=lambda change: KINDS.index(change.kind))
    for kind, some in groupby(changes, key=lambda change: change.kind):
        yield kind, list(some)


def _of_kind(kind: str, changes: list[Change]) -> Iterator[str]:
    """The first changes of a kind; how many more there are; those that follow from others are only counted."""
    own = [change for change in changes if not change.follows] or changes
    groups: dict[object, list[Change]] = {}
    for number, change in enumerate(own):
        is_alike = (
            change.left is not None and change.right is not None and change.far is None
        )
        groups.setdefault(change[3:6] if is_alike else number, []).append(change)
    most = _EXAMPLES if kind in FORM else _MOST
    title = f"{kind:<13}"
    for first, *others in [*groups.values()][:most]:
        if others:
            more = f", and {count(len(others), 'layer')} more"
        else:
            more = ""
        yield f"  {title}{_words(first)}{more}"
        title = " " * 13
    left = sum(map(len, [*groups.values()][most:]))
    if left:
        yield f"  {title}and {left} more"
    if len(changes) > len(own):
        yield f"  {title}and {count(len(changes) - len(own), 'layer')} behind them"


def _words(change: Change) -> str:
    layer = change.left or change.right
    if layer is not None:
        words = called(layer)
    else:
        words = ""
    if change.kind in ("added", "removed", "merged", "unused"):
        if change.right is None:
            side = {"merged": "only in A", "unused": "only in A"}.get(change.kind, "")
        else:
            side = ""
        return " ".join(filter(None, (words, side)))
    before, after = (
        printable(text) or "nothing" for text in (change.before, change.after)
    )
    what = printable(change.what)
    if layer is not None:
        words = f"{words}{' ' if change.of_reader else ': '}{what}"
    else:
        words = what
    words += f": {before} -> {after}"
    if change.far is not None:
        words += f" ({printable(str(change.far))})"
    return words


def _parting(parting: Parting) -> str:
    if parting.problem:
        return f"not compared: {printable(parting.problem)}"
    looked = f"{count(parting.compared, 'pair')} compared in {count(parting.runs, 'run')} of each model"
    if parting.left is None or parting.right is None:
        return f"no output differs ({looked})"
    return f"the values part first in {called(parting.left)}: {printable(str(parting.far))} ({looked})"


def document(results: Iterable[Differences]) -> JsonObject:
    (differences,) = results
    return {
        "version": 1,
        **fields(differences, "left right verdict"),
        "layers": dict(
            zip(("left", "right", "matched"), differences.layers, strict=True)
        ),
        "counts": differences.counts,
        "quantized": [each._asdict() for each in differences.quantized],
        "unknown_constants": differences.unknown,
        "changes": [_change(change) for change in differences.changes],
        "run": differences.parting and _of_parting(differences.parting),
    }


def _change(change: Change) -> JsonObject:
    layers = {"left": _layer(change.left), "right": _layer(change.right)}
    return {
        **fields(change, "kind what before after follows"),
        **layers,
        "distance": _distance(change.far),
    }


def _of_parting(parting: Parting) -> JsonObject:
    layers = {"left": _layer(parting.left), "right": _layer(parting.right)}
    return {
        **fields(parting, "compared runs problem"),
        **layers,
        "distance": _distance(parting.far),
    }


def _layer(layer: LayerReference | None) -> JsonObject | None:
    return layer and layer._asdict()


def _distance(far: Distance | None) -> JsonObject | None:
    """As JSON can carry it: an infinite distance is text."""
    if far is None:
        return None
    numbers = {
        name: str(value) if value == float("inf") else value
        for name, value in far._asdict().items()
    }
    return {**numbers, "at": list(far.at)}


_STATUSES = {"different": "bad", "follows": "known", "same meaning": "good"}


def render(results: Iterable[Differences], *, command: Sequence[str] = ()) -> str:
    """A page with all changes, by their kinds."""
    from ovgather.report import page

    (differences,) = results
    left, right, pairs = differences.layers
    notes = [
        f"{pairs} layers match, of {left} and {right}",
        *map(str, differences.quantized),
    ]
    if differences.unknown:
        notes.append(
            f"{count(differences.unknown, 'constant')} without values: there is no usable .bin"
        )
    if differences.parting is not None:
        notes.append(f"on the same inputs: {_parting(differences.parting)}")
    records = [
        page.PageRecord(
            _status(change),
            [
                _title(change),
                change.what,
                change.before,
                change.after,
                str(change.far or ""),
            ],
            cause=page.Cause(_TITLES[kind], _STATUSES[_status(change)]),
        )
        for kind, changes in _by_kind(differences)
        for change in changes
    ]
    columns = [
        "Layer",
        "What",
        differences.left,
        f"{differences.right} (right)",
        "How far",
    ]
    view = page.View("Changes", "change", columns, _STATUSES, records)
    kind = "good" if differences.are_same else "bad"
    title = f"{differences.left} and {differences.right}"
    return page.render(
        page.HtmlPage(
            title, _verdict(differences), kind, "; ".join(notes), [view], command
        )
    )


def _status(change: Change) -> str:
    if change.kind in FORM:
        return "same meaning"
    return "follows" if change.follows else "different"


def _title(change: Change) -> str:
    layer = change.left or change.right
    if layer is not None:
        return called(layer)
    return ""
