"""# Gather-1

Takes slices of `data` along `axis`, at the positions in `indices`. In ONNX opsets 1 to 10 it is `Gather`.

    output[j_0, ..., i_0, ..., i_{q-1}, ..., j_{r-2}] = data[j_0, ..., indices[i_0, ..., i_{q-1}], ..., j_{r-2}]

`r` is the rank of `data`, `q` the rank of `indices`.

## Attributes

`axis` (integer, default 0), in `[-r, r-1]`; negative: counted from the end. In IR it is an input.

## Inputs

1. `data`: rank 1 or more; bool, string, float16, float, double, complex64, complex128, or an integer type of 8 to 64
   bits.
2. `indices`: int32 or int64, any rank. All must be "within bounds"; an index outside is an error.

## Output

The element type of `data`, the shape `data.shape[:axis] + indices.shape + data.shape[axis+1:]`, of rank `q + r - 1`; of
dynamic rank if the rank of `data` or of `indices` is dynamic.

>>> from ovgather import evaluate, infer_shape
>>> str(infer_shape("Gather", [[6, 12, 10, 24], [15, 4]], dialect="onnx", version=1, axis=1))
'[6,15,4,10,24]'
>>> infer_shape("Gather", [["vocabulary", 768], ["batch", "seq"]], dialect="onnx", version=1).named
'[batch,seq,768]'

## Examples of the document

1: the default `axis`.

>>> data, indices = [[1.0, 1.2], [2.3, 3.4], [4.5, 5.7]], [[0, 1], [1, 2]]
>>> evaluate("Gather", [data, indices], dialect="onnx", version=1).tolist()
[[[1.0, 1.2], [2.3, 3.4]], [[2.3, 3.4], [4.5, 5.7]]]

2: `axis` 1.

>>> data, indices = [[1.0, 1.2, 1.9], [2.3, 3.4, 3.9], [4.5, 5.7, 5.9]], [[0, 2]]
>>> evaluate("Gather", [data, indices], dialect="onnx", version=1, axis=1).tolist()
[[[1.0, 1.9]], [[2.3, 3.9]], [[4.5, 5.9]]]

## Where specification and implementations differ

- **Negative indices.** The document does not define the bounds. ONNX Runtime counts negative indices from the end in
  all versions. ovgather does the same, and raises an error for them with `strict=True`.

  >>> evaluate("Gather", [[1, 2, 3], [-1]], dialect="onnx", version=1).tolist()
  [3]

- **Indices outside** are an error, whereas IR's Gather-8 gives zeros.

  >>> evaluate("Gather", [[1, 2, 3], [0, 3]], dialect="onnx", version=1)
  Traceback (most recent call last):
  ovgather.errors.IndexOutOfRangeError: indices[1] is 3, outside [-3, 2]: data [3], indices [2], axis 0

- **Text.** ONNX Runtime copies only the first string of each slice and leaves the others empty. Here:

  >>> evaluate("Gather", [[["a", "b"], ["c", "d"]], [1]], dialect="onnx", version=1).tolist()
  [['c', 'd']]

- **Scalar data.** onnx's ReferenceEvaluator treats a scalar as one element; the document requires rank 1 or more.
- **Shape inference of onnx** ignores `axis` while the rank of `indices` is dynamic.
- **Complex numbers**: not supported by ONNX Runtime.

Specification: ONNX, docs/Changelog.md#Gather-1.
"""

from ovgather.ops.onnx._operation import OnnxGather

OPERATION = OnnxGather(1, __doc__, negative_indices="excluded")
