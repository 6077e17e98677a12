"""The layers that ``execution.py`` measures, and those it was never tuned on."""

from __future__ import annotations

from typing import Any, NamedTuple

from ovgather.tensor.element_type import find


class Case(NamedTuple):
    """A layer, its types, and what its indices are like.

    ``indices_are``: ``inside``, ``negative`` (half of them), or ``outside`` (one in a hundred, which gives zeros).
    ``part``: which part of the table it belongs to.
    """

    name: str
    type: str
    data: tuple[int, ...]
    indices: tuple[int, ...]
    axis: int = 0
    batch_dims: int = 0
    data_type: str = "f32"
    index_type: str = "i64"
    indices_are: str = "inside"

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many elements each index chooses from; of GatherND one number for each place of a tuple."""
        if self.type == "GatherND":
            return self.data[self.batch_dims : self.batch_dims + self.indices[-1]]
        return (self.data[self.axis],)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the output."""
        if self.type == "GatherElements":
            return self.indices
        if self.type == "GatherND":
            return self.indices[:-1] + self.data[self.batch_dims + self.indices[-1] :]
        return (
            self.data[: self.axis]
            + self.indices[self.batch_dims :]
            + self.data[self.axis + 1 :]
        )

    @property
    def slices(self) -> bool:
        """Whether more than one element is taken for an index, side by side."""
        last = (
            self.batch_dims + self.indices[-1] - 1
            if self.type == "GatherND"
            else self.axis
        )
        return self.type != "GatherElements" and len(self.data) > last + 1

    def arrays(self) -> tuple[Any, Any]:
        """Data and indices, the same each time."""
        import numpy

        generator = numpy.random.default_rng(len(self.name) + sum(self.data))
        kind = find(self.data_type)
        assert kind is not None
        if kind.is_real:
            data = generator.standard_normal(self.data, "f4").astype(kind.dtype)
        else:
            reach = 1 << min(kind.bits - 1, 30)  # OpenVINO narrows i64 to 32 bits
            data = generator.integers(-reach, reach, self.data, "i4").astype(kind.dtype)
        dtype = numpy.dtype(f"{self.index_type[0]}{int(self.index_type[1:]) // 8}")
        parts = [
            generator.integers(0, size, self._index_shape, dtype) for size in self.sizes
        ]
        for part, size in zip(parts, self.sizes, strict=True):
            if self.indices_are == "negative":
                part -= (generator.random(part.shape, "f4") < 0.5).astype(
                    dtype
                ) * dtype.type(size)
            elif self.indices_are == "outside":
                part[generator.random(part.shape, "f4") < 0.01] = size
        return data, numpy.stack(parts, axis=-1) if self.type == "GatherND" else parts[
            0
        ]

    @property
    def _index_shape(self) -> tuple[int, ...]:
        return self.indices[:-1] if self.type == "GatherND" else self.indices


_GATHER = [
    Case("specification, 5 of 1-D", "Gather", (5,), (3,)),
    Case("specification, batch_dims 2", "Gather", (2, 2, 5), (2, 2, 3), 2, 2),
    Case(
        "specification, batch_dims 1",
        "Gather",
        (2, 64, 128),
        (2, 32, 21),
        1,
        1,
        index_type="i32",
    ),
    Case("1-D of 1M, i32", "Gather", (1_000_000,), (1_000_000,), index_type="i32"),
    Case("1-D of 1M, i64", "Gather", (1_000_000,), (1_000_000,)),
    Case(
        "1-D of 1M, negative",
        "Gather",
        (1_000_000,),
        (1_000_000,),
        index_type="i32",
        indices_are="negative",
    ),
    Case(
        "1-D of 1M, 1 % outside",
        "Gather",
        (1_000_000,),
        (1_000_000,),
        index_type="i32",
        indices_are="outside",
    ),
    Case(
        "1-D of 1M, i64 data",
        "Gather",
        (1_000_000,),
        (1_000_000,),
        data_type="i64",
        index_type="i32",
    ),
    Case(
        "1-D of 1M, i8 data",
        "Gather",
        (1_000_000,),
        (1_000_000,),
        data_type="i8",
        index_type="i32",
    ),
    Case("1-D of 4096, 1M indices", "Gather", (4096,), (1_000_000,)),
    Case("embedding, f32, one sentence", "Gather", (30522, 768), (1, 128)),
    Case("embedding, f32", "Gather", (30522, 768), (32, 128)),
    Case("embedding, f16", "Gather", (50257, 1024), (8, 1024), data_type="f16"),
    Case(
        "embedding, f32, 1 % outside",
        "Gather",
        (30522, 768),
        (32, 128),
        index_type="i32",
        indices_are="outside",
    ),
    Case("rows of 3", "Gather", (1_000_000, 3), (1_000_000,), index_type="i32"),
    Case("rows of 8, f16", "Gather", (100_000, 8), (500_000,), data_type="f16"),
    Case("rows of 256k", "Gather", (64, 262_144), (96,), index_type="i32"),
    Case("axis in the middle", "Gather", (64, 512, 256), (300,), 1),
    Case("axis last", "Gather", (1024, 4096), (2048,), 1, index_type="i32"),
    Case(
        "axis last, f16, negative",
        "Gather",
        (4096, 512),
        (512,),
        1,
        data_type="f16",
        indices_are="negative",
    ),
    Case("batch_dims 1", "Gather", (64, 1000, 64), (64, 200), 1, 1),
    Case(
        "batch_dims 2", "Gather", (8, 16, 128, 64), (8, 16, 32), 2, 2, index_type="i32"
    ),
    Case(
        "many small batches", "Gather", (20_000, 8), (20_000, 4), 1, 1, index_type="i32"
    ),
]
_ELEMENTS = [
    Case("specification", "GatherElements", (3, 7, 5), (3, 10, 5), 1),
    Case(
        "64k, axis last", "GatherElements", (256, 256), (256, 256), 1, index_type="i32"
    ),
    Case("a few of each row", "GatherElements", (64, 1000), (64, 10), 1),
    Case("1M, axis last", "GatherElements", (1024, 1024), (1024, 1024), 1),
    Case(
        "1M, axis first, f16",
        "GatherElements",
        (1024, 1024),
        (1024, 1024),
        0,
        data_type="f16",
        index_type="i32",
    ),
    Case(
        "1M, axis middle, negative",
        "GatherElements",
        (64, 256, 64),
        (64, 256, 64),
        1,
        indices_are="negative",
    ),
    Case("4M, axis first", "GatherElements", (2048, 2048), (2048, 2048), 0),
    Case(
        "4M, axis last, i8",
        "GatherElements",
        (2048, 2048),
        (2048, 2048),
        1,
        data_type="i8",
        index_type="i32",
    ),
    Case(
        "4M, axis middle, i64",
        "GatherElements",
        (16, 512, 512),
        (16, 512, 512),
        1,
        data_type="i64",
    ),
    Case(
        "50M, axis last",
        "GatherElements",
        (500, 100, 1000),
        (500, 100, 1000),
        2,
        index_type="i32",
    ),
    Case(
        "50M, axis middle",
        "GatherElements",
        (500, 100, 1000),
        (500, 100, 1000),
        1,
        index_type="i32",
    ),
    Case(
        "50M, axis first",
        "GatherElements",
        (500, 100, 1000),
        (500, 100, 1000),
        0,
        index_type="i32",
    ),
]
_ND = [
    Case("specification", "GatherND", (1000, 256, 10, 15), (25, 125, 3)),
    Case("single elements", "GatherND", (1024, 1024), (200_000, 2), index_type="i32"),
    Case("batch_dims 1", "GatherND", (64, 100, 256), (64, 50, 1), 0, 1),
]
CASES = [*_GATHER, *_ELEMENTS, *_ND]

HOLD_OUT = [
    Case("1-D of 300k, f16", "Gather", (300_000,), (700_000,), data_type="f16"),
    Case("rows of 48", "Gather", (250_000, 48), (90_000,), index_type="i32"),
    Case("rows of 1536", "Gather", (12_000, 1536), (5_000,)),
    Case(
        "axis in the middle, f16",
        "Gather",
        (77, 1234, 17),
        (555,),
        1,
        data_type="f16",
        index_type="i32",
    ),
    Case("axis last of 90", "Gather", (9_000, 90), (33,), 1),
    Case(
        "batch_dims 1, rows of 20",
        "Gather",
        (500, 300, 20),
        (500, 70),
        1,
        1,
        index_type="i32",
    ),
    Case("1,000 of 37", "GatherElements", (37, 30), (37, 30), 0),
    Case("2.3M, axis middle", "GatherElements", (300, 700, 11), (300, 700, 11), 1),
    Case(
        "185k, axis first, f16",
        "GatherElements",
        (37, 5000),
        (37, 5000),
        0,
        data_type="f16",
        index_type="i32",
    ),
    Case(
        "3M, axis last",
        "GatherElements",
        (1500, 1999),
        (1500, 1999),
        1,
        index_type="i32",
    ),
    Case(
        "9M, axis middle, i8",
        "GatherElements",
        (70, 100, 1300),
        (70, 100, 1300),
        1,
        data_type="i8",
    ),
    Case("slices of 5", "GatherND", (300, 400, 5), (90_000, 2)),
]
