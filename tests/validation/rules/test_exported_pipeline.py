"""OVG504: a folder as optimum-intel writes it, with one mistake after the other."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from small_models import constant, layer, net, parameter, result

from ovgather.validation.api import validate

CONFIGURATION = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": 8,
    "hidden_size": 12,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 16,
}
CACHES = tuple(
    f"past_key_values.{number}.{part}"
    for number in range(2)
    for part in ("key", "value")
)


def model(
    inputs: tuple[str, ...] = ("attention_mask", "beam_idx"),
    tokens: str = "input_ids",
    length: str = "?",
    width: int = 12,
    rows: int = 8,
    logits: int = 8,
    caches: tuple[str, ...] = CACHES,
    cache: str = "?,2,?,3",
    types: dict[str, str] | None = None,
    output: str = "logits",
) -> str:
    """A table, logits, and caches that the model keeps itself."""
    port = f"-1,{length}".replace("?", "-1")
    layers = [
        constant(0, "", "i64", 0, 8, "I64", "axis"),
        parameter(1, f"?,{length}", "i64", f"I64 {port}", tokens),
        constant(
            2,
            f"{rows},{width}",
            "f32",
            8,
            rows * width * 4,
            f"FP32 {rows},{width}",
            "table",
        ),
        layer(
            3,
            "Gather",
            "opset8",
            "",
            (f"FP32 {rows},{width}", f"I64 {port}", "I64"),
            (f"FP32 {port},{width}",),
            "embed",
        ),
        constant(
            4,
            f"{width},{logits}",
            "f32",
            8,
            width * logits * 4,
            f"FP32 {width},{logits}",
        ),
        layer(
            5,
            "MatMul",
            "opset1",
            'transpose_a="false" transpose_b="false"',
            (f"FP32 {port},{width}", f"FP32 {width},{logits}"),
            (f"FP32 {port},{logits}",),
            "head",
        ),
        result(6, f"FP32 {port},{logits}"),
    ]
    layers[5] = _named(layers[5], output)
    edges = "1:0-3:1 2:0-3:0 0:0-3:2 3:3-5:0 4:0-5:1 5:2-6:0 "
    for at, name in enumerate(inputs):
        kind = (types or {}).get(name, "i32" if name == "beam_idx" else "i64")
        port = {"i32": "I32", "i64": "I64", "f32": "FP32"}[kind]
        layers.append(parameter(10 + at, "?", kind, f"{port} -1", name))
    for at, name in enumerate(caches):
        data = f'variable_id="{name}present.{name[16:]}" variable_type="f32" variable_shape="{cache}"'
        dims = cache.replace("?", "-1")
        layers.append(
            layer(20 + 2 * at, "ReadValue", "opset6", data, (), (f"FP32 {dims}",))
        )
        layers.append(
            layer(
                21 + 2 * at,
                "Assign",
                "opset6",
                data,
                (f"FP32 {dims}",),
                (f"FP32 {dims}",),
            )
        )
        edges += f"{20 + 2 * at}:0-{21 + 2 * at}:0 "
    return net(*layers, edges=edges)


def _named(text: str, name: str) -> str:
    """The layer with a name of the tensor of its output."""
    head, output, rest = text.partition("<output>")
    return head + output + rest.replace("<port", f'<port names="{name}"', 1)


def findings(
    folder: Path, text: str, name: str = "openvino_model", **more: Any
) -> list[str]:
    """The findings of a file beside its configuration."""
    file = folder / f"{name}.xml"
    file.write_text(text)
    file.with_suffix(".bin").write_bytes(bytes(4096))
    content = {
        key: value for key, value in (CONFIGURATION | more).items() if value is not None
    }
    (folder / "config.json").write_text(json.dumps(content))
    return [each.message for each in validate(file) if each.code == "OVG504"]


def test_a_folder_that_fits(tmp_path: Path) -> None:
    assert findings(tmp_path, model()) == []
    assert findings(tmp_path, model(tokens="inputs_embeds")) == []
    assert (
        findings(
            tmp_path, model(inputs=("attention_mask",), caches=()), num_hidden_layers=9
        )
        == []
    )


MISTAKES = [
    (
        {"inputs": ("attention_mask",)},
        "no input is called beam_idx: a pipeline sets it",
    ),
    (
        {"inputs": ("beam_idx",)},
        "no input is called attention_mask: a pipeline sets it",
    ),
    (
        {"tokens": "ids"},
        "no input is called input_ids or inputs_embeds: a pipeline sets it",
    ),
    (
        {"caches": CACHES[:2]},
        "the model has caches for 1 layers, and the configuration 2 layers",
    ),
    (
        {"cache": "?,4,?,3"},
        "past_key_values.0.key has 4 heads, and the configuration 2",
    ),
    (
        {"cache": "?,2,?,6"},
        "past_key_values.0.key has 6 elements a head, and the configuration 3",
    ),
    (
        {"width": 16},
        "a row of the table of tokens has 16 elements, and the configuration 12",
    ),
    ({"logits": 9}, "logits has 9 elements a token, and vocab_size is 8"),
    ({"output": "scores"}, "no output is called logits: a pipeline reads it"),
    (
        {"types": {"attention_mask": "f32"}},
        "attention_mask takes f32, and a pipeline gives i64",
    ),
    (
        {"types": {"beam_idx": "i64"}},
        "beam_idx takes i64, and a pipeline gives i32",
    ),
    (
        {"length": "32"},
        "input_ids has the static length 32, and max_position_embeddings is 16",
    ),
]


@pytest.mark.parametrize(("change", "message"), MISTAKES)
def test_mistakes_of_the_model(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    found = findings(tmp_path, model(**change))
    assert found[0] == message
    assert len(found) == (4 if "cache" in change else 1)


def test_all_at_once(tmp_path: Path) -> None:
    at_once = [each for each in MISTAKES if not each[0].keys() & {"types", "output"}]
    changes = {name: value for change, _ in at_once for name, value in change.items()}
    changes |= {"inputs": (), "tokens": "input_ids", "cache": "?,4,?,6"}
    found = findings(tmp_path, model(**changes))
    for _, message in at_once:
        if "inputs_embeds" not in message:
            assert message in found


@pytest.mark.parametrize(
    ("more", "number"),
    [
        ({"num_hidden_layers": 3}, 1),
        ({"num_hidden_layers": None, "n_layer": 3}, 1),
        ({"num_hidden_layers": 3, "num_kv_shared_layers": 1}, 0),
        ({"num_key_value_heads": None}, 4),
        ({"num_key_value_heads": None, "multi_query": True}, 0),
        ({"head_dim": 5}, 4),
        ({"head_dim": 5, "kv_lora_rank": 2}, 0),
        ({"hidden_size": 16, "head_dim": 3}, 1),
        ({"hidden_size": 16, "head_dim": 3, "word_embed_proj_dim": 12}, 0),
        ({"vocab_size": 9}, 1),
        ({"architectures": None, "vocab_size": 9}, 0),
        ({"text_config": {}, "vocab_size": 9}, 0),
        ({"vocab_size": True}, 0),
        ({"vocab_size": "9", "architectures": 5, "num_hidden_layers": -1}, 1),
    ],
)
def test_what_the_configuration_says(
    tmp_path: Path, more: dict[str, Any], number: int
) -> None:
    assert len(findings(tmp_path, model(), **more)) == number


DECODER: dict[str, Any] = {
    "architectures": ["T5ForConditionalGeneration"],
    "num_key_value_heads": None,
    "num_attention_heads": None,
    "hidden_size": None,
    "d_model": 12,
    "d_kv": 3,
    "num_heads": 2,
    "num_hidden_layers": None,
    "num_layers": 7,
    "num_decoder_layers": 2,
}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({}, None),
        ({"num_decoder_layers": 3}, "the model has caches for 2 layers"),
        ({"d_kv": 4}, "past_key_values.0.key has 3 elements a head"),
        ({"num_heads": 4}, "past_key_values.0.key has 2 heads"),
        ({"d_model": 16}, "a row of the table of tokens has 12 elements"),
    ],
)
def test_a_decoder(tmp_path: Path, more: dict[str, Any], message: str | None) -> None:
    text = model(tokens="decoder_input_ids")
    found = findings(tmp_path, text, "openvino_decoder_model", **DECODER | more)
    assert [each.partition(",")[0] for each in found[:1]] == [message] * bool(message)


def test_inputs_of_an_encoder(tmp_path: Path) -> None:
    (tmp_path / "tokenizer_config.json").write_text(
        json.dumps({"model_input_names": ["input_ids", "attention_mask"]})
    )
    more = {"architectures": ["BertModel"]}
    for inputs, message in (
        (("attention_mask", "token_type_ids"), []),
        (
            ("token_type_ids",),
            ["no input is called attention_mask: a pipeline sets it"],
        ),
    ):
        text = model(inputs=inputs, caches=())
        assert findings(tmp_path, text, **more) == message
    text = model(inputs=("attention_mask",), tokens="ids", caches=())
    assert findings(tmp_path, text, "openvino_encoder_model", **more) == [
        "no input is called input_ids: a pipeline sets it"
    ]
    text = model(inputs=(), tokens="input_features", caches=())
    assert findings(tmp_path, text, "openvino_encoder_model", **more) == []


def test_a_tensor_of_the_tokenizer_that_the_model_does_not_take(tmp_path: Path) -> None:
    names = ["input_ids", "attention_mask", "segments"]
    settings = json.dumps({"model_input_names": names})
    (tmp_path / "tokenizer_config.json").write_text(settings)
    more = {"architectures": ["BertModel"]}
    text = model(inputs=("attention_mask", "token_type_ids"), caches=())
    assert findings(tmp_path, text, **more) == [
        "the tokenizer gives segments, and the model takes token_type_ids"
    ]
    assert (
        findings(tmp_path, model(inputs=("attention_mask",), caches=()), **more) == []
    )


@pytest.mark.parametrize(
    ("bits", "number"), [(4, 1), (8, 1), (16, 0), (None, 0), ("4", 0)]
)
def test_bits_that_no_constant_has(tmp_path: Path, bits: Any, number: int) -> None:
    settings = json.dumps({"quantization_config": {"bits": bits}})
    (tmp_path / "openvino_config.json").write_text(settings)
    says = f"openvino_config.json names weights of {bits} bits, and no constant of the model has so few"
    assert findings(tmp_path, model()) == [says] * number
    text = model().replace(
        '<layer id="10"', constant(8, "2", "u4", 8, 1, "U4 2") + '<layer id="10"'
    )
    assert findings(tmp_path, text) == []


def images(shape: str) -> str:
    """Four by four patches of images, beside a table of as many positions."""
    dims = shape.replace("?", "-1")
    layers = [
        parameter(0, shape, "f32", f"FP32 {dims}", "pixel_values"),
        constant(1, "2", "i64", 0, 16, "I64 2"),
        layer(
            2,
            "Reshape",
            "opset1",
            'special_zero="true"',
            (f"FP32 {dims}", "I64 2"),
            ("FP32 -1,-1",),
        ),
        constant(3, "1,192", "f32", 16, 768, "FP32 1,192"),
        layer(
            4,
            "Add",
            "opset1",
            "",
            ("FP32 -1,-1", "FP32 1,192"),
            ("FP32 -1,192",),
            "sum",
        ),
        result(5, "FP32 -1,192"),
    ]
    return net(*layers, edges="0:0-2:0 1:0-2:1 2:2-4:0 3:0-4:1 4:2-5:0")


@pytest.mark.parametrize(
    ("shape", "settings", "says"),
    [
        ("?,3,?,?", {"do_resize": True, "size": {"height": 8, "width": 8}}, ""),
        ("?,3,?,?", {"do_resize": False, "size": {"height": 9, "width": 8}}, ""),
        ("?,3,?,?", {"do_resize": True, "size": {"shortest_edge": 9}}, ""),
        (
            "?,3,?,?",
            {"do_resize": True, "size": {"height": 16, "width": 8}},
            'preprocessor_config.json makes images of 16 by 8, which Add (opset1) "sum" (layer 4) does not take',
        ),
        (
            "1,3,8,8",
            {
                "do_center_crop": True,
                "crop_size": {"height": 9, "width": 8},
                "do_resize": True,
                "size": {"height": 8, "width": 8},
            },
            "preprocessor_config.json makes images of 9 by 8, not [1,3,8,8]",
        ),
    ],
)
def test_images_of_another_size(
    tmp_path: Path, shape: str, settings: dict[str, Any], says: str
) -> None:
    (tmp_path / "preprocessor_config.json").write_text(json.dumps(settings))
    file = tmp_path / "openvino_model.xml"
    file.write_text(images(shape))
    file.with_suffix(".bin").write_bytes(struct.pack("<2q", 0, -1) + bytes(768))
    (tmp_path / "config.json").write_text('{"model_type": "vit"}')
    found = [each.message for each in validate(file) if each.code == "OVG504"]
    assert found == [says] * bool(says)


def test_an_input_that_no_pipeline_sets(tmp_path: Path) -> None:
    text = model().replace(
        '<layer id="10"',
        parameter(9, "?,?", "i64", "I64 -1,-1", "pos") + '<layer id="10"',
    )
    assert findings(tmp_path, text) == [
        "no pipeline for text sets an input that is called pos"
    ]


def test_caches_of_an_encoder(tmp_path: Path) -> None:
    assert findings(tmp_path, model(), architectures=["BertForMaskedLM"]) == [
        "the model keeps past_key_values.0.key, and the configuration is that of an encoder"
    ]


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
@pytest.mark.parametrize("text", ['{"vocab', "[]", ""])
def test_a_file_that_was_cut_off(tmp_path: Path, name: str, text: str) -> None:
    findings(tmp_path, model())
    (tmp_path / name).write_text(text)
    found = [each.message for each in validate(tmp_path / "openvino_model.xml")]
    assert f"{name} holds no JSON object: it was probably cut off" in found


def test_labels_of_a_classifier(tmp_path: Path) -> None:
    more = {"architectures": ["BertForSequenceClassification"]}
    text = model(caches=(), inputs=("attention_mask",), logits=3)
    labels = {str(number): f"label {number}" for number in range(3)}
    assert findings(tmp_path, text, **more) == []
    assert findings(tmp_path, text, **more, id2label=labels) == []
    assert findings(tmp_path, text, **more, id2label=labels | {"3": "x"}) == [
        "logits has 3 elements a text, token or image, and the number of labels is 4"
    ]


def test_labels_of_images(tmp_path: Path) -> None:
    more = {"architectures": ["ViTForImageClassification"], "id2label": {"0": "a"}}
    text = model(caches=(), inputs=("attention_mask",), logits=3)
    assert findings(tmp_path, text, **more) == [
        "logits has 3 elements a text, token or image, and the number of labels is 1"
    ]


def test_a_decoder_that_gives_no_logits(tmp_path: Path) -> None:
    text = model(tokens="decoder_input_ids", output="last_hidden_state")
    found = findings(tmp_path, text, "openvino_decoder_model", **DECODER)
    assert found == ["no output is called logits: a pipeline reads it"]


def test_a_tokenizer_in_the_place_of_a_detokenizer(tmp_path: Path) -> None:
    texts, ids = (
        net(
            parameter(0, "?", kind, f"{port} -1", "in"),
            result(1, f"{port} -1"),
            edges="0:0-1:0",
        )
        for kind, port in (("string", "STRING"), ("i64", "I64"))
    )
    assert findings(tmp_path, texts, "openvino_tokenizer") == []
    assert findings(tmp_path, ids, "openvino_detokenizer") == []
    assert findings(tmp_path, ids, "openvino_tokenizer") == [
        "openvino_tokenizer.xml takes no texts: it is another file under this name"
    ]
    assert findings(tmp_path, texts, "openvino_detokenizer") == [
        "openvino_detokenizer.xml takes texts, not ids: it is another file under this name"
    ]


def test_an_export_that_gives_features_has_no_logits(tmp_path: Path) -> None:
    text = model(output="last_hidden_state", logits=12)
    assert findings(tmp_path, text) == []


def test_other_files(tmp_path: Path) -> None:
    assert findings(tmp_path, model(logits=9), "model") == []
    assert findings(tmp_path, model(logits=9), "openvino_vision") == []
    assert findings(tmp_path, "") == []


def test_a_number_that_is_a_text(tmp_path: Path) -> None:
    assert findings(tmp_path, model(), max_position_embeddings="16") == [
        "max_position_embeddings is the text '16' in config.json, not a number"
    ]


def test_an_encoder_without_its_decoder(tmp_path: Path) -> None:
    name = "openvino_encoder_model"
    missing = "openvino_decoder_model.xml is missing: a pipeline runs both parts"
    assert missing in findings(tmp_path, model(), name, is_encoder_decoder=True)
    assert missing not in findings(tmp_path, model(), name)
    (tmp_path / "openvino_decoder_model.xml").write_text(model())
    assert missing not in findings(tmp_path, model(), name, is_encoder_decoder=True)
