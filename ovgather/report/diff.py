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
    for found in results:
        style = "bold" if found.are_same else "warning"
        left, right, pairs = found.layers
        layers = f"{pairs} of {left} and {right} layers match"
        if left == right == pairs:
            layers = f"all {count(pairs, 'layer')} match"
        yield f"{printable(found.left)} and {printable(found.right)}: {paint(_verdict(found), style)}; {layers}"
        for quantized in found.quantized:
            yield f"  {printable(str(quantized))}"
        for kind, changes in _by_kind(found):
            yield from _of_kind(kind, changes)
        if found.unknown:
            yield f"  {'unknown':<13}{count(found.unknown, 'constant')} without values: there is no usable .bin"
        if found.parting is not None:
            yield f"  {'run':<13}{_parting(found.parting)}"


def _verdict(found: Differences) -> str:
    numbers = ", ".join(f"{number} {kind}" for kind, number in found.counts.items())
    if found.verdict == "same meaning":
        return f"the same meaning ({numbers})"
    if found.verdict == "unknown":
        return "the same as far as is known"
    if found.verdict == "different":
        return f"different ({numbers})"
    return "the same"


def _by_kind(found: Differences) -> Iterator[tuple[str, list[Change]]]:
    changes = sorted(found.changes, key=lambda change: KINDS.index(change.kind))
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
    (found,) = results
    return {
        "version": 1,
        **fields(found, "left right verdict"),
        "layers": dict(zip(("left", "right", "matched"), found.layers, strict=True)),
        "counts": found.counts,
        "quantized": [each._asdict() for each in found.quantized],
        "unknown_constants": found.unknown,
        "changes": [_change(change) for change in found.changes],
        "run": found.parting and _of_parting(found.parting),
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

    (found,) = results
    left, right, pairs = found.layers
    notes = [f"{pairs} layers match, of {left} and {right}", *map(str, found.quantized)]
    if found.unknown:
        notes.append(
            f"{count(found.unknown, 'constant')} without values: there is no usable .bin"
        )
    if found.parting is not None:
        notes.append(f"on the same inputs: {_parting(found.parting)}")
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
        for kind, changes in _by_kind(found)
        for change in changes
    ]
    columns = ["Layer", "What", found.left, f"{found.right} (right)", "How far"]
    view = page.View("Changes", "change", columns, _STATUSES, records)
    kind = "good" if found.are_same else "bad"
    title = f"{found.left} and {found.right}"
    return page.render(
        page.HtmlPage(title, _verdict(found), kind, "; ".join(notes), [view], command)
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
