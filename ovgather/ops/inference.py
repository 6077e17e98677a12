"""What shape inference answers: a shape, where its dims come from, and what that relies on."""

from collections.abc import Callable, Iterator

from ovgather.errors import ShapeInferenceError
from ovgather.ops.call import Call, DimOrigin, DimSource
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.lazy import cached
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.value import PublicValue


class _Symbol:
    """Names that stand for one length: the first of them, what it can be, and the dim that limited it last."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.dim = ANY
        self.source = ""


class Relations:
    """How dims of data and indices relate where they meet: they are equal, or one is at most the other."""

    def __init__(self, call: Call, origins: tuple[DimOrigin, ...]) -> None:
        self.call = call
        joined = [
            origin.sources for origin in origins if origin.kind in ("merge", "product")
        ]
        self.pairs = [
            pair
            for sources in joined
            for pair in zip(sources[::2], sources[1::2], strict=True)
        ]
        self.bounds = [origin.sources for origin in origins if origin.kind == "bounded"]
        self.problems: list[ShapeInferenceError] = []
        self._symbols: dict[str, _Symbol] = {}
        for argument, shape in zip(("data", "indices"), call.shapes, strict=False):
            for place, dim in enumerate(shape.dims or ()):
                if dim.symbol is not None:
                    self._limit(dim.symbol, dim, argument, place)
        self._declared = {name: symbol.dim for name, symbol in self._symbols.items()}
        for left, right in self.pairs:
            self._join(left, right)
        for inner, outer in self.bounds:
            low = self._dim(inner)
            high = self._dim(outer)
            if low.symbol is not None:
                self._limit(
                    low.symbol, Dimension(0, high.max), outer.argument, outer.dim
                )
            if high.symbol is not None:
                self._limit(
                    high.symbol, Dimension(low.min, None), inner.argument, inner.dim
                )

    def _dim(self, source: DimSource) -> Dimension:
        return self.call.shapes[0 if source.argument == "data" else 1][source.dim]

    def _limit(
        self, name: str, dim: Dimension, argument: str, place: int, words: str = ""
    ) -> None:
        symbol = self._symbols.setdefault(name, _Symbol(name))
        words = words or f"{argument} dim {place}"
        if not symbol.dim.compatible(dim):
            message = f"{symbol.name} is {symbol.dim} by {symbol.source}, but {dim} by {words}"
            self.problems.append(
                self.call.error("dims_mismatch", argument, message, place)
            )
            return
        both = symbol.dim & dim
        if both != symbol.dim or not symbol.source:
            symbol.dim = Dimension(both.min, both.max)
            symbol.source = words

    def _join(self, left: DimSource, right: DimSource) -> None:
        mine = self._dim(left)
        theirs = self._dim(right)
        if mine.symbol is None or theirs.symbol is None:
            for name, other, at in (
                (mine.symbol, theirs, right),
                (theirs.symbol, mine, left),
            ):
                if name is not None:
                    self._limit(name, other, at.argument, at.dim)
            return
        first = self._symbols[mine.symbol]
        second = self._symbols[theirs.symbol]
        if first is not second:
            self._limit(
                mine.symbol, second.dim, right.argument, right.dim, second.source
            )
            for name, symbol in self._symbols.items():
                if symbol is second:
                    self._symbols[name] = first

    def resolved(self, shape: PartialShape) -> PartialShape:
        """``shape`` with one name for symbols that are equal, and with what is known of them."""
        if not shape.symbolic or shape.dims is None:
            return shape
        dims = list(shape.dims)
        for place, dim in enumerate(dims):
            if dim.symbol is not None:
                symbol = self._symbols[dim.symbol]
                dims[place] = Dimension(
                    symbol.dim.min, symbol.dim.max, symbol=symbol.name
                )
        return PartialShape(tuple(dims))

    @property
    def equalities(self) -> tuple[str, ...]:
        """``batch == n`` for every two names that met."""
        names = [
            (self._dim(left).symbol, self._dim(right).symbol)
            for left, right in self.pairs
        ]
        texts = [
            f"{mine} == {theirs}"
            for mine, theirs in names
            if mine and theirs and mine != theirs
        ]
        return tuple(dict.fromkeys(texts))

    @property
    def constraints(self) -> tuple[str, ...]:
        """What the input dims must be beyond what they say."""
        symbols = {name: self._symbols[name].dim for name in self._declared}
        limits = [
            _between(name, dim)
            for name, dim in symbols.items()
            if dim != self._declared[name]
        ]
        return tuple(dict.fromkeys([*limits, *self._meetings(), *self._at_most()]))

    def _meetings(self) -> Iterator[str]:
        for left, right in self.pairs:
            mine = self._dim(left)
            theirs = self._dim(right)
            if (mine.symbol and theirs.symbol) or (mine.is_static and theirs.is_static):
                continue
            if mine.is_static or theirs.is_static:
                if mine.is_static:
                    source = right
                    other = theirs
                    dim = mine
                else:
                    source = left
                    other = mine
                    dim = theirs
                yield _between(other.symbol or str(source), dim)
                continue
            yield f"{mine.symbol or left} == {theirs.symbol or right}"
            both = mine & theirs
            if not mine.symbol and not theirs.symbol and both not in (mine, theirs):
                yield _between(str(left), both)

    def _at_most(self) -> Iterator[str]:
        for inner, outer in self.bounds:
            mine = self._dim(inner)
            theirs = self._dim(outer)
            certain = mine.max is not None and mine.max <= theirs.min
            # Of a symbol beside a length the limits of the symbol tell.
            is_said = (mine.symbol and theirs.is_static) or (
                theirs.symbol and mine.is_static
            )
            if not (
                certain or is_said or (mine.symbol and mine.symbol == theirs.symbol)
            ):
                low = mine.symbol or str(inner)
                high = theirs.symbol or str(outer)
                yield f"{mine.min if mine.is_static else low} <= {theirs.min if theirs.is_static else high}"


def _between(name: str, dim: Dimension) -> str:
    """``5 <= n <= 9``, ``n == 5`` or ``n <= 9``."""
    if dim.is_static:
        return f"{name} == {dim.min}"
    if dim.min:
        low = f"{dim.min} <= "
    else:
        low = ""
    return f"{low}{name}" + ("" if dim.max is None else f" <= {dim.max}")


class Inference(PublicValue):
    """An inferred output shape; what else there is to say is made when asked for.

    Attributes:
        shape: the shape; symbols found to be equal are one in it.
    """

    def __init__(
        self,
        call: Call,
        shape: PartialShape,
        explain: Callable[[], list[DimOrigin] | str],
        requires: tuple[str, ...] = (),
    ) -> None:
        """``explain`` gives the origin of each dim, or the reason of a dynamic rank."""
        self.call = call
        self.shape = shape
        self.requires = requires
        self._explain = explain

    def facts(self) -> Iterator[object]:
        yield self.shape
        yield self.shape.named
        yield self.requires
        yield self._why

    @cached
    def _why(self) -> list[DimOrigin] | str:
        """Made once: rules ask for the origin of dim after dim."""
        return self._explain()

    @property
    def origins(self) -> tuple[DimOrigin, ...]:
        """Where each output dim comes from; empty when the rank is dynamic."""
        if isinstance(self._why, str):
            return ()
        return tuple(self._why)

    @property
    def reasons(self) -> tuple[str, ...]:
        """``origins`` in words, ``dim 1 = 2..8: indices dim 1 (the axis)``; of a dynamic rank one sentence says why."""
        if isinstance(self._why, str):
            return (f"rank unknown: {self._why}",)
        pairs = zip(self.shape, self._why, strict=True)
        return tuple(
            [
                f"dim {place} = {dim.named}: {origin}"
                for place, (dim, origin) in enumerate(pairs)
            ]
        )

    @property
    def equalities(self) -> tuple[str, ...]:
        """The symbols that must be equal, for they met at one place: ``batch == n``."""
        return Relations(self.call, self.origins).equalities

    @property
    def constraints(self) -> tuple[str, ...]:
        """What else the shape relies on: ``5 <= seq <= 9``, ``data dim 1 == indices dim 1``, ``rank(data) == 2``."""
        return (*self.requires, *Relations(self.call, self.origins).constraints)

    def __getstate__(self) -> dict[str, object]:
        # A function inside an operation cannot be pickled.
        return {**vars(self), "_why": self._why, "_explain": None}

    def __repr__(self) -> str:
        return f"Inference({self.shape.named!r})"
