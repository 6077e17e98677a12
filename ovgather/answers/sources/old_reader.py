"""What the Inference Engine printed before 2021.1: IR v2 to v7, and the first readers of v10."""

from ovgather.answers.pattern import EXACT, Pattern

WHO = "OpenVINO's Inference Engine (2018 to 2020)"
_FILE = "inference-engine/src/inference_engine/ie_cnn_net_reader_impl.cpp"

PATTERNS = (
    Pattern(
        r"cannot parse future versions: ?(?P<ir>\d+)",
        "this OpenVINO is older than the file: it is an IR v{ir}, which {ir_releases} read",
        "update OpenVINO, or write the model again with the older release"
        " (in 2020: mo --generate_deprecated_IR_V7 writes an IR v7)",
        rules=("OVG004", "OVG861"),
        commands=("ovgather inspect model.xml", "ovgather validate --target 2019R3 model.xml"),
        since="2018 to 2020.1",
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"deprecated IR version: ?(?P<ir>\d+)|Unsupported IR version: ?(?P<ir2>\d+)",
        "this OpenVINO does not read this IR version",
        "convert the original model again",
        rules=("OVG004",),
        commands=("ovgather inspect model.xml",),
        since="2018 to 2021.4",
        source=_FILE,
        weight=EXACT,
    ),
    Pattern(
        r"Unsupported primitive of type: ?(?P<type>\w+)(?: name: ?(?P<layer>\S+))?",
        "the CPU plugin of this release has no kernel for {type} (layer {layer!r}); up to 2019 R3 many kernels, Gather"
        " among them, stood in a library of extensions that the application has to load",
        "load it (-l libcpu_extension, or ie.add_extension), or use 2020.1 or later, where it is part of the plugin",
        rules=("OVG862",),
        commands=("ovgather validate --device CPU --target 2019R3 model.xml",),
        since="2018 to 2020.4",
        source="inference-engine/src/mkldnn_plugin/mkldnn_node.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"The axis must => 0 and <= input_rank \(axis: ?(?P<axis>-?\d+)\)",
        "the axis of a Gather is outside of the rank of data. 4294967295 is -1: 2020.1 reads a negative axis as an"
        " unsigned number, a bug of that release; the file is right, for a negative axis is allowed",
        "use 2020.2 or later, or write the axis counted from the front (rank - 1 for -1)",
        rules=("OVG104", "OVG861"),
        commands=("ovgather validate --target 2020.1 model.xml",),
        since="2020.1 to 2021.2",
        source="ngraph/src/ngraph/op/gather.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Failed to (?:find|create) reference implementation for `?(?P<layer>[^`\n]+?)`? Layer with"
        r" `?(?P<type>\w+)`? Type",
        "a {type} of constants is to be computed while the network is loaded, and this release cannot do so",
        "update OpenVINO to 2021.1 or later",
        rules=("OVG861",),
        commands=("ovgather inspect model.xml",),
        since="2019 to 2020.4",
        source="inference-engine/src/legacy_api: constant propagation",
    ),
    Pattern(
        r"Primitive descriptor was not found for node (?P<layer>\S+)",
        "the CPU plugin has no kernel for the element types or the layout of layer {layer}",
        "look at the element types of the layer's inputs",
        rules=("OVG705", "OVG204"),
        since="2018 to 2021.4",
        source="inference-engine/src/mkldnn_plugin/mkldnn_node.cpp",
    ),
    Pattern(
        r"The input blob size is not equal to the network input size: got (?P<got>\d+) expecting (?P<want>\d+)",
        "the application gives {got} elements, and the network takes {want}",
        "give an array of the input's shape, or reshape the network",
        commands=("ovgather inspect model.xml",),
        since="2018 to 2021.4",
        source="inference-engine/src/plugin_api/cpp_interfaces/impl/ie_infer_request_internal.hpp",
        weight=EXACT,
    ),
    Pattern(
        r"LoadNetwork doesn't support inputs having dynamic shapes|InferenceEngine::CNNNetwork does not support"
        r" (?:networks|models)"
        r" with dynamic|doesn't support (?:inputs having )?dynamic shapes",
        "the old interface (Inference Engine) takes no dynamic shapes, and the file has some",
        "use the interface of 2022.1 (ov::Core, openvino.Core), or make the shapes static",
        rules=("OVG862",),
        commands=(
            "ovgather inspect model.xml",
            "ovgather infer model.xml --input-shape NAME=[1,128] --write static.xml",
        ),
        since="2022.1 to 2023.3",
        source="src/inference/src/ie_core.cpp; intel.com, support article 000090776",
        weight=EXACT,
    ),
    Pattern(
        r"Data is empty!?|network (?:is )?empty|Network doesn't contain",
        "the .xml or the .bin was read as nothing: a path that is wrong, or an empty file",
        "look at both files",
        rules=("OVG001", "OVG008", "OVG010"),
        commands=("ovgather inspect model.xml",),
        since="2018 to 2020.4",
        source="inference-engine/ie_bridges/python",
    ),
    Pattern(
        r"(?:Unsupported layers found|[Ll]ayers? (?:are |is )?not supported by the plugin[^\n:]*):?"
        r" ?\[?(?P<layers>[^\]\n]*)|"
        r"Check whether extensions are available",
        "query_network names layers that the device has no kernel for ({layers}); an input among them only means that"
        " the old list of layers counts inputs",
        "run them on the CPU (HETERO:{DEVICE},CPU), or use a later release",
        rules=("OVG862",),
        commands=("ovgather inspect model.xml", "ovgather validate --device MYRIAD model.xml"),
        since="2018 to 2021.4",
        source="samples of the Inference Engine: IECore.query_network",
    ),
    Pattern(
        r"Input blob size is not equal (?:to )?(?:the )?network input size ?\(?(?P<got>\d+)? ?!?=? ?(?P<want>\d+)?|"
        r"Failed to set Blob with precision|Input data was not allocated|Blob was not allocated",
        "the application gives an array whose size or element type is not that of the input",
        "give an array of the input's shape and type, or reshape the network",
        commands=("ovgather inspect model.xml",),
        since="2018 to 2023.3",
        source="inference-engine/src/plugin_api",
        weight=EXACT,
    ),
    Pattern(
        r"Cannot (?:find|add) (?:layer|output|edge)[^\n]*|referenced from (?:layer|edge)[^\n]*not found",
        "an edge or an output names a layer that is not there",
        "correct the name or the edge",
        rules=("OVG302",),
        since="2018 to 2021.4",
        source="inference-engine/src/legacy_api",
    ),
    Pattern(
        r"segment exceeds given buffer limits|Please,? validate weights file|[Bb]lob (?:data )?size (?:is"
        r" )?(?:not equal|mismatch)",
        "the .bin is shorter than the .xml says: cut off in a copy, a git-lfs pointer, a web page, or of another model",
        "compare its size with the one that is needed, and fetch it again (git lfs pull)",
        rules=("OVG402", "OVG008", "OVG407"),
        commands=("ovgather inspect model.xml",),
        since="2018 to 2020.4",
        source="inference-engine/src/readers/ir_reader_v7/ie_format_parser.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Cannot create (?P<type>\S+) layer (?P<layer>\S+) id: ?(?P<id>\d+) ?(?!\S* ?from)$",
        "this OpenVINO does not have the operation {type} of the opset that layer {id} asks for: the file was"
        " written by a"
        " later release",
        "see which release reads the file, and update OpenVINO",
        rules=("OVG107", "OVG861"),
        commands=("ovgather inspect model.xml", "ovgather validate --target 2020.3 model.xml"),
        since="2020.1 to 2020.3; later ones name the opset",
        source="inference-engine/src/readers/ir_reader/ie_ir_parser.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"dimension \((?P<dim>[^)\n]*)\) in node (?P<element>\w+) must be a positive integer",
        "a port has the dim {dim!r}, and releases before 2022.1 read positive dims only",
        "make the shapes static, or read the file with 2022.1 or later",
        rules=("OVG207", "OVG861"),
        commands=("ovgather inspect model.xml", "ovgather validate --target 2021.4 model.xml"),
        since="2018 to 2021.4",
        source="inference-engine/src/readers/ir_reader/ie_ir_parser.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"trying to connect an edge to (?:mismatch dimensions|non existing output port)|input port (?P<port>\d+)"
        r" does not"
        r" exist in layer (?P<layer>\S+)|Layer ID (?P<id>\d+) was not found while connecting edge|two layers set"
        r" to the same"
        r" output",
        "the edges of the file do not go with its ports",
        "correct the edge or the port; an IR that a converter wrote is not to be changed by hand",
        rules=("OVG302", "OVG303", "OVG206", "OVG109"),
        since="2018 to 2020.4",
        source="inference-engine/src/readers/ir_reader_v7/ie_format_parser.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"Don't know how to create Layer type: ?(?P<type>\w+)|Unknown layer type: ?(?P<type2>\w+)",
        "this release has no layer {type}",
        "convert the original model with the release that reads it",
        rules=("OVG107", "OVG861"),
        commands=("ovgather inspect model.xml",),
        since="2018 to 2020.4",
        source="inference-engine/src/readers/ir_reader_v7/ie_format_parser.cpp",
        weight=EXACT,
    ),
    Pattern(
        r"assert len\((?:self\.)?net(?:work)?\.(?:inputs|outputs|input_info)[^\n]*== ?1",
        "the program takes networks with one input (or output), and this one has more",
        "look at the inputs, and use a program that takes them all",
        commands=("ovgather inspect model.xml",),
        since="2018 to 2021.4",
        source="samples of the Inference Engine",
    ),
)
