"""What OpenVINO's reader of IR v10 and v11 prints."""

from ovgather.answers.pattern import EXACT, GENERAL, Pattern

WHO = "OpenVINO's IR reader"
_FILE = "src/frontends/ir/src/ir_deserializer.cpp (before 2022.1: ie_ir_parser.cpp)"
_LAYER = r"Cannot create (?P<type>\S+) layer (?P<layer>.+?) id: ?(?P<id>\d+) from unsupported opset: "
_INSPECT = ("ovgather inspect model.xml", "ovgather validate --target 2023.3 model.xml")

PATTERNS = (
    Pattern(
        r"Cannot find reader for model format: ?(?!xml\b|onnx\b|prototxt\b)(?P<format>\S+)",
        "the file given as the model ends with .{format}, and readers go by the ending: the arguments are swapped (.bin"
        " before .xml), or the name has no .xml",
        "give the .xml first, and the .bin second",
        since="2020.3 to 2021.4",
        source="inference-engine/src/inference_engine/ie_network_reader.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"is supported and the model is correct\. Available frontends: ?$",
        "this OpenVINO has no frontend at all, so it reads no file: their libraries (libopenvino_ir_frontend) are not"
        " beside libopenvino",
        "install the whole package, or build OpenVINO with ENABLE_OV_IR_FRONTEND",
        since="2022.1 and later",
        source="src/inference/src/model_reader.cpp",
        weight=EXACT,
    ),
    Pattern(
        _LAYER + r"(?P<opset>extension|experimental|custom_opset)\b",
        "layer {id} is of type {type}, which is in no opset: it belongs to {owner}",
        "{load}",
        rules=("OVG107",),
        since="2020.1 and later",
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        _LAYER + r"(?P<opset>opset\d+)",
        "this OpenVINO does not have {opset}, which {type} (layer {id}) asks for: {opset} came with {opset_release}, so"
        " the file was written by a later release than the one that reads it",
        "read it with OpenVINO {opset_release} or later (on an NPU: with a driver that is as new, for the driver"
        " has the"
        " compiler), or write the model again with the older release",
        rules=("OVG107", "OVG861"),
        commands=_INSPECT,
        since="2020.1 and later",
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        _LAYER + r"(?P<opset>\S+)",
        "the version {opset!r} of layer {id} ({type}) is no opset of OpenVINO",
        "correct the version, or load the extension that brings it",
        rules=("OVG107",),
        since="2020.1 and later",
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"Cannot create (?P<type>\S*) layer (?P<layer>.*?) ?id: ?(?P<id>\d+) from unsupported opset: ?$",
        "a layer has no version, or an edge comes from a layer that does not exist",
        "look at the edges and the ids of the layers",
        rules=("OVG107", "OVG302", "OVG109"),
        since="2020.1 and later",
        source=_FILE,
    ),
    Pattern(
        r"Opset (?P<opset>\S+) doesn't contain the operation with type: ?(?P<type>\S*)",
        "{opset} has no operation {type!r}",
        "give the layer the opset that has it, or correct the type",
        rules=("OVG107",),
        since="2020.1 and later",
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"Empty weights data in bin file or bin file cannot be found",
        "the .xml has constants, and OpenVINO found no .bin, or an empty one",
        "put the .bin beside the .xml under the same name, or name it in read_model(xml, bin)",
        rules=("OVG008",),
        since="2020.4 and later",
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"Incorrect weights in bin file|Layer(?: \S+)? has incorrect weights|has incorrect (?:weights|biases)",
        "the .bin is shorter than the .xml says: cut off in a copy, a git-lfs pointer, a web page, the .xml"
        " given twice,"
        " or the .bin of another model",
        "compare its size with the one that is needed, and fetch it again (git lfs pull)",
        rules=("OVG402", "OVG008", "OVG407"),
        commands=("ovgather inspect model.xml", "ovgather validate model.xml"),
        since='2020.1 and later; "Layer has incorrect weights!" before',
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"Attribute and shape size are inconsistent for (?P<layer>\S+)",
        "the size of a Const is not what its shape and element type need",
        "correct shape, element_type or size of the Const",
        rules=("OVG401", "OVG403"),
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"Unable to read the model(?:: \"?(?P<file>[^\"\n]*)\"?)?",
        "no frontend takes the file: it is no IR (a web page, a git-lfs pointer, cut off), its IR version is neither 10"
        " nor 11, it is not there, or the frontend is not installed",
        "see what the file is; an old IR has to be converted again from the original model",
        rules=("OVG001", "OVG002", "OVG003", "OVG004"),
        commands=("ovgather inspect model.xml", "ovgather validate model.xml"),
        since="2022.1 and later; before: Unknown model format! Cannot find reader for model format",
        source="src/inference/src/model_reader.cpp",
    ),
    Pattern(
        r"Cannot find reader for model format: ?(?P<format>\w+)",
        "no reader takes the file. For xml: it is an IR v11, which 2022.1 and later read, and this release is older; or"
        " an IR v7 or earlier, whose reader is not installed; or no IR at all (a web page, a git-lfs pointer, cut off);"
        " or the library of the reader is not found",
        "see what the file is; write an IR v10 with 2021.4, or update OpenVINO to 2022.1 or later",
        rules=("OVG001", "OVG002", "OVG003", "OVG004", "OVG861"),
        commands=("ovgather inspect model.xml", "ovgather validate --target 2021.4 model.xml"),
        since="2020.3 to 2021.4",
        source="inference-engine/src/inference_engine/ie_network_reader.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"The support of IR v(?P<ir>\d+) has been removed",
        "the file is an IR v{ir}, which {ir_releases} read; 2021.1 came without the reader of such files",
        "convert the original model again, or read the file with OpenVINO 2020.4 or earlier",
        rules=("OVG004",),
        commands=("ovgather inspect model.xml",),
        since="2021.1 to 2023.3",
        source="inference-engine/src/inference_engine/ie_network_reader.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"(?:^\W*|[:\]] ?)sto(?:ll|i|ull?|l|d|f)\W*$",
        "a number in the file cannot be read: an id, a size, an offset, a dim, or the IR version",
        "validate names the attribute and its line",
        rules=("OVG004", "OVG101", "OVG103", "OVG110", "OVG207", "OVG301", "OVG401"),
        since="2020.1 and later",
        source="std::stoll in src/frontends/ir/src/ir_deserializer.cpp and utils.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"(?P<what>Start-? ?end tags mismatch|Error parsing [\w\s]+|Could not determine tag type|No document"
        r" element found|"
        r"Unexpected end of data)(?:\W+| )at (?:offset (?P<offset>\d+)|line: ?(?P<line>\d+) pos: ?(?P<pos>\d+))",
        "the file is no XML: it is cut off, or was changed by hand or by an editor",
        "fetch or write the file again; validate shows the place and repairs what it can",
        rules=("OVG002", "OVG010"),
        since='2020.1 and later by offset; before by "line: pos:"',
        source="pugixml, by src/frontends/ir/src/input_model.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Cannot parse '?\"?(?P<text>[^'\"\n]*?)['\"]? to number|which is not an? (?:un)?(?:signed )?(?:64 bit"
        r" )?integer|"
        r"is not a (?:member|valid) of enum|(?P<name>\S+) is not a member of enum|Cannot parse dimension",
        "the text of an attribute is not the number or word that OpenVINO expects there",
        "correct the attribute",
        rules=("OVG102", "OVG103", "OVG207", "OVG210"),
        since="2022.1 and later",
        source="src/frontends/ir/src/utils.hpp",
    ),
    Pattern(
        r"Unsupported element type: ?(?P<element_type>\S+)|Unknown precision: ?|Undefined element type",
        "an element type is misspelt, or came with a later release",
        "correct it, or update OpenVINO",
        rules=("OVG110", "OVG208", "OVG211", "OVG861"),
        commands=("ovgather validate model.xml", "ovgather inspect model.xml"),
        source="src/core/src/type/element_type.cpp",
    ),
    Pattern(
        r"Attempt to access node (?P<id>\d+) that not in graph",
        "layers depend on each other in a circle, or an edge comes from a layer that is not there (layer {id})",
        "correct the edges",
        rules=("OVG301", "OVG302", "OVG303", "OVG304"),
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"layer (?P<layer>.+?) with id: ?(?P<id>\d+) (?:is inconsistent|has incorrect input with index (?P<index>\d+)|"
        r"has undefined element type)",
        "an input of layer {id} is not fed, is fed twice, or has no element type",
        "correct the edges into the layer",
        rules=("OVG301", "OVG302", "OVG303", "OVG211"),
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"Can ?not find (?:input|output) port with id:? (?P<port>\d+) in layer (?P<layer>.+)",
        "an edge names port {port}, which layer {layer} does not have",
        "correct the edge, or add the port",
        rules=("OVG302", "OVG201", "OVG209"),
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"Invalid IR! (?P<layer>.+?) name is not unique|<net> has no name|(?:is missing mandatory attribute|node"
        r" <\w+> is missing mandatory attribute):? ?(?P<attribute>\S*)",
        "an attribute is missing, or two layers have the same name",
        "add or correct the attribute",
        rules=("OVG101", "OVG109", "OVG111", "OVG301"),
        source=_FILE,
    ),
    Pattern(
        r"Missing attribute '?(?P<attribute>\w+)'? for ?(?P<type>\w*)|Layer data must be defined for",
        "a layer lacks the attribute {attribute!r}, or its <data>",
        "add it",
        rules=("OVG101", "OVG401", "OVG102"),
        source=_FILE,
    ),
    Pattern(
        r"could not open the file|Model file (?P<file>.+?) cannot be opened|Weights file (?P<bin>.+?) cannot be opened|"
        r"Can ?not open file (?P<any>.+?) for mapping",
        "a file is not there, or may not be read",
        "check the path, as seen from the program's working folder",
        rules=("OVG001", "OVG008"),
        source="src/frontends/ir/src/frontend.cpp",
    ),
    Pattern(
        r"node index is out of range|index '(?P<index>\d+)' out of range in get_(?:in|out)put",
        "a layer has more output ports than its operation, or fewer inputs than it needs",
        "correct the ports and edges of the layer",
        rules=("OVG201", "OVG303"),
        source="src/core/src/node.cpp",
    ),
    Pattern(
        r"Error reading network|FrontEnd API failed with GeneralFailure|Exception from src/inference/src/(?:cpp/)?core",
        "reading or compiling failed; another line of the log says why",
        "give the whole log: ovgather explain - < log.txt",
        source="src/inference/src/cpp/core.cpp",
        weight=GENERAL,
    ),
)
