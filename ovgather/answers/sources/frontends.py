"""What converters print: OpenVINO's frontends and Model Optimizer."""

from ovgather.answers.pattern import EXACT, GENERAL, Pattern

WHO = "OpenVINO's frontends and Model Optimizer"
_ONNX = ("ovgather validate model.onnx", "ovgather convert model.onnx -o model.xml")

PATTERNS = (
    Pattern(
        r"Encountered unconverted operation\(s\) for which openvino-tokenizers package provides",
        "the model has operations on text, which openvino_tokenizers converts",
        "pip install openvino-tokenizers of the same release, and import openvino_tokenizers before convert_model",
        commands=("ovgather inspect model.xml",),
        since="2024.0 and later",
        source="src/frontends: onnx, tensorflow",
        weight=EXACT,
    ),
    Pattern(
        r"No conversion rule found for operations?: ?(?P<types>[^\n]+)|(?:No translator found for|Internal error, no"
        r" translator for) (?P<type>\S+)|OpenVINO does not support the following ONNX operations: ?(?P<types2>[^\n]+)|"
        r"Not supported ONNX op(?:eration)?: ?(?P<type2>\S+)|List of operations that cannot be converted",
        "the frontend of this release does not convert these operations",
        "update OpenVINO, export the model otherwise (another opset), or add a ConversionExtension",
        commands=_ONNX,
        source="src/frontends",
        weight=EXACT,
    ),
    Pattern(
        r"(?:Conversion is failed for: ?(?P<type>[^\n]+)|Errors? (?:occurred )?during ONNX conversion|Failed to"
        r" translate ONNX)",
        "the frontend could not convert an operation; the lines after it say why",
        "give the whole log; validate checks the Gather nodes of an ONNX file",
        rules=("OVG803", "OVG808"),
        commands=_ONNX,
        source="src/frontends/onnx",
    ),
    Pattern(
        r"[Zz]ero 'indices' input rank is not allowed|Both `?data`? and `?indices`? input tensors in GatherND op"
        r" need to have"
        r" rank larger than 0",
        "the indices of a GatherND are a scalar",
        "give them at least one dim",
        rules=("OVG808",),
        commands=_ONNX,
        source="src/frontends/paddle/src/op/gather_nd.cpp; onnx/defs/tensor/utils.cc",
        weight=EXACT,
    ),
    Pattern(
        r"Cannot infer shapes or values for node \"?(?P<node>[^\".\n]+)|Not all output shapes were inferred or"
        r" fully defined",
        "Model Optimizer cannot tell the shape of {node!r}, for an input shape is not known",
        "give it: --input_shape [1,3,224,224]",
        commands=("ovgather infer model.onnx",),
        since="2018 to 2023.3",
        source="tools/mo/openvino/tools/mo/middle/passes/infer.py",
    ),
    Pattern(
        r"Model can't be parsed|Error parsing text-format (?P<type>\S+)|Error parsing message as the message exceeded",
        "a frontend cannot parse the file: it is another format, or cut off",
        "see what the file is",
        commands=("ovgather inspect model.xml",),
        source="src/frontends",
        weight=GENERAL,
    ),
    Pattern(
        r"While validating ONNX node '?<?Node\((?P<type>\w+)\): (?P<node>[^>\n]*)",
        "the ONNX frontend refuses node {node!r} ({type}); the line after it says why",
        "give the whole message; validate checks the Gather nodes",
        rules=("OVG803", "OVG808", "OVG806"),
        commands=_ONNX,
        source="src/frontends/onnx/frontend/src/core/operator_set.hpp",
    ),
    Pattern(
        r"(?:Exporting|ONNX export of) (?:the )?operator '?(?P<type>[\w:]+)'?[^\n]*(?:is )?not supported|"
        r"UnsupportedOperatorError",
        "PyTorch's exporter has no ONNX operation for {type} in the opset asked for",
        "export with a higher opset_version, or with dynamo=True",
        commands=("ovgather explain {type}",),
        source="torch/onnx",
        weight=EXACT,
    ),
    Pattern(
        r"Unexpected exception happened during extracting attributes for node (?P<node>\S+)|Exception occurred during"
        r" running replacer \"?(?P<replacer>[^\"\n(]+)|Cannot pre-process ONNX graph|Framework (?:name )?can not"
        r" be deduced",
        "Model Optimizer fails on the model; the lines around it say why",
        "use openvino.convert_model of a later release: Model Optimizer ended with 2024.6",
        commands=("ovgather validate model.onnx",),
        since="2018 to 2024.6",
        source="tools/mo",
    ),
    Pattern(
        r"src.frontends.(?:onnx|tensorflow|pytorch|paddle|common)",
        "a frontend of OpenVINO refuses the model; what it says beyond that is not known here",
        "see whether the file is sound, and whether the CPU takes it, to tell the file from the device",
        commands=_ONNX,
        source="src/frontends",
        weight=GENERAL,
    ),
)
