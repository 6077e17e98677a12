"""Symbols of dims: which are equal because they met, what each can be, and what an inferred shape relies on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ovgather.errors import ShapeInferenceError
    from ovgather.ops.call import Call
    from ovgather.ops.origin import Origin, Source


class _Symbol:
    """Names that stand for one length: the first of them, what it can be, and who said so last."""

    __slots__ = ("dim", "name", "said")

    def __init__(self, name: str) -> None:
        self.name = name
        self.dim = ANY
        self.said = ""


class Relations:
    """How dims of data and indices relate where they meet: they are equal, or one is at most the other."""

    def __init__(self, call: Call, origins: Iterable[Origin]) -> None:
        origins = tuple(origins)
        self.call = call
        self.pairs = list(_pairs(origins))
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
            self._bound(inner, outer)

    def _dim(self, source: Source) -> Dimension:
        return self.call.shapes[0 if source.argument == "data" else 1][source.dim]

    def _limit(self, name: str, dim: Dimension, argument: str, place: int, words: str = "") -> None:
        symbol = self._symbols.get(name)
        if symbol is None:
            symbol = self._symbols[name] = _Symbol(name)
        words = words or f"{argument} dim {place}"
        if not symbol.dim.compatible(dim):
            message = f"{symbol.name} is {symbol.dim} by {symbol.said}, but {dim} by {words}"
            self.problems.append(self.call.error("dims_mismatch", argument, message, place))
            return
        both = symbol.dim & dim
        if both != symbol.dim or not symbol.said:
            symbol.dim, symbol.said = Dimension(both.min, both.max), words

    def _join(self, left: Source, right: Source) -> None:
        mine, theirs = self._dim(left), self._dim(right)
        if mine.symbol is None or theirs.symbol is None:
            for source, other in ((left, theirs), (right, mine)):
                name = self._dim(source).symbol
                if name is not None:
                    at = right if source is left else left
                    self._limit(name, other, at.argument, at.dim)
            return
        first, second = self._symbols[mine.symbol], self._symbols[theirs.symbol]
        if first is not second:
            self._limit(mine.symbol, second.dim, right.argument, right.dim, second.said)
            for name, symbol in self._symbols.items():
                if symbol is second:
                    self._symbols[name] = first

    def _bound(self, inner: Source, outer: Source) -> None:
        mine, theirs = self._dim(inner), self._dim(outer)
        if mine.symbol is not None:
            self._limit(mine.symbol, Dimension(0, theirs.max), outer.argument, outer.dim)
        if theirs.symbol is not None:
            self._limit(theirs.symbol, Dimension(mine.min, None), inner.argument, inner.dim)

    def resolved(self, shape: PartialShape) -> PartialShape:
        """``shape`` with one name for symbols that are equal, and with what is known of them."""
        if not shape.symbolic or shape.dims is None:
            return shape
        return PartialShape(tuple([self._resolved(dim) for dim in shape.dims]))

    def _resolved(self, dim: Dimension) -> Dimension:
        if dim.symbol is None:
            return dim
        symbol = self._symbols[dim.symbol]
        return Dimension(symbol.dim.min, symbol.dim.max, symbol=symbol.name)

    # -- in words ------------------------------------------------------------------------------------------------

    @property
    def equalities(self) -> tuple[str, ...]:
        """``batch == n`` for every two names that met."""
        names = [(self._dim(left).symbol, self._dim(right).symbol) for left, right in self.pairs]
        return _once(f"{mine} == {theirs}" for mine, theirs in names if mine and theirs and mine != theirs)

    @property
    def constraints(self) -> tuple[str, ...]:
        """What the input dims must be beyond what they say."""
        return _once([*self._limits(), *self._meetings(), *self._at_most()])

    def _limits(self) -> Iterator[str]:
        for name, declared in self._declared.items():
            dim = self._symbols[name].dim
            if dim != declared:
                yield _between(name, dim)

    def _meetings(self) -> Iterator[str]:
        for left, right in self.pairs:
            mine, theirs = self._dim(left), self._dim(right)
            if (mine.symbol and theirs.symbol) or (mine.is_static and theirs.is_static):
                continue
            if mine.is_static or theirs.is_static:
                source, other, dim = (right, theirs, mine) if mine.is_static else (left, mine, theirs)
                yield _between(other.symbol or str(source), dim)
                continue
            yield f"{mine.symbol or left} == {theirs.symbol or right}"
            both = mine & theirs
            if not mine.symbol and not theirs.symbol and both not in (mine, theirs):
                yield _between(str(left), both)

    def _at_most(self) -> Iterator[str]:
        for inner, outer in self.bounds:
            mine, theirs = self._dim(inner), self._dim(outer)
            certain = mine.max is not None and mine.max <= theirs.min
            # Of a symbol beside a length the limits of the symbol tell.
            is_said = (mine.symbol and theirs.is_static) or (theirs.symbol and mine.is_static)
            if not (certain or is_said or (mine.symbol and mine.symbol == theirs.symbol)):
                low, high = mine.symbol or str(inner), theirs.symbol or str(outer)
                yield f"{mine.min if mine.is_static else low} <= {theirs.min if theirs.is_static else high}"


def _pairs(origins: Iterable[Origin]) -> Iterator[tuple[Source, Source]]:
    for origin in origins:
        if origin.kind in ("merge", "product"):
            yield from zip(origin.sources[::2], origin.sources[1::2], strict=True)


def _between(name: str, dim: Dimension) -> str:
    """``5 <= n <= 9``, ``n == 5`` or ``n <= 9``."""
    if dim.is_static:
        return f"{name} == {dim.min}"
    low = f"{dim.min} <= " if dim.min else ""
    return f"{low}{name}" + ("" if dim.max is None else f" <= {dim.max}")


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
