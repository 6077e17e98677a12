"""Pairs of layers -> what differs in each, and which of that follows from a change before."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from ovgather.layers.reference import LayerReference, called
from ovgather.verbs.diff.distance import distance
from ovgather.verbs.diff.match import COMMUTATIVE, Matching, Side
from ovgather.verbs.diff.records import Change, Distance, Quantized
from ovgather.verbs.network.records import NetworkConstant, NetworkNode, Source

_UNKNOWN = {"?", "[...]"}
"""A type and a shape that a file leaves open, as ONNX files mostly do."""
_STEPS = 64
_SHOWN = 16
"""Layers that are only in one model and may stand between two, and elements of a constant that is written out."""


class Comparison:
    """The changes of a ``matching``; ``unknown`` counts the constants whose values a file lacks."""

    def __init__(self, matching: Matching) -> None:
        self.left = matching.left
        self.right = matching.right
        self.unknown = 0
        self.changes: list[Change] = []
        self._seen: set[tuple[int, int]] = set()  # pairs of constants
        # Layers of the left model with another shape or type.
        self._changed: set[int] = set()
        self._quantized: Counter[tuple[str, str, str]] = Counter()
        for at in self.left.layers:
            other = self.left.partner.get(at)
            if other is None:
                kind = self._kind_of_lone(self.left, self.right, at) or "removed"
                self.changes.append(Change(kind, self.left.nodes[at].layer, None))
            else:
                self.changes += self._of_pair(at, other)
        for at in self.right.layers:
            if at not in self.right.partner:
                kind = self._kind_of_lone(self.right, self.left, at) or "added"
                self.changes.append(Change(kind, None, self.right.nodes[at].layer))
        self.changes += self._orders()

    def _kind_of_lone(self, side: Side, other: Side, at: int) -> str | None:
        """What a layer without its like is, where the models mean the same with it and without."""
        if at not in side.alive:
            return "unused"
        if side.up[at] in other.computed:
            return "merged"
        return None

    def quantized(self) -> Iterator[Quantized]:
        totals = Counter(
            node.type
            for node in (self.left.nodes[at] for at in self.left.layers)
            if any(
                weight is not None and len(weight.shape) > 1
                for weight in self._weights(node)
            )
        )
        for (type, before, after), number in self._quantized.most_common():
            yield Quantized(type, number, max(number, totals[type]), before, after)

    def _weights(self, node: NetworkNode) -> list[NetworkConstant | None]:
        return [
            self.left.nodes[source[0]].constant
            for source in node.inputs
            if source is not None
        ]

    def _of_pair(self, at: int, other: int) -> Iterator[Change]:
        one = self.left.nodes[at]
        its = self.right.nodes[other]
        layers = one.layer, its.layer
        if one.operation != its.operation:
            yield Change("version", *layers, "version", one.operation, its.operation)
        for name in sorted({*one.attributes, *its.attributes}):
            before = _text(one.attributes.get(name))
            after = _text(its.attributes.get(name))
            if before != after:
                yield Change("attribute", *layers, name, before, after)
        inputs = list(self._of_inputs(one, its))
        yield from inputs
        yield from self._of_outputs(at, one, its)
        if one.layer.body[1::2] != its.layer.body[1::2]:
            yield Change(
                "input",
                *layers,
                "body",
                "/".join(one.layer.body),
                "/".join(its.layer.body),
            )
        if one.layer.name != its.layer.name:
            yield Change("renamed", *layers, "name", one.layer.name, its.layer.name)
        if {*one.names} != {*its.names}:
            yield Change(
                "renamed",
                *layers,
                "tensor names",
                ", ".join(one.names),
                ", ".join(its.names),
            )
        if one.layer.id != its.layer.id:
            yield Change("renumbered", *layers, "id", one.layer.id, its.layer.id)

    def _of_inputs(self, one: NetworkNode, its: NetworkNode) -> Iterator[Change]:
        theirs = list(its.inputs)
        if one.type in COMMUTATIVE and len(one.inputs) == len(theirs) == 2:
            straight, crossed = (
                sum(map(self._is_same, one.inputs, sources))
                for sources in (theirs, [*reversed(theirs)])
            )
            if crossed > straight:
                theirs.reverse()
                yield Change(
                    "reordered", one.layer, its.layer, "inputs", "0, 1", "1, 0"
                )
        for place in range(max(len(one.inputs), len(theirs))):
            sources = [
                each[place] if place < len(each) else None
                for each in (one.inputs, theirs)
            ]
            yield from self._of_input(one, its, place, *sources)

    def _of_input(
        self,
        one: NetworkNode,
        its: NetworkNode,
        place: int,
        source: Source | None,
        other: Source | None,
    ) -> Iterator[Change]:
        if source is not None and other is not None:
            weights = (
                self.left.nodes[source[0]].constant,
                self.right.nodes[other[0]].constant,
            )
            if weights[0] is not None and weights[1] is not None:
                yield from self._of_constants(
                    one, source[0], other[0], weights[0], weights[1]
                )
                return
        if self._is_same(source, other):
            return
        if self._is_same(_behind(self.left, source), _behind(self.right, other)) and (
            source or other
        ):
            return  # what stands between is added or removed, and told there
        yield Change(
            "input",
            one.layer,
            its.layer,
            f"input {place}",
            _source(self.left, source),
            _source(self.right, other),
        )

    def _is_same(self, source: Source | None, other: Source | None) -> bool:
        if source is None or other is None:
            return source is other
        is_pair = (
            self.left.partner.get(source[0]) == other[0]
            or self.left.up[source[0]] == self.right.up[other[0]]
        )
        return is_pair and source[1] == other[1]

    def _of_outputs(
        self, at: int, one: NetworkNode, its: NetworkNode
    ) -> Iterator[Change]:
        sources = (source[0] for source in one.inputs if source is not None)
        follows = any(source in self._changed for source in sources)
        for number, (output, other) in enumerate(
            zip(one.outputs, its.outputs, strict=False)
        ):
            if one.type == "Result":
                continue
            for kind, before, after in zip(
                ("shape", "type"), output, other, strict=True
            ):
                if before != after and not {before, after} & _UNKNOWN:
                    self._changed.add(at)
                    yield Change(
                        kind,
                        one.layer,
                        its.layer,
                        f"output {number}",
                        before,
                        after,
                        follows=follows,
                    )
        if len(one.outputs) != len(its.outputs):
            yield Change(
                "attribute",
                one.layer,
                its.layer,
                "outputs",
                str(len(one.outputs)),
                str(len(its.outputs)),
            )

    def _of_constants(
        self,
        reader: NetworkNode,
        at: int,
        other: int,
        one: NetworkConstant,
        its: NetworkConstant,
    ) -> Iterator[Change]:
        if (
            one.form.stored != its.form.stored
            and len(one.shape) > 1
            and reader.type != "ShapeOf"
        ):
            self._quantized[reader.type, one.form.stored, its.form.stored] += 1
        if (at, other) in self._seen:
            return
        self._seen.add((at, other))
        layers = self.left.nodes[at].layer, self.right.nodes[other].layer
        yield from self._of_values(reader, layers, one, its)
        if layers[0].name != layers[1].name:
            yield Change("renamed", *layers, "name", layers[0].name, layers[1].name)
        if layers[0].id != layers[1].id:
            yield Change("renumbered", *layers, "id", layers[0].id, layers[1].id)
        if one.place != its.place and one.digest == its.digest:
            yield Change("moved", *layers, "offset", str(one.place), str(its.place))

    def _of_values(
        self,
        reader: NetworkNode,
        layers: tuple[LayerReference, LayerReference],
        one: NetworkConstant,
        its: NetworkConstant,
    ) -> Iterator[Change]:
        what = f"of {called(reader.layer)}"
        if one.shape != its.shape:
            yield Change(
                "constant", *layers, what, _dims(one), _dims(its), of_reader=True
            )
            return
        if one.form == its.form and one.digest == its.digest:
            self.unknown += one.digest is None
            return
        far: Distance | None = None
        if one.digest is None or its.digest is None:
            self.unknown += 1
        elif one.array is not None and its.array is not None:
            far = distance(one.array, its.array)
        if one.form != its.form:
            if (
                one.form.computed == its.form.computed
                and far is not None
                and not far.differing
            ):
                kind = "stored"
            elif one.form.is_compressed or its.form.is_compressed:
                kind = "compression"
            else:
                kind = "type"
            yield Change(
                kind, *layers, what, str(one.form), str(its.form), far, of_reader=True
            )
        elif (
            (far is None or far.differing)
            and one.digest is not None
            and its.digest is not None
        ):
            yield Change(
                "constant",
                *layers,
                what,
                _values(one),
                _values(its),
                far,
                of_reader=True,
            )

    def _orders(self) -> Iterator[Change]:
        """Inputs, outputs and layers that stand in another order."""
        for type in ("Parameter", "Result"):
            nodes = [
                sorted(
                    at
                    for at in side.partner
                    if side.nodes[at].type == type and not side.nodes[at].layer.body
                )
                for side in (self.left, self.right)
            ]
            theirs = [self.right.partner[at] for at in nodes[1]]
            if nodes[0] != theirs:
                before, after = (
                    ", ".join(self.left.nodes[at].layer.name for at in some)
                    for some in (nodes[0], theirs)
                )
                what = "inputs" if type == "Parameter" else "outputs"
                yield Change("reordered", None, None, what, before, after)
        rows = [self.left.partner[at] for at in sorted(self.left.partner)]
        moved = sum(one > other for one, other in itertools.pairwise(rows))
        if moved:
            yield Change(
                "reordered",
                None,
                None,
                "layers of the file",
                "",
                f"{moved} stand before another one",
            )


def _behind(side: Side, source: Source | None) -> Source | None:
    """Where ``source`` leads through layers that only this side has, by their first inputs."""
    for _ in range(_STEPS):
        if (
            source is None
            or source[0] in side.partner
            or side.nodes[source[0]].constant is not None
        ):
            break
        source = next(iter(side.nodes[source[0]].inputs), None)
    return source


def _source(side: Side, source: Source | None) -> str:
    if source is None:
        return ""
    if source[1]:
        number = f" output {source[1]}"
    else:
        number = ""
    return f"{called(side.nodes[source[0]].layer)}{number}"


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    if isinstance(value, float):
        return f"{value:.8g}"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def _dims(constant: NetworkConstant) -> str:
    return f"{constant.form.stored} [{','.join(map(str, constant.shape))}]"


def _values(constant: NetworkConstant) -> str:
    """The values where they are few, else type and shape."""
    array = constant.array
    if array is None or array.size > _SHOWN:
        return _dims(constant)
    return ", ".join(map(str, array.ravel().tolist()))
