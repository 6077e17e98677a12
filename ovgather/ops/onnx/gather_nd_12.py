"""# GatherND-12

GatherND-11 with `batch_dims`. In ONNX opset 12 it is `GatherND`.

## Attributes

`batch_dims` (integer, default 0), `b` for short: the first `b` dims of `data` and of `indices` are batches and must be
equal; `b < min(q, r)`.

## Inputs

2. `indices`: the last dim is in `[1, r-b]`.

Everything else is as in GatherND-11.

## Output

The shape `indices.shape[:-1] + data.shape[b + indices.shape[-1]:]`, of rank `q + r - indices.shape[-1] - 1 - b`. In
partial shapes a batch dim is the intersection of the dims of `data` and `indices`.

>>> from ovgather import evaluate, infer_output
>>> inference = infer_output("GatherND", ["batch,64,d", "n,k,1"], dialect="onnx", version=12, batch_dims=1)
>>> inference.shape.named, inference.equalities
('[batch,k,d]', ('batch == n',))

## Examples of the document

1 to 4: the examples of GatherND-11, with `batch_dims` 0.

>>> data = [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]
>>> evaluate("GatherND", [[[0, 1], [2, 3]], [[0, 0], [1, 1]]], dialect="onnx", version=12).tolist()
[0, 3]
>>> evaluate("GatherND", [[[0, 1], [2, 3]], [[1], [0]]], dialect="onnx", version=12).tolist()
[[2, 3], [0, 1]]
>>> evaluate("GatherND", [data, [[0, 1], [1, 0]]], dialect="onnx", version=12).tolist()
[[2, 3], [4, 5]]
>>> evaluate("GatherND", [data, [[[0, 1]], [[1, 0]]]], dialect="onnx", version=12).tolist()
[[[2, 3]], [[4, 5]]]

5: `batch_dims` 1.

>>> evaluate("GatherND", [data, [[1], [0]]], dialect="onnx", version=12, batch_dims=1).tolist()
[[2, 3], [4, 5]]

## Where specification and implementations differ

- **A negative `batch_dims`** is not mentioned; here it is an error. With -1 ONNX Runtime fails when it runs. From -2 on
  onnx's shape inference can end the process, in the checker as well as in ONNX Runtime when it loads the model.
- **`b < q`** is checked neither by ONNX Runtime nor by onnx: with `data [3,1,5]`, `indices [3,1]` and `batch_dims` 2
  they give `[3]`.
- **Batches that differ.** They "must be equal". onnx's shape inference does not check it, and ONNX Runtime accepts dims
  that divide: with `data [3,4]`, `indices [6,1]` and `batch_dims` 1 each batch gets two tuples. OpenVINO's converter
  broadcasts batch dims of 1 of either input, and refuses others. The two agree where the first batch dims are equal and
  the others of `data` are 1. ovgather reports all of these as errors (OVG808), but runs, converts and compares a node
  where they agree:

  >>> evaluate("GatherND", [[[1, 2]], [[0], [1], [1]]], dialect="onnx", version=12, batch_dims=1).tolist()
  [1, 2, 2]

- **Errors of the document.** The rank that it states for the output lacks the `- b` of its first sentence. The order of
  the words is wrong in "The gather of indexing starts from dimension of data[batch_dims:]".
- The notes of GatherND-11 apply here, too.

Specification: ONNX, docs/Changelog.md#GatherND-12.
"""

from ovgather.ops.onnx._operation import OnnxGatherND
from ovgather.ops.operation import BATCH_DIMS

OPERATION = OnnxGatherND(12, __doc__, attributes=(BATCH_DIMS,))
