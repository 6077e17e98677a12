"""Whom a layer belongs to whose version is no opset: what brings it, and how it is loaded."""

from typing import NamedTuple


class Owner(NamedTuple):
    """What brings layers of some types.

    Attributes:
        name: a package, or what the layers are.
        load: how an application gets OpenVINO to read them.
        source: where this is known from.
    """

    name: str
    load: str
    source: str


TOKENIZERS = Owner(
    "openvino_tokenizers",
    "pip install openvino-tokenizers (the release of openvino) and import openvino_tokenizers before read_model",
    "github.com/openvinotoolkit/openvino_tokenizers",
)
CONTRIB = Owner(
    "openvino_contrib, modules/custom_operations",
    'build its library, then core.add_extension("libuser_ov_extensions.so") before read_model',
    "github.com/openvinotoolkit/openvino_contrib",
)
INTERNAL = Owner(
    "OpenVINO itself: an operation that only exists while a model is compiled",
    "the file was written after OpenVINO's own transformations: write the original model again",
    "src/common/transformations of openvinotoolkit/openvino",
)
LATE = Owner(
    "OpenVINO itself: an operation of attention with paging, from 2024.1 on",
    "use a release that has it; openvino.genai and the model server read such models",
    "src/core/src/op/paged_attention.cpp of openvinotoolkit/openvino",
)
CUSTOM = Owner(
    "a custom operation: whoever wrote the file added it with an extension",
    "core.add_extension(LIBRARY) before read_model; whoever made the model has the library",
    "docs.openvino.ai: OpenVINO Extensibility Mechanism",
)

_TYPES = {
    TOKENIZERS: """
        AddAttentionMask BPETokenizer BytesToChars CaseFold CharsMapNormalization CharsToBytes CombineSegments EqualStr
        FuzeRagged NormalizeUnicode NumericBytesToString RaggedToDense RaggedToRagged RaggedToSparse RegexNormalization
        RegexSplit SentencepieceDetokenizer SentencepieceStreamDetokenizer SentencepieceTokenizer SpecialTokensSplit
        StringTensorPack StringTensorUnpack StringToHashBucket TrieTokenizer Truncate UTF8Validate UnigramTokenizer
        VocabDecoder VocabEncoder WordpieceTokenizer
    """,
    CONTRIB: "CalculateGrid ComplexMultiplication FFT IFFT SparseConv SparseConvTranspose",
    INTERNAL: """
        AUGRUCell AUGRUSequence FullyConnected GatherCompressed MOE MulticlassNmsIEInternal NmsStaticShapeIE
        NonMaxSuppressionIEInternal PowerStatic RMS RoPE SwishIE SwiGLU
    """,
    LATE: "PagedAttentionExtension",
}
_OWNERS = {type: owner for owner, types in _TYPES.items() for type in types.split()}
_INTERNAL_VERSIONS = ("ie_internal_opset", "gpu_opset", "cpu_plugin_opset", "type_relaxed_opset", "SnippetsOpset")


def owner(type: str, version: str) -> Owner | None:
    """What brings a layer; None where its version is an opset, or no version of an extension.

    >>> owner("StringTensorUnpack", "extension").name, owner("MyGather", "extension") is CUSTOM
    ('openvino_tokenizers', True)
    >>> owner("RoPE", "ie_internal_opset") is INTERNAL, owner("Gather", "opset8")
    (True, None)
    """
    if version in _INTERNAL_VERSIONS:
        return INTERNAL
    if version not in ("extension", "experimental", "custom_opset"):
        return None
    return _OWNERS.get(type, CUSTOM)


def owner_of_type(type: str) -> Owner | None:
    """The owner of layers of ``type``, where only the type is known; None: unknown.

    >>> owner_of_type("RegexSplit") is TOKENIZERS, owner_of_type("Gather")
    (True, None)
    """
    return _OWNERS.get(type)


def all_owners() -> tuple[tuple[Owner, tuple[str, ...]], ...]:
    """All owners with the types that are known to be theirs, in order of their names; the last one owns the others."""
    return (*((owner, tuple(sorted(types.split()))) for owner, types in _TYPES.items()), (CUSTOM, ()))
