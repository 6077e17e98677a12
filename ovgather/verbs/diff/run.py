"""Both models on the same inputs: the first pair of layers whose values part, found by bisection.

From an output that differs the search goes up: it looks at some of the layers before it, evenly spread, and goes on
from the first that differs, until nothing that feeds a pair differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy

from ovgather.comparison.in_model.inputs import ModelInput, given_inputs
from ovgather.comparison.in_model.inputs import wanted_inputs as wanted_of_ir
from ovgather.comparison.in_model.random_inputs import random_inputs
from ovgather.comparison.in_model.run import ModelRun, flows
from ovgather.comparison.in_model.tap import Tap
from ovgather.comparison.ir_layers import IrRun
from ovgather.comparison.options import CrosscheckOptions
from ovgather.ir.model import Model
from ovgather.ops.sampling.values import generator
from ovgather.runtimes.outcome import Outcome, Skip
from ovgather.tensor.arrays import Array
from ovgather.tensor.walk import reached
from ovgather.verbs.diff.distance import distance
from ovgather.verbs.diff.match import Matching, Side
from ovgather.verbs.diff.records import Distance, Parting
from ovgather.verbs.network.records import NetworkNode

_TAPPED = 16
"""Pairs that are looked at in one run."""
_NOISE = 1e-5
"""What the order of additions may do to values, relative to the largest of a tensor."""
_LEAVES = frozenset({"Const", "Parameter", "Result"})


def part(matching: Matching, options: CrosscheckOptions) -> Parting:
    """Where the values of both models part.

    Raises:
        UnavailableError: a runtime is not installed.
        InvalidModelError: the ``inputs`` do not fit.
    """
    try:
        search = _Search(matching, options)
        return search.parting()
    except Skip as skip:
        return Parting(problem=str(skip))


class _Search:
    def __init__(self, matching: Matching, options: CrosscheckOptions) -> None:
        self.left = matching.left
        self.right = matching.right
        self.options = options
        wanted = [_wanted(side) for side in (self.left, self.right)]
        arrays = _arrays(self.left, wanted[0], options)
        others = _for_other(matching, wanted, arrays)
        self.whole = (
            _run(self.left, wanted[0], arrays, options),
            _run(self.right, wanted[1], others, options),
        )
        # of the pairs that were looked at, by the left layer
        self.known: dict[int, Distance | None] = {}
        self.runs = 0
        self.before = self._before()
        self.place = {at: number for number, at in enumerate(self.left.network.order)}

    def parting(self) -> Parting:
        ends = [
            at
            for at in self.left.layers
            if self.left.nodes[at].type == "Result"
            and not self.left.nodes[at].layer.body
        ]
        self._look([one for at in ends for one in self.before[at]])
        at = self._first()
        while at is not None:
            above = self._above(at)
            unknown = [one for one in above if one not in self.known]
            feeds = [one for one in self.before[at] if one not in self.known]
            if not feeds:
                break
            step = max(1, len(unknown) // _TAPPED)
            self._look(list(dict.fromkeys([*unknown[::step], *feeds])))
            first = self._first(above)
            at = at if first is None else first
        if at is None:
            return Parting(compared=len(self.known), runs=self.runs)
        return Parting(
            self.left.nodes[at].layer,
            self.right.nodes[self.left.partner[at]].layer,
            self.known[at],
            len(self.known),
            self.runs,
        )

    def _first(self, among: Sequence[int] | None = None) -> int | None:
        """The first pair known to differ."""
        some = [
            at
            for at in (self.known if among is None else among)
            if self.known.get(at) is not None
        ]
        return min(some, key=self.place.__getitem__, default=None)

    def _before(self) -> list[tuple[int, ...]]:
        """The nearest layers with values of both models before each node: those that feed it, or feed what does."""
        before: list[tuple[int, ...]] = [()] * len(self.left.nodes)
        for at in self.left.network.order:
            nearest: dict[int, None] = {}
            for source in self.left.nodes[at].inputs:
                if source is not None:
                    nearest |= dict.fromkeys(
                        [source[0]] if self._is_point(source[0]) else before[source[0]]
                    )
            before[at] = tuple(nearest)
        return before

    def _is_point(self, at: int) -> bool:
        node = self.left.nodes[at]
        other = self.left.partner.get(at)
        if other is None or node.layer.body or node.type in _LEAVES or not node.outputs:
            return False
        return _point(self.right.nodes[other]) is not None and _point(node) is not None

    def _above(self, at: int) -> list[int]:
        """All that leads to a pair, in the order of the data."""
        above = reached(self.before[at], self.before.__getitem__)
        return sorted(above, key=self.place.__getitem__)

    def _look(self, pairs: Sequence[int]) -> None:
        """Run both models, and compare what these pairs give. Raises Skip where one does not run."""
        pairs = [at for at in dict.fromkeys(pairs) if at not in self.known]
        if not pairs:
            return
        self.runs += 1
        values = []
        for side, whole in zip((self.left, self.right), self.whole, strict=True):
            if side is self.left:
                own = pairs
            else:
                own = [self.left.partner[at] for at in pairs]
            points = [_point(side.nodes[at]) for at in own]
            (flow,) = flows([replace(whole, points=points, pruned=True)])
            if isinstance(flow, Outcome):
                raise Skip(f"{side.network.path} does not run: {flow.reason}")
            values.append([flow.of(point) for point in points])
        for at, one, other in zip(pairs, *values, strict=True):
            self.known[at] = self._distance(one, other)

    def _distance(self, one: Array, other: Array) -> Distance | None:
        """How far two values are apart; None: as good as equal."""
        far = distance(one, other)
        if far is None:
            return Distance(
                max(one.size, other.size, 1),
                one.size,
                before=list(one.shape),
                after=list(other.shape),
            )
        if not far.differing:
            return None
        if self.options.tolerance is not None:
            if self.options.tolerance.holds(other.astype(one.dtype), one):
                return None
            return far
        is_noise = (
            one.dtype.kind not in "iubO"
            and far.most is not None
            and far.most <= _NOISE * (far.largest or 0)
        )
        return None if is_noise else far


def _point(node: NetworkNode) -> Any:
    """Where the value of a layer is found; None: nowhere."""
    if not isinstance(node.origin, tuple):
        if node.origin is not None:
            return Tap(node.origin, 0)
        return None
    from ovgather.runtimes.onnx_model import OnnxTap

    name = next(iter(node.origin[1].output), "")
    if name:
        return OnnxTap(name)
    return None


def _wanted(side: Side) -> list[ModelInput]:
    model = side.network.model
    if isinstance(model, Model):
        return wanted_of_ir(model)
    from ovgather.comparison.onnx.inputs import wanted_inputs

    return wanted_inputs(model)


def _arrays(
    side: Side, wanted: list[ModelInput], options: CrosscheckOptions
) -> Sequence[Array]:
    model = side.network.model
    if not isinstance(model, Model):
        from ovgather.comparison.onnx.inputs import chosen_inputs

        return chosen_inputs(model, wanted, options)
    if options.inputs is not None:
        return given_inputs(model.path, wanted, options.inputs)
    arrays = random_inputs(model, wanted, generator(options.seed))
    return [want.seen(array) for want, array in zip(wanted, arrays, strict=True)]


def _for_other(
    matching: Matching, wanted: list[list[ModelInput]], arrays: Sequence[Array]
) -> list[Array]:
    """The ``arrays`` of the left model for the right one. Raises Skip where it has an input that the left has not."""
    by_number = {}
    for left, right in matching.left.partner.items():
        if (
            matching.left.nodes[left].type == "Parameter"
            and not matching.left.nodes[left].layer.body
        ):
            by_number[_key(matching.right.nodes[right])] = _key(
                matching.left.nodes[left]
            )
    by_key = {want.key: array for want, array in zip(wanted[0], arrays, strict=True)}
    others = []
    for want in wanted[1]:
        array = by_key.get(by_number.get(want.key))
        if array is None:
            raise Skip(
                f"only {matching.right.network.path} has the input {want.names[0]!r}"
            )
        if want.kind is not None and array.dtype != want.kind.dtype:
            array = array.astype(want.kind.dtype)
        if (misfit := want.misfit(array)) != "":
            raise Skip(
                f"the input {want.names[0]!r} of {matching.right.network.path}: the array for both {misfit}"
            )
        others.append(numpy.ascontiguousarray(array) if array.ndim else array)
    return others


def _key(node: NetworkNode) -> Any:
    """What names an input: the id of its Parameter, or its name in ONNX."""
    if node.origin is not None:
        return node.origin.id
    return node.layer.name


def _run(
    side: Side,
    wanted: list[ModelInput],
    arrays: Sequence[Array],
    options: CrosscheckOptions,
) -> ModelRun:
    model = side.network.model
    if isinstance(model, Model):
        if model.weights is None and any(node.type == "Const" for node in side.nodes):
            raise Skip(
                f"{model.path} has no weights, and OpenVINO cannot load it without them"
            )
        return IrRun(model, [], [], wanted, [arrays], options)
    from ovgather.comparison.onnx.nodes import RUNTIMES, OnnxRun

    return OnnxRun(model, [], [], wanted, [arrays], options, RUNTIMES[0])
