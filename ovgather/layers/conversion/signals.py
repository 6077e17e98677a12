"""Nodes of signals: Fourier transforms, windows over time, and grids and patches of images."""

from __future__ import annotations

from ovgather.layers.conversion.call import (
    NodeCall,
    NotFollowed,
    constant,
    derived,
    integers,
    scalar,
    type_of,
)
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Tensor

_FLOAT = 1


def _window(call: NodeCall) -> list[Tensor]:
    places = call.layer("Range", scalar(0), call.input(0), scalar(1), output_type="f32")
    kind = type_of(call.integer("output_datatype", _FLOAT))
    return [call.layer("Convert", places, destination_type=kind)]


def _fourier(call: NodeCall) -> list[Tensor]:
    """Real numbers become complex ones, except for the half of a spectrum. The input with the axis is not read."""
    signal = call.input(0)
    is_half = call.integer("onesided", 0) == 1
    is_inverse = call.integer("inverse", 0) == 1
    dims = signal.shape.dims
    if not dims:
        raise NotFollowed("a signal of an unknown rank")
    if dims[-1] == 1 and (is_inverse or not is_half):
        signal = derived(signal, PartialShape((*dims[:-1], LENGTHS[2])))
    type = ("I" if is_inverse else "") + ("RDFT" if is_half else "DFT")
    axes = integers([call.integer("axis", -2 if call.opset >= 20 else 1)])
    lengths = [call.reshaped(call.inputs[1], 1)] if call.has(1) else []
    return [call.layer(type, signal, axes, *lengths)]


def _frames(call: NodeCall) -> list[Tensor]:
    """The spectrum of each frame; the signal has a batch, a length, and 1 or 2 numbers."""
    signal = call.input(0)
    dims = signal.shape.dims
    if dims is None or not signal.shape.is_static or len(dims) not in (2, 3):
        call.refuse("signal", f"the signal must have known dims: {signal.shape}")
    step = _number(call, 1, "frame_step")
    if step < 1:
        call.refuse("frame_step", f"frame_step is {step}, but must be positive")
    window = call.inputs[2] if call.has(2) else None
    if window is not None and window.shape.rank not in (None, 1):
        call.refuse("window", f"the window must be a list: {window.shape}")
    if call.has(3):
        length = _number(call, 3, "frame_length")
    elif window is not None and window.shape.rank and window.shape[0].is_static:
        length = window.shape[0].min
    else:
        raise NotFollowed("frames of unknown length")
    is_half = call.integer("onesided", 1) == 1
    is_complex = len(dims) == 3 and dims[2] == 2
    if is_half and is_complex:
        call.refuse("onesided", "the signal is complex, and onesided is 1")
    if not 0 < length <= dims[1].min:
        call.refuse("frame_length", f"no frame of {length} in {dims[1].min} numbers")
    frame = derived(signal, PartialShape((LENGTHS[length],)))
    if window is not None:
        frame = call.layer("Multiply", frame, derived(window))
    parts = [LENGTHS[2]] * is_complex
    frame = derived(frame, PartialShape((dims[0], LENGTHS[length], *parts)))
    axes = integers([1])
    spectrum = call.layer("RDFT" if is_half else "DFT", frame, axes)
    count = (dims[1].min - length) // step + 1
    shape = (dims[0], LENGTHS[count], *(spectrum.shape.dims or ())[1:])
    return [derived(spectrum, PartialShape(shape))]


def _number(call: NodeCall, index: int, name: str) -> int:
    """The one integer of a constant input."""
    number = call.input(index)
    if not number.is_constant or (number.value is not None and len(number.value) != 1):
        call.refuse(name, f"{name} must be a constant number")
    if number.value is None or not isinstance(number.value[0], int):
        raise NotFollowed(name)
    return number.value[0]


def _image_of_columns(call: NodeCall) -> list[Tensor]:
    lists = {}
    for name, usual in (
        ("strides", [1] * 2),
        ("dilations", [1] * 2),
        ("pads", [0] * 4),
    ):
        lists[name] = call.integers(name) or usual
        if len(lists[name]) != len(usual):
            call.refuse(
                name, f"{name} has {len(lists[name])} numbers, not {len(usual)}"
            )
    if min(lists["strides"]) < 1:
        call.refuse("strides", f"strides are {lists['strides']}, they must be positive")
    pads = lists.pop("pads")
    attributes = {
        **{name: tuple(numbers) for name, numbers in lists.items()},
        "pads_begin": tuple(pads[:2]),
        "pads_end": tuple(pads[2:]),
    }
    inputs = [call.input(index) for index in range(3)]
    return [call.layer("Col2Im", *inputs, **attributes)]


def _center(call: NodeCall) -> list[Tensor]:
    """The middle of data, or data in the middle of zeros, along the first axes or some."""
    data = call.input(0)
    target = call.input(1)
    if data.shape.dims is None or not target.shape.is_static or not target.shape.rank:
        raise NotFollowed("a target of unknown length")
    rank = len(data.shape.dims)
    # One axis too many is refused; a file may say billions.
    count = min(target.shape[0].min, rank + 1)
    axes = call.integers("axes") or list(range(count))
    lengths = call.layer("ShapeOf", data, output_type="i64")
    target = call.layer("Convert", target, destination_type="i64")
    if any(not -rank <= axis < rank for axis in axes):
        call.refuse("axes", f"axes {axes} are out of range [{-rank}, {rank - 1}]")
    call.layer("ScatterElementsUpdate", lengths, integers(axes), target, scalar(0))
    dims = list(data.shape.dims)
    for place, axis in enumerate(axes):
        item = target.value[place] if target.value is not None else None
        if dims[axis].is_static and isinstance(item, int):
            dims[axis] = LENGTHS[max(0, item)]
        else:
            dims[axis] = ANY
    return [derived(data, PartialShape(tuple(dims)))]


def _grid(call: NodeCall) -> list[Tensor]:
    """Points of an image or a volume, each turned by the matrix of its batch."""
    theta = call.input(0)
    size = call.input(1)
    if size.shape not in (PartialShape((LENGTHS[4],)), PartialShape((LENGTHS[5],))):
        call.refuse("size", f"size must have 4 or 5 elements, but is {size.shape}")
    count = size.shape[0].min - 2
    turned = call.layer("Transpose", theta, integers([0, 2, 1]))
    points = constant(PartialShape((LENGTHS[1], ANY, LENGTHS[count + 1])), "f32")
    grid = call.layer("MatMul", points, turned)
    items = size.value or [None] * (count + 2)
    spatial: list[Dimension] = [
        LENGTHS[item] if isinstance(item, int) and item >= 0 else ANY
        for item in items[2:]
    ]
    return [derived(grid, PartialShape((turned.shape[0], *spatial, LENGTHS[count])))]


TRANSLATIONS = {
    "AffineGrid": _grid,
    "BlackmanWindow": _window,
    "CenterCropPad": _center,
    "Col2Im": _image_of_columns,
    "DFT": _fourier,
    "HammingWindow": _window,
    "HannWindow": _window,
    "STFT": _frames,
}
