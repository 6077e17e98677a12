"""Whom a layer belongs to whose version is no opset: what brings it, and how it is loaded."""

from string import digits
from typing import NamedTuple


class Owner(NamedTuple):
    """What brings layers of some types."""

    name: str  # a package, or what the layers are
    load: str  # how an application gets OpenVINO to read them
    source: str  # where this is known from
    types: str = ""  # those that are known to be its own


TOKENIZERS = Owner(
    "openvino_tokenizers",
    "pip install openvino-tokenizers (the release of openvino) and import openvino_tokenizers before read_model",
    "github.com/openvinotoolkit/openvino_tokenizers",
    """
    AddAttentionMask BPETokenizer BytesToChars CaseFold CharsMapNormalization CharsToBytes CombineSegments EqualStr
    FuzeRagged NormalizeUnicode NumericBytesToString RaggedToDense RaggedToRagged RaggedToSparse RegexNormalization
    RegexSplit SentencepieceDetokenizer SentencepieceStreamDetokenizer SentencepieceTokenizer SpecialTokensSplit
    StringTensorPack StringTensorUnpack StringToHashBucket TrieTokenizer Truncate UTF8Validate UnigramTokenizer
    VocabDecoder VocabEncoder WordpieceTokenizer
    """,
)
CONTRIB = Owner(
    "openvino_contrib, modules/custom_operations",
    'build its library, then core.add_extension("libuser_ov_extensions.so") before read_model',
    "github.com/openvinotoolkit/openvino_contrib",
    "CalculateGrid ComplexMultiplication FFT IFFT SparseConv SparseConvTranspose",
)
INTERNAL = Owner(
    "OpenVINO itself: an operation that only exists while a model is compiled",
    "the file was written after OpenVINO's own transformations: write the original model again",
    "src/common/transformations of openvinotoolkit/openvino",
    """
    AUGRUCell AUGRUSequence FullyConnected GatherCompressed MOE MulticlassNmsIEInternal NmsStaticShapeIE
    NonMaxSuppressionIEInternal PowerStatic RMS RoPE SwishIE SwiGLU
    """,
)
LATE = Owner(
    "OpenVINO itself: an operation of attention with paging, from 2024.1 on",
    "use a release that has it; openvino.genai and the model server read such models",
    "src/core/src/op/paged_attention.cpp of openvinotoolkit/openvino",
    "PagedAttentionExtension",
)
CUSTOM = Owner(
    "a custom operation: whoever wrote the file added it with an extension",
    "core.add_extension(LIBRARY) before read_model; whoever made the model has the library",
    "docs.openvino.ai: OpenVINO Extensibility Mechanism",
)
OWNERS = (TOKENIZERS, CONTRIB, INTERNAL, LATE, CUSTOM)
"""All owners; the last one owns the types that are of nobody else."""
OF_TYPE = {type: owner for owner in OWNERS for type in owner.types.split()}
"""The owners of types, where only the type is known."""
_INTERNAL_VERSIONS = (
    "ie_internal_opset",
    "gpu_opset",
    "cpu_plugin_opset",
    "type_relaxed_opset",
    "SnippetsOpset",
)


def owner(type: str, version: str) -> Owner | None:
    """What brings a layer; None where its version is an opset, or no version of an extension.

    >>> owner("StringTensorUnpack", "extension").name, owner("MyGather", "extension") is CUSTOM
    ('openvino_tokenizers', True)
    >>> owner("RoPE", "ie_internal_opset") is INTERNAL, owner("Gather", "opset8")
    (True, None)
    >>> owner("Add", "type_relaxed_opset1") is INTERNAL
    True
    """
    if version.rstrip(digits) in _INTERNAL_VERSIONS:
        return INTERNAL
    if version in ("extension", "experimental", "custom_opset"):
        return OF_TYPE.get(type, CUSTOM)
    return None
