r"""What: ``names`` of an output port has an empty item (``a,,b``), ends with a backslash, or repeats a name of another
output of the model.
Why: programs access tensors by name. Names that users of the model see, those of its Parameters and of the outputs that
feed its Results, give a warning each. All names inside the model give one note for the file.
OpenVINO: drops empty items, keeps the backslash as a character (``\,`` is a comma within a name), and silently renames
all but one of equal names, ``t`` to ``t_1``. A Parameter keeps its name first, then an output that feeds a Result.
Bad::
    <port id="0" precision="FP32" names="scores,,logits">
Good::
    <port id="0" precision="FP32" names="scores,logits">
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from ovgather.ir.positions import output_names, split_names
from ovgather.text import pattern
from ovgather.validation.context import Diagnostic, Effect, File, Findings, Layer, Rule
from ovgather.validation.wording import MOST_RELATED, first_of, folded

RULE = Rule(
    "OVG213", "tensor names that are lost or changed", "warning note", "accepts"
)
_KEEPS = Effect(
    "keeps it as a letter of the name",
    "tensor-names",
    "dies while it reads the file",
    "crashes",
)
_RENAMES = "renames it, with a number at its end"
_RENAMES_ALL = "renames them, with numbers at their ends"
_INNER = 2
_PLAIN = pattern(rb'names="(?<= names=")([^"]*)"')
_ANY = pattern(rb"""\snames\s*=\s*(?:"([^"]*)"|'([^']*)')""")
# Fixed letters first: found ten times as quickly. The group holds names that are written as everybody writes them, from
# the quote on, and nothing of others.
_BOTH = pattern(rb"""names(?:=("(?<= names=")[^"]*)"|(?<=\snames)\s*=)""")
_EMPTY = pattern(r"(?:^|(?<!\\),)(?:,|\Z)")


class _Port(NamedTuple):
    """The ``names`` of an output port. ``rank``: 0 of a Parameter, 1 of an output that feeds a Result, 2 of others."""

    layer: Layer
    output: int
    text: str
    rank: int


class _Loss(NamedTuple):
    """What is wrong with the names of a port: the text concerned, a message, and what OpenVINO does."""

    port: _Port
    name: str
    message: str
    effect: str | Effect


def check(file: File) -> Findings:
    data = file.model.source.data
    graph = file.model.graph
    known = file.model.output_names
    is_usual = graph.edges and graph.ids and graph.edges[0].offset > graph.offsets[-1]
    # A file has its edges, without names, behind its layers.
    end = graph.edges[0].offset if is_usual else len(data)
    # The reader has most names already, which saves 3 % of the time of a file.
    if known is not None and not file.model.fatal:
        names, spans = known
    else:
        names = []
        spans = [(0, 0 if file.model.fatal else end)]
    texts = [*names, *[text for span in spans for text in _BOTH.findall(data, *span)]]
    if not _may_be_wrong(texts):
        return
    pattern = _ANY if b"" in texts else _PLAIN
    matches = [
        (match.start(), match[match.lastindex or 1])
        for match in pattern.finditer(data, 0, end)
    ]
    sources = [
        source
        for layer in file.layers_of(["Result"])
        for source in layer.graph.producers(layer)
    ]
    ends = {(source[0].offset, source[1]) for source in sources if source is not None}
    ports = []
    for layer in _suspects(file, matches):
        names_of_ports = enumerate(output_names(file.source, layer))
        ports += [
            _Port(layer, index, text, _rank(layer, index, ends))
            for index, text in names_of_ports
            if text
        ]
    losses = sorted(
        _losses(ports), key=lambda loss: (loss.port.layer.offset, loss.port.output)
    )
    yield from [_finding(file, loss) for loss in losses if loss.port.rank < _INNER]
    inner = [loss for loss in losses if loss.port.rank == _INNER]
    yield from folded(file, inner, partial(_finding, file), partial(_folded, file))


def _may_be_wrong(texts: list[bytes]) -> bool:
    """Whether any names repeat, are empty, hold a backslash, or are written in an unusual way."""
    joined = b",".join(texts).replace(b'"', b"")
    names = joined.split(b",")
    return (
        len(set(names)) < len(names)
        or (bool(texts) and b"" in names)
        or b"\\" in joined
    )


def _suspects(file: File, matches: list[tuple[int, bytes]]) -> Iterator[Layer]:
    """The layers with an odd name, or outside bodies one that comes more than once."""
    places = {
        offset: (graph, row)
        for graph in file.graphs
        for row, offset in enumerate(graph.offsets)
    }
    offsets = sorted(places)
    counts = Counter(name for _, text in matches for name in set(text.split(b",")))
    repeated = {name for name, count in counts.items() if count > 1}
    last = -1
    for start, text in matches:
        odd = b",," in text or text.startswith(b",") or text.endswith((b",", b"\\"))
        if not odd and repeated.isdisjoint(text.split(b",")):
            continue
        index = bisect_right(offsets, start) - 1
        if (
            index <= last
        ):  # of a layer that has been named, or of none: before the first
            continue
        graph, row = places[offsets[index]]
        if odd or graph.parent is None:
            last = index
            yield graph.layer(row)


def _rank(layer: Layer, output: int, ends: set[tuple[int, int]]) -> int:
    if layer.graph.parent is None and layer.type == "Parameter":
        return 0
    is_end = layer.type == "Result" or (layer.offset, output) in ends
    if layer.graph.parent is None and is_end:
        return 1
    return _INNER


def _losses(ports: list[_Port]) -> Iterator[_Loss]:
    """Names that are not written well, and names that another layer has, too, and keeps."""
    owners: dict[str, Layer] = {}
    for port in sorted(ports, key=lambda port: port.rank):
        layer = port.layer
        text = port.text
        if _EMPTY.search(text):
            yield _Loss(
                port, text, f"names {text!r} has an empty item", "drops the empty item"
            )
        if text.endswith("\\"):
            yield _Loss(
                port,
                text,
                f"names {text!r} ends with a backslash that escapes nothing",
                _KEEPS,
            )
        if layer.graph.parent is None:
            for name in dict.fromkeys(split_names(port.text)):
                owner = owners.setdefault(name, layer)
                if owner is not layer:
                    yield _Loss(
                        port,
                        name,
                        f'tensor name {name!r} is taken by layer {owner.id} "{owner.name}"',
                        _RENAMES,
                    )


def _finding(file: File, loss: _Loss) -> Diagnostic:
    (layer, output, _, rank), message, effect = loss.port, loss.message, loss.effect
    severity = "note" if rank == _INNER else "warning"
    return file.report(
        RULE, message, f"output/{output}/names", layer, effect=effect, severity=severity
    )


def _folded(file: File, losses: list[_Loss]) -> Diagnostic:
    names = first_of(repr(loss.name) for loss in losses)
    effects = list(dict.fromkeys(loss.effect for loss in losses))
    message = (
        f"{len(losses)} tensor names inside the model are lost or changed: {names}"
    )
    words = "; ".join([effect for effect in effects if isinstance(effect, str)])
    effect: str | Effect = words
    if effects == [_RENAMES]:
        effect = _RENAMES_ALL
    elif _KEEPS in effects:
        effect = _KEEPS._replace(words="; ".join(filter(None, (words, _KEEPS.words))))
    places = [(loss.message, *loss.port[:2]) for loss in losses[: MOST_RELATED + 1]]
    (label, span), *related = [
        (text, file.place(layer, f"output/{output}/names"))
        for text, layer, output in places
    ]
    about = [losses[0].port.layer]
    return file.report(
        RULE,
        message,
        span,
        effect=effect,
        severity="note",
        label=label,
        related=related,
        about=about,
    )
