"""A layer with the compressed table that feeds it, as the file has both: its indices alone are given."""

from dataclasses import dataclass, replace
from typing import Any

import numpy

from ovgather.comparison.confirm import Run
from ovgather.comparison.in_model.run import in_one_way
from ovgather.comparison.in_model.tap import Tap
from ovgather.comparison.options import CrosscheckOptions
from ovgather.comparison.report import GRAVITY, worst
from ovgather.layers.compression import MOST_RESTORED, Compression, restored
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import output_tensor
from ovgather.ops.sampling.values import generator
from ovgather.runtimes import wire
from ovgather.runtimes.onnx_model import refusal
from ovgather.runtimes.outcome import Evidence, Outcome, Skip, kernels_of, with_notes
from ovgather.tensor.arrays import Array
from ovgather.text import shape_text

COMPRESSED = "compressed"
"""The variant, and the mark of evidence of it."""
_LENGTH = 5  # of an open dim of the indices


def indices_of(gather: GatherLayer, seed: int) -> list[Array] | None:
    """Indices in range, beyond it at both ends, and others in range; None where no shape is known. Raises Skip."""
    (data, _, _), (shape, _, kind) = gather.tensors[:2]
    if (
        kind is None
        or shape.dims is None
        or not data.is_static
        or gather.axis is None
        or gather.batch_dims
    ):
        return None
    dims = [dim.min if dim.is_static else _LENGTH for dim in shape.dims]
    table = [dim.min for dim in data.dims or ()]
    size = table[gather.axis]
    if numpy.prod(table, dtype=float) > MOST_RESTORED:
        raise Skip(
            f"its table {shape_text(table)} is too large to be restored: only another one is tried"
        )
    if numpy.prod(dims, dtype=float) > 1 << 20 or not size:
        return None
    rng = generator(seed, *gather.seed_path)
    first, again = (rng.integers(0, size, dims).astype(kind.dtype) for _ in range(2))
    outside, (low, high) = first.copy(), kind.limits
    outside[rng.random(dims) < 0.5] = min(size + 3, high)
    if kind.kind == "signed" and gather.operation.allows_negative_indices:
        outside.flat[-1:] = max(-size - 2, low)
    return [first, outside, again]


@dataclass
class CompressedRun(Run):
    """The part of the model of ``run``, an ``IrRun``, that its one Gather and the table need."""

    layers = (None,)
    run: Any
    form: Compression
    options: CrosscheckOptions
    against: str

    def request(self) -> wire.Frame:
        return in_one_way(self.run)

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        if (failed := refusal(header, self.against)) is not None:
            return [self.noted(failed)]
        layer = self.run.layers[0]
        gather: GatherLayer = layer.gather
        source = gather.layer.producer(0)
        assert source is not None
        # Kernels may compute in f32 throughout, where the layers of the file round to f16 in between.
        tables = [
            restored(gather.model, *source, wide=wide).astype("f4")
            for wide in (False, True)
        ]
        replaced = next(iter(self.run.replaced.values()))
        outcomes = []
        for values, indices in zip(
            self.run.values(header, blobs), replaced, strict=False
        ):
            got = values.of(layer.output)
            marks = frozenset({"data", COMPRESSED})
            axis = gather.axis or 0
            kind = got.dtype
            judged = [
                self.judged(
                    Evidence(
                        gather.operation,
                        table.astype(kind),
                        indices,
                        axis,
                        0,
                        got,
                        marks,
                    ),
                    values.version,
                )
                for table in tables
            ]
            outcomes.append(
                max(judged, key=lambda outcome: GRAVITY.index(outcome.verdict))
            )
        kernel = kernels_of(header).get(gather.layer.name)
        return [self.noted(worst(outcomes)._replace(kernel=kernel))]

    def noted(self, outcome: Outcome) -> Outcome:
        if outcome.verdict == "equal":
            return outcome
        return with_notes(outcome, f"the table is {self.form}")


def compressed_run(
    whole: Any, tapped: Any, form: Compression, seed: int
) -> CompressedRun | None:
    """The run of a layer of ``whole`` with its table; None where the indices have no known shape. Raises Skip."""
    gather: GatherLayer = tapped.gather
    indices = indices_of(gather, seed)
    source = gather.layer.producer(1)
    shape, _, kind = output_tensor(gather.layer, 0)
    if (
        gather.layer.body
        or indices is None
        or source is None
        or source[0].type == "Const"
    ):
        return None
    if (
        not gather.operation.indices_replace_axis
        or kind is None
        or not kind.is_real
        or shape.rank is None
    ):
        return None
    rounds = [whole.rounds[0]] * len(indices)
    run = replace(
        whole,
        layers=[tapped],
        points=[tapped.output],
        rounds=rounds,
        pruned=True,
        replaced={Tap(*source): indices},
    )
    return CompressedRun(run, form, whole.options, whole.against)
