"""The guard of the public functions: an error that an argument causes becomes one that names the argument.

Arguments are checked only after an error that ovgather did not raise on purpose: a call that succeeds pays nothing.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from ovgather.errors import ArgumentError, OvgatherError, short_repr
from ovgather.tensor.foreign import model_kind
from ovgather.tensor.shape import PartialShape

_P = ParamSpec("_P")
_R = TypeVar("_R")
_BYTES = (bytes, bytearray, memoryview)


def guarded(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """``function``, whose errors name the argument at fault.

    >>> @guarded
    ... def area(axis, batch_dims=0):
    ...     return axis * 10 + batch_dims
    >>> area(2), area.__name__
    (20, 'area')
    >>> area(None)
    Traceback (most recent call last):
    ovgather.errors.ArgumentError: axis must be an integer of 64 bits, not None
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]

    @wraps(function)
    def guard(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            raise blame(
                error, **dict(zip(names, args, strict=False)), **kwargs
            ) from error.__cause__

    return guard


def weights_are_named(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """``function``, whose second argument was ``weights`` in an earlier release: what can be no layer still is.

    A DeprecationWarning says so.
    """

    again: Callable[..., _R] = function

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if len(args) == 2 and isinstance(args[1], (os.PathLike, *_BYTES)):
            import warnings

            text = f"{function.__name__}: give weights by name; the second argument is the layer, and will only be that"
            warnings.warn(text, DeprecationWarning, stacklevel=2)
            return again(args[0], weights=args[1], **kwargs)
        return function(*args, **kwargs)

    return call


def blame(error: Exception, **arguments: Any) -> Exception:
    """The error that names the one of ``arguments`` that cannot be used; ``error`` itself if there is none."""
    if isinstance(error, (OvgatherError, AssertionError)):
        return error
    return _complaint(arguments) or error


def require(**arguments: Any) -> None:
    """Check ``arguments`` whose faults would go unnoticed."""
    complaint = _complaint(arguments)
    if complaint is not None:
        raise complaint


def _complaint(arguments: dict[str, Any]) -> ArgumentError | None:
    for name in filter(_RULES.__contains__, arguments):
        expected, fits = _RULES[name]
        try:
            usable = fits(arguments[name])
        except Exception:
            usable = False
        if not usable:
            return ArgumentError(
                f"{name} must be {expected}, not {short_repr(arguments[name])}"
            )
    return None


Check = Callable[[Any], object]


def _is_a(*types: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, types)


def _optional(fits: Check) -> Check:
    return lambda value: value is None or fits(value)


def _is_list_of(fits: Check) -> Check:
    # The items of an iterator are gone, so they cannot be checked.
    return lambda value: (
        not isinstance(value, (str, *_BYTES, Iterator)) and all(map(fits, value))
    )


def _is_integer(value: Any) -> bool:
    import numpy

    array = numpy.asarray(value)
    return array.dtype.kind in "iu" and array.shape in ((), (1,))


def _is_count(value: Any) -> bool:
    return (
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63
    )


def _is_flag(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")


def _is_array(value: Any) -> bool:
    import numpy

    return not numpy.asarray(value).dtype.hasobject


def _is_source(value: Any) -> bool:
    # Their classes are above this package.
    is_model = hasattr(value, "problems") or hasattr(value, "graphs")
    is_file = callable(getattr(value, "read", None))
    return (
        _is_path_or_bytes(value) or is_model or is_file or model_kind(value) is not None
    )


def _is_inputs(value: Any) -> bool:
    arrays = value
    if isinstance(value, Mapping):
        if all(map(_is_text, value)):
            arrays = value.values()
        else:
            arrays = [None]
    return value is None or all(map(_is_array, arrays))


def _is_type(value: Any) -> bool:
    from ovgather.tensor.onnx_types import of_others

    of_others(value)
    return True


def _is_codes(value: Any) -> bool:
    return _is_text(value) or (
        not isinstance(value, _BYTES) and all(map(_is_text, value))
    )


def _is_path(value: Any) -> bool:
    # The way of an object may be bytes, or nothing at all.
    return isinstance(value, (str, os.PathLike)) and _is_text(os.fspath(value))


def _is_path_or_bytes(value: Any) -> bool:
    return isinstance(value, _BYTES) or _is_path(value)


_is_text = _is_a(str)
_is_names = _is_list_of(_is_text)
_is_types = _is_list_of(_is_type)
_SOURCE = "a path, bytes, an open binary file or a model"
_NAMES = "a list of names"
_SHAPE = "a shape: a list of dims, text, or None for a dynamic rank"
_FLAG = "True or False"
_RULES: dict[str, tuple[str, Check]] = {
    "type": (
        "the type of a layer, such as 'Gather'",
        lambda value: _is_text(value) or hasattr(value, "op_type"),
    ),
    "version": (
        "an opset, such as 'opset8', of ONNX 13",
        _optional(lambda value: _is_text(value) or _is_count(value)),
    ),
    "dialect": ("'openvino' or 'onnx'", ("openvino", "onnx").__contains__),
    **dict.fromkeys(("axis", "batch_dims"), ("an integer of 64 bits", _is_integer)),
    **dict.fromkeys(("data", "indices"), ("an array", _is_array)),
    "inputs": ("arrays, in order or by name", _is_inputs),
    "out": ("an array", _optional(_is_array)),
    "engine": ("'auto', 'numpy' or 'numba'", ("auto", "numpy", "numba").__contains__),
    "threads": ("a whole number, or None", _optional(_is_count)),
    "shapes": (f"a list, each item {_SHAPE}", _is_list_of(PartialShape.of)),
    "input_shapes": ("shapes by the name of an input", _optional(_is_a(Mapping))),
    **dict.fromkeys(("output", "data_shape"), (_SHAPE, PartialShape.of)),
    "element_types": ("a list of element types, such as 'f32'", _optional(_is_types)),
    "source": (_SOURCE, _is_source),
    # Also a drawn layer and an ``openvino.Model``, whose classes are above this package.
    "model": (
        _SOURCE,
        lambda value: _is_source(value) or type(value).__module__ != "builtins",
    ),
    "converted": (_SOURCE, _optional(_is_source)),
    "weights": ("a path or bytes", _optional(_is_path_or_bytes)),
    "layer": ("the name or id of a layer, as text", _optional(_is_text)),
    **dict.fromkeys(
        ("max_findings", "seed", "length"), ("a whole number from 0 on", _is_count)
    ),
    "timeout": (
        "seconds, a number above 0",
        lambda value: _is_a(int, float)(value) and 0 < value < float("inf"),
    ),
    "device": ("a device, such as 'CPU'", _is_text),
    "mode": ("'alone', 'in-place' or 'both'", _is_text),
    **dict.fromkeys(("variants", "operations"), (_NAMES, _is_names)),
    "against": (
        _NAMES,
        lambda value: _is_text(value) or callable(value) or _is_names(value),
    ),
    **dict.fromkeys(
        ("select", "ignore", "codes"),
        ("codes of rules, such as 'OVG2'", _optional(_is_codes)),
    ),
    "config": (
        "a path, or a mapping",
        _optional(lambda value: isinstance(value, Mapping) or _is_path(value)),
    ),
    "with_openvino": (
        "True, False, 'read' or 'compile'",
        lambda value: _is_flag(value) or value in ("read", "compile"),
    ),
    **dict.fromkeys(("subject", "to"), ("text", _is_text)),
    **dict.fromkeys(
        ("tolerance", "only", "variant"), ("text, or None", _optional(_is_text))
    ),
    **dict.fromkeys(("resume", "folder"), ("a path, or None", _optional(_is_path))),
    "zoo": ("a list of models", _is_list_of(_is_source)),
    "sources": (
        f"{_SOURCE}, or a list of such",
        lambda value: _is_source(value) or _is_list_of(_is_source)(value),
    ),
    "expected": (_NAMES, _optional(_is_names)),
    "target": ("a release, such as '2025.1'", _optional(_is_text)),
    "cache": ("the path of a folder, or None", _optional(_is_path)),
    "paths": ("a list of paths", _is_list_of(_is_path)),
    "start": ("a command line, as a list of words", _optional(_is_names)),
    "progress": ("a function", _optional(callable)),
    **dict.fromkeys(
        ("strict", "static", "guard", "dynamic", "unsafe", "all", "follow_links"),
        (_FLAG, _is_flag),
    ),
    "constant": (_FLAG, _optional(_is_flag)),
}
"""By the name of an argument: what it must be, and whether a value is that."""
