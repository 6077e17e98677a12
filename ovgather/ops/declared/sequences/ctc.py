"""Connectionist temporal classification: decoding, and its loss.

Pages: sequence/ctc-greedy-decoder-1, sequence/ctc-greedy-decoder-seq-len-6, sequence/ctc-loss-4.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INTEGERS,
    REALS,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.checks import (
    LONG,
    is_compiled,
    merged,
    require_equal,
    require_length,
    require_plugin_type,
    require_rank,
    require_type,
)
from ovgather.tensor.dimension import ANY, LENGTHS
from ovgather.tensor.tensor import Tensor

_DECODED = frozenset({"bf16", "f16", "f32", "f64"})


def _infer_decoder(node: Node) -> list[Tensor]:
    node.require_count()
    require_rank(node, 0, 3)
    require_rank(node, 1, 2)
    times = merged(node, "the number of steps", [(0, 0), (1, 0)])
    batch = merged(node, "the batch size", [(0, 1), (1, 1)])
    require_plugin_type(node, _DECODED, 0, 1)
    return [tensor((batch, times, LENGTHS[1], LENGTHS[1]), node.type(0))]


def _infer_with_lengths(node: Node) -> list[Tensor]:
    node.require_count()
    require_type(node, INTEGERS, 2, or_dynamic=True)
    require_rank(node, 0, 3)
    require_rank(node, 1, 1)
    if node.has(2) and node.shape(2).is_static:
        require_rank(node, 2, 0, 1)
        if node.rank(2) == 1:
            require_length(node, 2, 0, 1)
    batch = merged(node, "the batch size", [(0, 0), (1, 0)])
    logits = node.dims(0)
    if logits is None:
        times = ANY
    else:
        times = logits[1]
    classes = tensor((batch, times), node["classes_index_type"])
    lengths = tensor((batch,), node["sequence_length_type"])
    if is_compiled([classes, lengths]):
        require_plugin_type(node, REALS, 0)
        require_plugin_type(node, LONG, 1)
    return [classes, lengths]


def _infer_loss(node: Node) -> list[Tensor]:
    node.require_count()
    require_type(node, REALS, 0)
    require_type(node, INTEGERS, 1, 2, 3, 4, or_dynamic=True)
    for index, rank in enumerate((3, 1, 2, 1)):
        require_rank(node, index, rank)
    require_rank(node, 4, 0)
    require_equal(node, (0, 1), (2, 1))
    batch = merged(node, "the batch size", [(0, 0), (1, 0), (2, 0), (3, 0)])
    return [tensor((batch,), node.type(0))]


_INDEX_TYPES = (
    Attribute("classes_index_type", "type", "i32"),
    Attribute("sequence_length_type", "type", "i32"),
)
DECLARATIONS = (
    Declaration(
        "CTCGreedyDecoder",
        1,
        (Input("logits"), Input("sequence_mask")),
        (Attribute("ctc_merge_repeated", "boolean", True),),
        _infer_decoder,
        "sequence/ctc-greedy-decoder-1",
        extra_inputs=True,
    ),
    Declaration(
        "CTCGreedyDecoderSeqLen",
        6,
        (
            Input("logits"),
            Input("sequence_length"),
            Input("blank_index", INTEGERS, optional=True),
        ),
        (Attribute("merge_repeated", "boolean", True), *_INDEX_TYPES),
        _infer_with_lengths,
        "sequence/ctc-greedy-decoder-seq-len-6",
        outputs=("classes", "lengths"),
    ),
    Declaration(
        "CTCLoss",
        4,
        (
            Input("logits", REALS),
            Input("logit_length", INTEGERS),
            Input("labels", INTEGERS),
            Input("label_length", INTEGERS),
            Input("blank_index", INTEGERS, optional=True),
        ),
        (
            Attribute("preprocess_collapse_repeated", "boolean", False),
            Attribute("ctc_merge_repeated", "boolean", False),
            Attribute("unique", "boolean", False),
        ),
        _infer_loss,
        "sequence/ctc-loss-4",
    ),
)
