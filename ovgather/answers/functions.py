"""The functions of frameworks that gather, with the operation here that does the same, and the differences."""

from typing import NamedTuple


class Function(NamedTuple):
    """A function of a framework.

    Attributes:
        names: how people write it; the first is its title.
        operation: the name of the operation here.
        arguments: what becomes of its arguments.
        differences: what is not the same.
    """

    names: tuple[str, ...]
    operation: str
    arguments: str
    differences: tuple[str, ...]


_TORCH_REFUSES = "PyTorch refuses an index that is negative or out of range (on CUDA by a device-side assert)."
_OPENVINO_ELEMENTS = "GatherElements counts a negative index from the end, and refuses one that is out of range."
_OPENVINO_GATHER = "Gather-8 counts a negative index from the end, and gives zeros for one that is out of range."
_OPENVINO_ND = "What GatherND gives for an index out of range is not defined; OpenVINO's CPU plugin reads other memory."
_SMALLER = (
    "index may be smaller than the input off the dim; GatherElements wants equal dims there (a Slice of data comes"
    " first)."
)
_BROADCASTS = "it broadcasts its inputs off the axis; GatherElements does not (a Broadcast comes first)."
_FLATTENS = "without an axis it counts in the flattened tensor: Reshape to [-1], then Gather on axis 0."

FUNCTIONS = (
    Function(
        ("torch.gather", "aten::gather", "torch.Tensor.gather"),
        "GatherElements",
        "input is data, index is indices, dim is axis",
        (_SMALLER, _TORCH_REFUSES, _OPENVINO_ELEMENTS, "indices are int64 in PyTorch, i32 or i64 here."),
    ),
    Function(
        ("torch.take_along_dim", "aten::take_along_dim"),
        "GatherElements",
        "input is data, indices is indices, dim is axis",
        (_BROADCASTS, _FLATTENS, _TORCH_REFUSES, _OPENVINO_ELEMENTS),
    ),
    Function(
        ("torch.index_select", "aten::index_select", "torch.Tensor.index_select"),
        "Gather",
        "input is data, index (one dim) is indices, dim is axis, batch_dims is 0",
        ("index has one dim in PyTorch; Gather takes any rank.", _TORCH_REFUSES, _OPENVINO_GATHER),
    ),
    Function(
        ("torch.nn.Embedding", "torch.nn.functional.embedding", "torch.embedding", "aten::embedding", "F.embedding"),
        "Gather",
        "weight is data, input is indices, axis is 0",
        ('PyTorch says "index out of range in self".', _OPENVINO_GATHER, "padding_idx counts in training only."),
    ),
    Function(
        ("torch.take", "aten::take"),
        "Gather",
        "input flattened (Reshape to [-1]) is data, index is indices, axis is 0",
        ("torch.take takes negative indices, and refuses those out of range.", _OPENVINO_GATHER),
    ),
    Function(
        ("torch.Tensor[index]", "aten::index", "torch.index"),
        "GatherND",
        "the indices side by side in a last dim are indices; with one index tensor on one axis it is a Gather",
        (_TORCH_REFUSES, _OPENVINO_ND),
    ),
    Function(
        ("tf.gather", "tf.raw_ops.GatherV2", "GatherV2", "tf.compat.v1.gather", "ResourceGather", "tf.batch_gather"),
        "Gather",
        "params is data, indices, axis and batch_dims keep their names",
        (
            "without axis TensorFlow takes axis = batch_dims.",
            "TensorFlow refuses an index out of range or negative on a CPU, and gives zeros on a GPU.",
            _OPENVINO_GATHER,
        ),
    ),
    Function(
        ("tf.gather_nd", "tf.raw_ops.GatherNd", "tf.compat.v1.gather_nd"),
        "GatherND",
        "params is data, indices and batch_dims keep their names",
        (
            "GatherND-5 (before 2022.1) merges the batch dims of the output into one; GatherND-8 keeps them, as"
            " TensorFlow.",
            "TensorFlow refuses an index out of range on a CPU, and gives zeros on a GPU.",
            _OPENVINO_ND,
        ),
    ),
    Function(
        ("tf.nn.embedding_lookup", "tf.keras.layers.Embedding", "keras.layers.Embedding"),
        "Gather",
        "params (the table) is data, ids is indices, axis is 0",
        (_OPENVINO_GATHER,),
    ),
    Function(
        ("tf.experimental.numpy.take_along_axis", "tf.take_along_axis", "keras.ops.take_along_axis"),
        "GatherElements",
        "arr is data, indices is indices, axis keeps its name",
        (_BROADCASTS, _OPENVINO_ELEMENTS),
    ),
    Function(
        ("np.take", "numpy.take", "keras.ops.take"),
        "Gather",
        "a is data, indices and axis keep their names",
        (
            _FLATTENS,
            "mode is raise, wrap or clip in NumPy; raise counts a negative index from the end.",
            _OPENVINO_GATHER,
        ),
    ),
    Function(
        ("np.take_along_axis", "numpy.take_along_axis"),
        "GatherElements",
        "arr is data, indices and axis keep their names",
        (_BROADCASTS, _FLATTENS, _OPENVINO_ELEMENTS),
    ),
    Function(
        ("jnp.take", "jax.numpy.take"),
        "Gather",
        "a is data, indices and axis keep their names",
        (_FLATTENS, 'JAX gives NaN for an index out of range (mode "fill"; "clip" clamps it).', _OPENVINO_GATHER),
    ),
    Function(
        ("jnp.take_along_axis", "jax.numpy.take_along_axis"),
        "GatherElements",
        "arr is data, indices and axis keep their names",
        (
            _BROADCASTS,
            _FLATTENS,
            'JAX gives NaN for an index out of range (mode "fill"; "clip" clamps it).',
            _OPENVINO_ELEMENTS,
        ),
    ),
    Function(
        ("jax.lax.gather", "lax.gather"),
        "GatherND",
        "start_indices is indices; with slice_sizes of 1 in the indexed dims it is a GatherND, else Slices",
        ("its mode clips, fills or promises; the frontend has no conversion of the general form.", _OPENVINO_ND),
    ),
    Function(
        ("paddle.gather", "paddle.index_select"),
        "Gather",
        "x is data, index (one dim) is indices, axis keeps its name",
        ("index has one dim in Paddle; Gather takes any rank.", _OPENVINO_GATHER),
    ),
    Function(
        ("paddle.gather_nd",),
        "GatherND",
        "x is data, index is indices, batch_dims is 0",
        ("Paddle has no batch_dims.", _OPENVINO_ND),
    ),
    Function(
        ("paddle.take_along_axis", "paddle.index_sample"),
        "GatherElements",
        "arr (x) is data, indices (index) is indices, axis keeps its name (index_sample: axis 1)",
        (_BROADCASTS, _OPENVINO_ELEMENTS),
    ),
    Function(
        ("mx.nd.take", "mxnet.nd.take", "mx.sym.take"),
        "Gather",
        "a is data, indices and axis keep their names",
        ("mode is clip in MXNet: an index out of range is clamped.", _OPENVINO_GATHER),
    ),
    Function(
        ("mx.nd.gather_nd", "mxnet.nd.gather_nd"),
        "GatherND",
        "data is data, indices with their first dim moved to the end is indices",
        (
            "MXNet has the tuples along the first dim, GatherND along the last one (a Transpose comes first).",
            _OPENVINO_ND,
        ),
    ),
    Function(
        ("tflite.GATHER", "tfl.gather"),
        "Gather",
        "params is data, axis and batch_dims keep their names",
        ("TensorFlow Lite does not test the range of indices in every kernel.", _OPENVINO_GATHER),
    ),
    Function(
        ("tflite.GATHER_ND", "tfl.gather_nd"),
        "GatherND",
        "params is data, indices is indices, batch_dims is 0",
        (_OPENVINO_ND,),
    ),
)


def find_function(name: str) -> Function | None:
    """The function that ``name`` names, in any case, with or without brackets; None: there is none.

    >>> find_function("torch.gather()").operation, find_function("jnp.take_along_axis").operation
    ('GatherElements', 'GatherElements')
    """
    lower = name.strip().lower().partition("(")[0]
    for function in FUNCTIONS:
        if lower in (each.lower() for each in function.names):
            return function
    return None
