"""Partial shapes: what is known of a tensor's shape before it is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ovgather.errors import ArgumentError, short_repr
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, Frozen, exact
from ovgather.tensor.foreign import dims_of, openvino_package
from ovgather.tensor.symbol import normalized, split_dims

Key = tuple[int | tuple[int, int | None, str | None], ...]

__all__ = ["ANY", "DYNAMIC_RANK", "Dimension", "PartialShape"]


class PartialShape(Frozen):
    """A shape as far as it is known; ``dims`` is anything that ``of`` takes.

    It prints as OpenVINO prints it, and is equal to a shape of OpenVINO and to a list that ``of`` reads as an equal
    shape. It is equal to, and has the hash of, the tuple that ``to_tuple`` gives.

    Attributes:
        dims: a tuple of dimensions, None when not even the rank is known.
        symbolic: a dimension has a symbol. Symbols do not count when shapes are compared.
        key: what ``key_of`` gives, once it was asked.

    >>> str(PartialShape([3, "2..8", -1])), str(PartialShape([])), str(PartialShape(None))
    ('[3,2..8,?]', '[]', '[...]')
    >>> PartialShape("3,5") == [3, 5], PartialShape("3,?") == (3, -1), {(3, 5): "found"}[PartialShape("3,5")]
    (True, True, 'found')
    """

    __slots__ = ("dims", "key", "symbolic")
    key: Key | None
    dims: tuple[Dimension, ...] | None
    symbolic: bool

    def __new__(cls, dims: Any) -> PartialShape:
        if dims.__class__ is tuple and {*map(type, dims)} == {Dimension}:
            return of_dims(dims, _any_symbol(dims))
        return cls.of(dims)

    @classmethod
    def of(cls, value: object) -> PartialShape:
        """Make a shape of anything that says one.

        Args:
            value: a PartialShape (of OpenVINO, too), an ``openvino.Shape``, a ``TensorShapeProto`` of onnx or an
                ``onnx_ir.Shape``; text as OpenVINO writes it, with or
                without brackets (``"2,1..7,?"``, ``"[]"`` or ``""`` for a scalar, ``"[...]"`` for a dynamic rank); a
                sequence whose items are lengths (also NumPy integers), ``-1`` or ``"?"``, ``"lo..hi"``, ``(lo, hi)`` or
                Dimensions (of OpenVINO, too); None for a dynamic rank. In text and in a sequence a dim may be named:
                ``"batch"``, or ``"seq:5..9"``.

        Raises:
            ArgumentError: ``value`` says no shape; the message says what is wrong with it.

        >>> str(PartialShape.of([2, (1, 7), (3, None), "?"]))
        '[2,1..7,3..,?]'
        >>> PartialShape.of("batch, seq:5..9, 64").named
        '[batch,seq:5..9,64]'
        >>> PartialShape.of([2, 3.0])
        Traceback (most recent call last):
        ovgather.errors.ArgumentError: [2, 3.0] is not a shape: dim 1: 3.0 is not a length: an integer is needed
        """
        if isinstance(value, PartialShape):
            return value
        if value.__class__ is list or value.__class__ is tuple:
            plain = lengths(value)
            if plain is not None:
                return of_dims(plain)
        if value is None:
            return DYNAMIC_RANK
        if isinstance(value, str):
            return _of_text(value, Dimension.of)
        if (
            getattr(getattr(value, "rank", None), "is_dynamic", False) is True
        ):  # of an openvino.PartialShape
            return DYNAMIC_RANK
        if (named := dims_of(value)) is not None:
            dims = tuple([_of_name(each) for each in named])
            return of_dims(dims, _any_symbol(dims))
        try:
            items: tuple[object, ...] = tuple(value)  # type: ignore[arg-type]
        except Exception:  # whatever its iteration raises
            raise ArgumentError(
                f"{short_repr(value)} is not a shape: give a sequence of dims, text, or None for a dynamic rank"
            ) from None
        dims = _dimensions(items, value, Dimension.of)
        return of_dims(dims, _any_symbol(dims))

    @classmethod
    def parse(cls, text: str) -> PartialShape:
        """Read a shape as OpenVINO writes it: no names.

        Raises:
            ArgumentError: ``text`` says no shape; the message says what is wrong with it.

        >>> PartialShape.parse("2,,3")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ovgather.errors.ArgumentError: '2,,3' is not a shape: dim 1: '' is not a dimension: write 5, ?, -1, 2..8, ...
        """
        return _of_text(text, Dimension.parse)

    @property
    def rank(self) -> int | None:
        """The number of dimensions, None when it is not known."""
        if self.dims is None:
            return None
        return len(self.dims)

    @property
    def is_static(self) -> bool:
        """The rank and every length are known."""
        return self.dims is not None and all(dim.min == dim.max for dim in self.dims)

    def to_tuple(self) -> tuple[int | tuple[int, int | None], ...]:
        """The dims in numbers: a length, -1 for any length, ``(lo, hi)`` for others; ArgumentError without a rank.

        >>> PartialShape("3,?,2..8").to_tuple()
        (3, -1, (2, 8))
        """
        return tuple([dim.plain for dim in self._known()])

    def to_openvino(self) -> Any:
        """The same as an ``openvino.PartialShape``, without symbols; UnavailableError if OpenVINO is not installed."""
        package = openvino_package()
        if self.dims is None:
            return package.PartialShape.dynamic()
        return package.PartialShape([dim.to_openvino() for dim in self.dims])

    @property
    def named(self) -> str:
        """The shape with its symbols, as ``of`` reads it; ``str`` leaves them out, as OpenVINO does.

        >>> PartialShape.of(["batch", 64]).named, str(PartialShape.of(["batch", 64]))
        ('[batch,64]', '[?,64]')
        """
        if self.dims is None:
            return "[...]"
        return f"[{','.join([dim.named for dim in self.dims])}]"

    def compatible(self, other: PartialShape) -> bool:
        """Some shape belongs to both.

        >>> shape = PartialShape.of("2,?")
        >>> shape.compatible(PartialShape.of("?,3")), shape.compatible(PartialShape.of([]))
        (True, False)
        """
        if self.dims is None or other.dims is None:
            return True
        if len(self.dims) != len(other.dims):
            return False
        return all(
            mine.compatible(theirs)
            for mine, theirs in zip(self.dims, other.dims, strict=True)
        )

    def __and__(self, other: PartialShape) -> PartialShape:
        """The shapes that belong to both.

        Raises:
            ArgumentError: there is none; the message names the rank or the dimension.
        """
        if self.dims is None:
            return other
        if other.dims is None:
            return self
        if len(self.dims) != len(other.dims):
            raise ArgumentError(
                f"ranks {len(self.dims)} and {len(other.dims)} differ: {self} and {other}"
            )
        pairs = list(zip(self.dims, other.dims, strict=True))
        for place, (mine, theirs) in enumerate(pairs):
            if not mine.compatible(theirs):
                raise ArgumentError(
                    f"dim {place}: {mine} and {theirs} have no length in common: {self} and {other}"
                )
        return of_dims(
            tuple([mine & theirs for mine, theirs in pairs]),
            self.symbolic or other.symbolic,
        )

    def __iter__(self) -> Iterator[Dimension]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    def __bool__(self) -> bool:
        return True  # a shape is a value, that of a scalar too; not the emptiness of its dims

    def __getitem__(self, place: int) -> Dimension:
        return self._known()[place]

    def _known(self) -> tuple[Dimension, ...]:
        if self.dims is None:
            raise ArgumentError("a shape of dynamic rank has no dims")
        return self.dims

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PartialShape):
            return self.dims == other.dims
        if isinstance(other, tuple):
            return self.dims == other
        if isinstance(other, list) or type(other).__module__.startswith("openvino."):
            try:
                return self.dims == PartialShape.of(other).dims
            except ArgumentError:
                return False
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.dims)

    def __reduce__(self) -> tuple[object, ...]:
        return PartialShape, (self.dims,)

    def __str__(self) -> str:
        if self.dims is None:
            return "[...]"
        return f"[{','.join([str(dim) for dim in self.dims])}]"

    def __repr__(self) -> str:
        return f"PartialShape({self.named!r})"


def key_of(shape: PartialShape) -> Key | None:
    """A shape in numbers and text, quick to hash; equal keys have equal symbols."""
    if shape.key is None and shape.dims is not None:
        items = [
            dim.min
            if dim.min == dim.max and dim.symbol is None
            else (dim.min, dim.max, dim.symbol)
            for dim in shape.dims
        ]
        _set_key(shape, tuple(items))
    return shape.key


def of_key(key: Key | None) -> PartialShape:
    """The shape that has this key; ValueError if an integer in it is no length."""
    if key is None:
        return DYNAMIC_RANK
    dims = tuple(
        [LENGTHS[item] if item.__class__ is int else exact(*item) for item in key]  # type: ignore[misc]
    )
    return of_dims(dims, _any_symbol(dims))


def _any_symbol(dims: tuple[Dimension, ...]) -> bool:
    return bool([dim for dim in dims if dim.symbol is not None])


def of_dims(dims: tuple[Dimension, ...] | None, symbolic: bool = False) -> PartialShape:
    """A shape of dims that are known to be right; the quick way to make one."""
    shape = object.__new__(PartialShape)
    _set_dims(shape, dims)
    _set_symbolic(shape, symbolic)
    _set_key(shape, None)
    return shape


# See ``dimension``: shapes are made by the hundred thousand.
_set_dims, _set_symbolic, _set_key = [
    vars(PartialShape)[name].__set__ for name in ("dims", "symbolic", "key")
]
DYNAMIC_RANK = of_dims(None)


def lengths(items: Sequence[Any]) -> tuple[Dimension, ...] | None:
    """The dims of a list of lengths and -1; None when there is anything else in it."""
    try:
        # Of bool and float, which are equal to integers, the class tells.
        dims = tuple([LENGTHS[item] for item in items if item.__class__ is int])
    except ValueError:
        return None
    if len(dims) == len(items):
        return dims
    return None


def _dimensions(
    items: Sequence[object], whole: object, read: Callable[[Any], Dimension]
) -> tuple[Dimension, ...]:
    dims: list[Dimension] = []
    try:
        for item in items:
            dims.append(read(item))
    except ValueError as problem:
        raise ArgumentError(
            f"{short_repr(whole)} is not a shape: dim {len(dims)}: {problem}"
        ) from None
    return tuple(dims)


def _of_name(dim: object) -> Dimension:
    """A length, or the name of an open dim; None: an open one without a name."""
    if isinstance(dim, str):
        return exact(0, None, normalized(dim) or dim)
    if dim is None:
        return ANY
    return Dimension.of(dim)


def _of_text(text: str, read: Callable[[str], Dimension]) -> PartialShape:
    if not isinstance(text, str):
        raise ArgumentError(f"{short_repr(text)} is not a shape: text is needed")
    inner = text.strip()
    if inner.startswith("[") and inner.endswith("]") and len(inner) > 1:
        inner = inner[1:-1].strip()
    if not inner:
        return of_dims((), False)
    if inner == "...":
        return DYNAMIC_RANK
    dims = _dimensions(split_dims(inner), text, read)
    return of_dims(dims, _any_symbol(dims))
