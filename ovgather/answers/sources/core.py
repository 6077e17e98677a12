"""What OpenVINO's core prints: shape inference of the Gather family and around it, shapes, tensors, devices."""

from ovgather.answers.pattern import EXACT, GENERAL, Pattern

WHO = "OpenVINO's core"
_GATHER = "src/core/shape_inference/include/gather_shape_inference_base.hpp"
_ELEMENTS = "src/core/shape_inference/include/gather_elements_shape_inference.hpp"
_ND = "src/core/shape_inference/include/gather_nd_shape_inference.hpp"
_INFER = ("ovgather validate model.xml", "ovgather infer model.xml --why")

PATTERNS = (
    Pattern(
        r"(?:(?P<type>\w+) )?(?:Parameter )?axis (?P<axis>-?\d+) out of the tensor rank range"
        r" \[(?P<low>-?\d+), ?(?P<high>-?\d+)\]",
        "an axis is {axis}, and a tensor of rank {size} has the axes {low} to {high}",
        "correct the axis. Where it comes from a Const, look at the .bin: bytes that are no weights give wild numbers",
        rules=("OVG104", "OVG008", "OVG402", "OVG703"),
        commands=_INFER,
        since="2020.2 and later",
        source="src/core/src/validation_util.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Normalized axis must be >= 0 and < data_rank\. But instead got (?:axis = )?(?P<axis>-?\d+)?",
        "the axis of a Gather is outside of the rank of data",
        "correct the axis",
        rules=("OVG104",),
        commands=_INFER,
        since="2021.1 to 2022.3",
        source=_GATHER,
        weight=EXACT,
    ),
    Pattern(
        r"After normalization batch_dims must be <= axis\. But instead got: batch_dims = (?P<batch_dims>-?\d+),"
        r" axis = (?P<axis>-?\d+)",
        "batch_dims of a Gather is {batch_dims}, beyond its axis {axis}",
        "make batch_dims at most the axis",
        rules=("OVG105",),
        commands=_INFER,
        since="2021.3 and later",
        source=_GATHER,
        weight=EXACT,
    ),
    Pattern(
        r"batch_dims must be <= (?P<what>\w+)\. But instead got: batch_dims = (?P<batch_dims>-?\d+)|"
        r"Number of batch dimensions must not exceed a rank of (?P<input>data|indices)",
        "batch_dims is more than the rank of an input",
        "correct batch_dims",
        rules=("OVG105",),
        commands=_INFER,
        source=_ND,
        weight=EXACT,
    ),
    Pattern(
        r"data and indices must have equal or intersecting sizes until batch_dims|"
        r"Batch dimensions of data and indices must be the same",
        "data and indices differ in a dim before batch_dims",
        "make the batch dims of both equal",
        rules=("OVG202", "OVG105"),
        commands=_INFER,
        source=_GATHER,
        weight=EXACT,
    ),
    Pattern(
        r"data and indices rank must be equal(?:\. But instead got: (?P<data>\d+) and (?P<indices>\d+))?",
        "GatherElements wants data and indices of one rank, and they have {data} and {indices}",
        "give indices as many dims as data; for one index per slice use Gather",
        rules=("OVG202",),
        commands=_INFER,
        source=_ELEMENTS,
        weight=EXACT,
    ),
    Pattern(
        r"(?:Shapes (?P<data>\S+) and (?P<indices>\S+) are not consistent,? )?`?data`? and `?indices`? must have"
        r" equal or"
        r" intersecting dimensions, except for the dimension at axis index",
        "GatherElements wants dims of data and indices that are equal everywhere but on the axis",
        "correct the axis, or the shape of one input. ONNX allows smaller indices there: convert writes a Slice first",
        rules=("OVG202", "OVG203"),
        commands=_INFER,
        source=_ELEMENTS,
        weight=EXACT,
    ),
    Pattern(
        r"Length of a tuple with indices must not exceed a rank of data tensor excluding batch dimensions",
        "the last dim of the indices of a GatherND is more than the rank of data without the batch dims",
        "correct the last dim of indices, or batch_dims",
        rules=("OVG202", "OVG105"),
        commands=_INFER,
        source=_ND,
        weight=EXACT,
    ),
    Pattern(
        r"Indices element type must be of an integral number type|indices must be of int32 or int64 type|"
        r"The indices type is expected to be an integer type",
        "indices are no integers",
        "put a Convert to i64 or i32 before the indices",
        rules=("OVG204",),
        source="src/core/src/op/gather.cpp, gather_elements.cpp, gather_nd_base.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Ax[ie]s input must be scalar or have 1 element",
        "the axis of a Gather is a tensor of several elements",
        "give one axis: a scalar or a tensor of shape [1]",
        rules=("OVG202", "OVG104"),
        source=_GATHER,
        weight=EXACT,
    ),
    Pattern(
        r"(?:to_shape|get_shape\(?\)?) (?:was called|must be called|called) on a (?:dynamic|static) shape|"
        r"get_shape was called on a descriptor::Tensor with dynamic shape|"
        r"Cannot get (?:length|dims|elements count) (?:of|for) (?:a )?(?:dynamic|non static)",
        "something wants the lengths of a shape that is dynamic: the program asks for .shape of an input with unknown"
        " dims, or the device (NPU, or a plugin without dynamic shapes) takes static shapes only",
        "in a program use partial_shape; for the device make the shapes static (model.reshape, or infer --write)",
        rules=("OVG862",),
        commands=(
            "ovgather inspect model.xml",
            "ovgather validate --device NPU model.xml",
            "ovgather infer model.xml --input-shape NAME=[1,128] --write static.xml",
        ),
        since="2020.1 and later",
        source="src/core/src/partial_shape.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"(?:Argument shapes are inconsistent|Product of output shape dimensions does not match product of argument|"
        r"Requested output shape (?P<want>\S+) is incompatible with input shape|"
        r"Incompatible (?:matrix|MatMul) dimension|dimensions? mismatch|Shapes are not compatible)",
        "the shapes that reach a layer do not fit together; often an input shape was changed that the model fixes",
        "see which dims come from where, and change all inputs that share them",
        rules=("OVG202", "OVG203", "OVG206"),
        commands=_INFER,
        source="src/core/shape_inference",
    ),
    Pattern(
        r"model input \(shape ?= ?(?P<want>[^)\n]*)\) and the tensor \(shape ?= ?(?P<got>[^)\n]*)\)? ?\)? are"
        r" incompatible|"
        r"The input tensor size is not equal to the model input type: got (?P<got2>\S+) expecting (?P<want2>\S+)|"
        r"The tensor size is not equal to model, can't set",
        "the application gives a tensor whose shape is not that of the model's input",
        "give an array of the input's shape, or reshape the model before it is compiled",
        commands=("ovgather inspect model.xml",),
        since="2022.1 and later",
        source="src/inference/src/dev/isync_infer_request.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"(?:input|output) tensor with element type:? (?P<got>\w+),? is not supported|"
        r"model (?:input|output) element type \((?P<want>\w+)\)|Failed to set (?:input blob|"
        r"tensor).*?(?:precision|type)",
        "the application gives a tensor of another element type than the model's input",
        "convert the array, or use the preprocessing interface",
        commands=("ovgather inspect model.xml",),
        source="src/inference/src/dev/isync_infer_request.cpp",
    ),
    Pattern(
        r"(?:Port|Input|Output) for tensor name '?(?P<tensor>[^'\n]+?)'? (?:was|is) not found|"
        r"Failed to find input or output with name: '?(?P<name>[^'\n]+)",
        "no input or output of the model has this tensor name",
        "use a name of the model, or its number",
        rules=("OVG213",),
        commands=("ovgather inspect model.xml",),
        since="2020.1 and later",
        source="src/inference/src/cpp/infer_request.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Device with \"?(?P<device>[\w.]+)\"? name is not registered in the (?:OpenVINO Runtime|InferenceEngine)",
        "this OpenVINO has no plugin for {device}: the name is misspelt, the plugin is not installed, or the release no"
        " longer has it (MYRIAD ended with 2022.3, GNA with 2023.3)",
        "ask for core.available_devices, or install a release that has it",
        rules=("OVG862",),
        commands=("ovgather validate --device {device} model.xml",),
        since="2019 and later",
        source="src/inference/src/dev/core_impl.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"(?:Cannot load library|Failed to create plugin|Cannot create plugin|Could not load plugin)[^\n]*",
        "the plugin of a device cannot be loaded: a library or a driver that it needs is missing (for GPU"
        " libOpenCL, for"
        " NPU the Level Zero loader)",
        "install the driver; ovgather itself needs no device",
        source="src/inference/src/dev/core_impl.cpp, src/common/util",
    ),
    Pattern(
        r"Can(?:not|'t) set (?:the )?(?:batch|layout)|Get original batch size fails",
        "the batch dim is not known, for no input has a layout",
        'set a layout first: ov.layout_helpers.set_layout(input, "N...")',
        commands=("ovgather inspect model.xml",),
        source="src/core/src/model.cpp",
    ),
    Pattern(
        r"vector::_M_(?:range_check|default_append|fill_insert)|std::bad_alloc|bad_alloc|basic_string::_M_create|map::at",
        "OpenVINO met a value that it does not expect (an id, a size, an index, a name), and its library says no more",
        "validate looks for such values; where the file is clean, the values at run time are the cause",
        rules=("OVG103", "OVG105", "OVG110", "OVG306", "OVG403"),
        source="the C++ library",
    ),
    Pattern(
        r"Shape inference of (?P<type>\w+) node with name (?P<layer>\S+) failed",
        "the shapes that reach layer {layer!r} ({type}) at run time do not fit; the text after it says how",
        "see which dims come from where, and give inputs whose dims go together",
        rules=("OVG202", "OVG203"),
        commands=_INFER,
        since="2022.1 and later",
        source="src/plugins/intel_cpu/src/node.cpp",
    ),
    Pattern(
        r"(?P<one>OpenVINO)? ?(?:and OpenVINO Tokenizers versions|Tokenizers)[^\n]* (?:not binary compatible|"
        r"incompatible)|"
        r"Neither tokenizer nor detokeni?zi?er models were provided",
        "openvino_tokenizers and openvino are of different releases, or the folder of the model has no tokenizer",
        "install openvino, openvino-tokenizers and openvino-genai of one release, and convert the tokenizer again",
        commands=("ovgather inspect openvino_tokenizer.xml",),
        since="2023.3 and later",
        source="openvino_tokenizers, openvino.genai",
        weight=EXACT,
    ),
    Pattern(
        r"Check '[^\n]*' failed at|While validating node '(?P<node>[^\n']*)'",
        "OpenVINO's core refuses a layer; the line after it says why",
        "give the whole message: ovgather explain - < log.txt",
        rules=("OVG202", "OVG204"),
        commands=_INFER,
        source="src/core/src/except.cpp",
        weight=GENERAL,
    ),
    Pattern(
        r"(?:Error loading|Cannot load)[^\n]*(?:extension|tokenizers)[^\n]*|Cannot find entry point to the extension",
        "a library of extensions cannot be loaded: it is not there, or was built for another release of OpenVINO",
        "use the library of this very release",
        rules=("OVG107",),
        source="src/core/src/so_extension.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"(?:Incompatible cache format|was (?:compiled|exported) (?:by|with) (?:another|a different|different)|"
        r"[Bb]lob (?:version|format)[^\n]*(?:mismatch|not supported)|Cannot serialize [Mm]odel to incompatible"
        r" IR version)",
        "a compiled blob, a cache, or an IR version belongs to another release",
        "delete the cache and compile the .xml again",
        source="src/inference/src/cache_guard.cpp, src/core/src/pass/serialize.cpp",
    ),
    Pattern(
        r"zero dimension|[Zz]ero[-\s]dim\w* (?:are|is) not|has zero dimension that is not allow",
        "a shape has a dim of length 0",
        "give the input at least one element",
        rules=("OVG502", "OVG702"),
        source="src/core, src/plugins",
    ),
    Pattern(
        r"Input (?P<tensor>\S+) is dynamic\. Provide data shapes|(?:must be|is) (?:static|"
        r"reshaped)[^\n]*-(?:data_)?shape",
        "benchmark_app needs the lengths of the dynamic input {tensor!r}",
        'give them: -data_shape "{tensor}[1,128]", or make the shapes static',
        rules=("OVG862",),
        commands=(
            "ovgather inspect model.xml",
            "ovgather infer model.xml --input-shape NAME=[1,128] --write static.xml",
        ),
        since="2022.1 and later",
        source="tools/benchmark_tool",
        weight=EXACT,
    ),
    Pattern(
        r"cannot find available devices|[Nn]o (?:available|supported) devices?(?: found)?|NPU driver wasn't found|"
        r"Could not find an NPU device",
        "the plugin finds no device: its driver is missing, too old, or not visible in a container",
        "install the driver (for a container pass /dev/dri or /dev/accel on); ovgather itself needs no device",
        source="src/plugins",
        weight=EXACT,
    ),
    Pattern(
        r"Can't set partial shape|Can't find variable with id|Can't open (?:xml|bin) file",
        "a shape, a state or a file that the program names is not there or does not fit",
        "look at the model's inputs and states",
        commands=("ovgather inspect model.xml",),
        source="src/core/src",
    ),
)
