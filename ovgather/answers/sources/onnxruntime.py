"""What ONNX Runtime prints of reading a model and of the Gather family."""

from ovgather.answers.pattern import EXACT, GENERAL, Pattern

WHO = "ONNX Runtime"
_ONNX = ("ovgather validate model.onnx",)
_INSPECT = ("ovgather inspect model.onnx",)
_VALUES = ("ovgather validate model.onnx", "ovgather crosscheck model.onnx --inputs inputs.npz")

PATTERNS = (
    Pattern(
        r"indices element out of data bounds, idx=(?P<index>-?\d+) data_dim=(?P<size>\d+)",
        "a Gather is given the index {index}, and the axis of its data has the length {size}; a negative one is"
        " refused by"
        " this release, 1.0 and later count it from the end",
        "look at the input that feeds the indices of a Gather with an axis of length {size}; update onnxruntime",
        rules=("OVG810",),
        commands=_VALUES,
        since="ONNX Runtime 0.3 to 0.5",
        source="onnxruntime/core/providers/cpu/tensor/gather.cc",
        weight=EXACT,
    ),
    Pattern(
        r"indices element out of data bounds, idx=(?P<index>-?\d+) must be within the inclusive range"
        r" \[(?P<low>-?\d+), ?(?P<high>-?\d+)\]",
        "a Gather is given the index {index}, and the axis of its data has the length {size} (indices {low} to {high}):"
        " the values of an input are wrong, a tokenizer has more words than the table, or two inputs are swapped",
        "look at the input that feeds the indices of a Gather with an axis of length {size}",
        rules=("OVG810",),
        commands=_VALUES,
        since="ONNX Runtime 1.0 and later; its CUDA provider gives zeros instead",
        source="onnxruntime/core/providers/cpu/tensor/gather.cc",
        weight=EXACT,
    ),
    Pattern(
        r"INDICES element is out of DATA bounds, id=(?P<index>-?\d+) axis_dim=(?P<size>\d+)|"
        r"GatherElements op: Out of range value in index tensor|invalid index found, index ?= ?(?P<index2>-?\d+)",
        "an index is outside of the axis it counts along",
        "look at the input that feeds the indices, and at the length of the axis",
        rules=("OVG810",),
        commands=_VALUES,
        source="onnxruntime/core/providers/cpu/tensor/gather_elements.cc, gather_nd.cc",
        weight=EXACT,
    ),
    Pattern(
        r"GatherElements op: Rank of input 'data' needs to be equal to rank of input 'indices'|"
        r"GatherElements op: 'indices' shape should have values within bounds of 'data' shape|"
        r"last dimension of indices must not be larger than rank of input tensor|"
        r"GatherND: indices batch size \((?P<indices>\d+)\) is not divisible by input batch size \((?P<data>\d+)\)|"
        r"both input tensors and indices tensor need to have rank larger than zero|"
        r"indices tensor must ha(?:s|ve) (?:a )?rank (?:larger|greater) than (?:0|zero)",
        "the shapes of data and indices do not fit the operation",
        "see which shapes reach the node",
        rules=("OVG808",),
        commands=("ovgather infer model.onnx", "ovgather validate model.onnx"),
        source="onnxruntime/core/providers/cpu/tensor/gather_elements.cc, gather_nd.cc",
        weight=EXACT,
    ),
    Pattern(
        r"\[ShapeInferenceError\][^\n]*?(?:axis must be in \[-r, r-1\]|axis)|'axis' must be in \[-r",
        "the axis of a node is outside of the rank of its data",
        "correct the attribute axis",
        rules=("OVG807",),
        commands=_ONNX,
        source="onnx/defs/tensor/defs.cc",
        weight=EXACT,
    ),
    Pattern(
        r"\[(?:Shape|Type)InferenceError\]|Inferred shape and existing shape differ|"
        r"Mismatch between (?:the sum of|number of inferred)",
        "what ONNX infers is not what the file declares",
        "see which node it is; write the model again where its declarations are wrong",
        rules=("OVG808", "OVG809", "OVG806"),
        commands=("ovgather infer model.onnx", "ovgather validate model.onnx"),
        source="onnx/shape_inference",
    ),
    Pattern(
        r"Unsupported model IR version: ?(?P<version>\d+), max supported IR version: ?(?P<most>\d+)",
        "the file has version {version} of the ONNX format, and this ONNX Runtime reads up to {most}",
        "update onnxruntime, or write the model with an older onnx (onnx.save after model.ir_version = {most})",
        commands=_INSPECT,
        source="onnxruntime/core/graph/model.cc",
        weight=EXACT,
    ),
    Pattern(
        r"Opset (?P<version>\d+) is under development|ONNX Runtime only \*guarantees\* support for models stamped with|"
        r"Current official support for domain \S+ is till opset (?P<most>\d+)",
        "the model imports an opset that this ONNX Runtime does not have",
        "update onnxruntime, or export with a lower opset",
        rules=("OVG803",),
        commands=_INSPECT,
        source="onnxruntime/core/graph/model_load_utils.h",
        weight=EXACT,
    ),
    Pattern(
        r"No Op registered for (?P<type>\w+) with domain_version of (?P<opset>\d+)|Fatal error: ?(?P<name>\S+) is not a"
        r" registered function/op|No opset import for domain '?(?P<domain>[^'\n]*)'?",
        "the opset that the model imports has no such operation, or it belongs to a domain of its own",
        "correct the opset, or register the library of custom operations",
        rules=("OVG803",),
        commands=_INSPECT,
        source="onnxruntime/core/graph/graph.cc",
        weight=EXACT,
    ),
    Pattern(
        r"Could not find an implementation for (?:the node )?(?P<node>\S*?):?(?P<type>\w+)\((?P<version>\d+)\)|"
        r"NOT_IMPLEMENTED ?: ?[^\n]*",
        "this provider has no kernel for the operation with these element types",
        "convert the indices to int64, use another provider, or update onnxruntime",
        rules=("OVG806",),
        commands=_ONNX,
        source="onnxruntime/core/framework/session_state.cc",
        weight=EXACT,
    ),
    Pattern(
        r"Type '(?P<got>tensor\(\w+\))' of input parameter \((?P<input>[^)]*)\) of operator \((?P<type>\w+)\) in node"
        r" \((?P<node>[^)]*)\) is invalid",
        "input {input!r} of {type} {node!r} is a {got}, which the operation does not take; indices are int32 or int64",
        "put a Cast to int64 before it",
        rules=("OVG806",),
        commands=_ONNX,
        source="onnxruntime/core/graph/graph.cc",
        weight=EXACT,
    ),
    Pattern(
        r"Unexpected input data type\. Actual: ?\((?P<got>.+?)\) ?, expected: ?\((?P<want>.+?)\)",
        "the application gives an array of {got}, and the input takes {want}",
        "convert the array (for ids: .astype(np.int64))",
        commands=_INSPECT,
        source="onnxruntime/core/session/inference_session.cc",
        weight=EXACT,
    ),
    Pattern(
        r"Got invalid dimensions for input: ?(?P<input>\S+)[\s\S]{0,120}?(?:Got: ?(?P<got>\d+) Expected:"
        r" ?(?P<want>\d+))?|"
        r"Invalid rank for input: ?(?P<input2>\S+) Got: ?(?P<got2>\d+) Expected: ?(?P<want2>\d+)",
        "the application gives an array whose shape is not that of the input",
        "give an array of the input's shape",
        commands=_INSPECT,
        source="onnxruntime/core/session/inference_session.cc",
        weight=EXACT,
    ),
    Pattern(
        r"Invalid (?:input|output) name: ?(?P<input>\S+)|Invalid Feed Input Name: ?(?P<name>\S+)|"
        r"Required inputs \((?P<missing>.*?)\) are missing from input feed|Missing Input: ?(?P<one>\S+)",
        "an array is given under a name that the model does not have, or one is missing",
        "give every input under its name",
        commands=_INSPECT,
        source="onnxruntime/core/session/inference_session.cc",
        weight=EXACT,
    ),
    Pattern(
        r"[Pp]rotobuf parsing failed|INVALID_PROTOBUF|Error parsing message with type 'onnx\.ModelProto'|"
        r"Wire format was corrupt|Protobuf decoding consumed too few bytes",
        "the file is no ONNX model: cut off, a git-lfs pointer, a web page, or another format",
        "see what the file is, and fetch it again (git lfs pull)",
        rules=("OVG801",),
        commands=_INSPECT,
        source="onnxruntime/core/graph/model.cc; protobuf",
        weight=EXACT,
    ),
    Pattern(
        r"[Ee]xternal data[^\n]*?(?:does not exist|escapes|out of bounds|not allowed|outside|mismatch)|"
        r"(?:model\.onnx_data|\.onnx\.data|\.onnx_data)[^\n]*(?:No such file|doesn't exist|not found)|"
        r"External initializer: ?(?P<tensor>\S+)",
        "the weights stand in a file beside the model, which is missing, too short, or elsewhere",
        "put the file beside the .onnx under the name that the model gives",
        rules=("OVG802",),
        commands=_ONNX,
        source="onnxruntime/core/framework/tensorprotoutils.cc",
        weight=EXACT,
    ),
    Pattern(
        r"File doesn't exist|NO_SUCHFILE|Load model (?:from )?(?P<file>\S+) failed",
        "the model cannot be loaded; the rest of the line says why",
        "check the path",
        commands=_INSPECT,
        source="onnxruntime/core/session/inference_session.cc",
        weight=GENERAL,
    ),
    Pattern(
        r"Non-zero status code returned while running (?P<type>\w+) node\. Name: ?'(?P<node>[^'\n]*)'",
        "the node {node!r} ({type}) failed while the model ran; the rest of the line says why",
        "look at the shapes and values that reach the node",
        rules=("OVG808", "OVG810"),
        commands=("ovgather infer model.onnx", "ovgather crosscheck model.onnx"),
        source="onnxruntime/core/framework/sequential_executor.cc",
        weight=GENERAL,
    ),
    Pattern(
        r"axis (?P<axis>-?\d+) is not in valid range \[(?P<low>-?\d+), ?(?P<high>-?\d+)\]",
        "the axis is {axis}, and at run time the data has the axes {low} to {high} only: its rank is another than the"
        " model was made for",
        "give inputs of the rank that the model wants; look at what squeezes a dim before the node",
        rules=("OVG807", "OVG808"),
        commands=("ovgather infer model.onnx", "ovgather inspect model.onnx"),
        source="onnxruntime/core/providers/common.h",
        weight=EXACT,
    ),
    Pattern(
        r"Failed to allocate memory for requested buffer of size (?P<size_of_buffer>\d+)|bad allocation",
        "the device has too little memory",
        "give a smaller batch, or use the CPU provider",
        commands=_INSPECT,
        source="onnxruntime/core/framework/bfc_arena.cc",
        weight=EXACT,
    ),
    Pattern(
        r"CUDA error (?P<error>\w+)|CUDA failure (?P<number>\d+)|CUDNN_STATUS_\w+|CUBLAS_STATUS_\w+",
        "CUDA fails: the build does not fit the GPU or the driver, or a kernel read outside of its memory",
        "use the onnxruntime-gpu that fits CUDA and the GPU; try the CPU provider, which tests indices",
        rules=("OVG864",),
        commands=("ovgather validate --device CUDA model.onnx",),
        source="onnxruntime/core/providers/cuda/cuda_call.cc",
        weight=EXACT,
    ),
    Pattern(
        r"Attempting to broadcast an axis by a dimension other than 1\. (?P<one>\d+) by (?P<other>\d+)|"
        r"The input tensor cannot be reshaped to the requested shape[^\n]*|left operand cannot broadcast",
        "two shapes that meet at run time do not fit: {one} and {other}",
        "give inputs whose dims go together, as the model was exported",
        rules=("OVG808",),
        commands=("ovgather infer model.onnx", "ovgather inspect model.onnx"),
        source="onnxruntime/core/providers/cpu/math/element_wise_ops.h, tensor/reshape_helper.h",
        weight=EXACT,
    ),
    Pattern(
        r"Type parameter \((?P<parameter>\w+)\) of Optype \((?P<type>\w+)\) bound to different types"
        r" \((?P<types>[^\n]*?)\)"
        r" in node",
        "inputs of {type} that are to have one element type have {types}",
        "put a Cast before one of them",
        rules=("OVG806",),
        commands=_ONNX,
        source="onnxruntime/core/graph/graph.cc",
        weight=EXACT,
    ),
    Pattern(
        r"required to explicitly set the providers parameter|Specified provider '(?P<provider>\w+)' is not in"
        r" available",
        "the session names no provider, or one that this build does not have",
        'give providers=["CPUExecutionProvider"], or install the package that has the provider',
        commands=_INSPECT,
        source="onnxruntime/python/onnxruntime_inference_collection.py",
        weight=EXACT,
    ),
    Pattern(
        r"Input name: ?'?(?P<input>[^'\n]+?)'? is not in the metadata",
        "the program gives the input {input!r}, which the model does not have",
        "leave it away: not every model has token_type_ids",
        commands=_INSPECT,
        source="csharp/src/Microsoft.ML.OnnxRuntime/InferenceSession.shared.cs",
        weight=EXACT,
    ),
    Pattern(
        r"ONNXRuntimeError|OrtException|onnxruntime",
        "ONNX Runtime refuses the model or its inputs; what it says beyond that is not known here",
        "see whether the file is sound, and whether the CPU takes it, to tell the file from the device",
        commands=(*_ONNX, *_INSPECT),
        source="onnxruntime",
        weight=GENERAL,
    ),
)
