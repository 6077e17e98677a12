"""OVG503: an exported model beside what its tokenizer and its configuration say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_models import constant, layer, net, parameter, result

from ovgather.validation.api import validate

TABLES = ("input_ids", 8), ("position_ids", 4), ("token_type_ids", 2)


def folder(
    path: Path, name: str = "openvino_model.xml", **files: Any
) -> list[tuple[str, str]]:
    """The findings of a model with three tables, beside these files."""
    layers, edges = [constant(0, "", "i64", 0, 8, "I64", "axis")], ""
    for at, (input, rows) in enumerate(TABLES):
        first = 10 * (at + 1)
        layers += [
            parameter(first, "?,?", "i64", "I64 -1,-1", input),
            constant(
                first + 1,
                f"{rows},2",
                "f32",
                8,
                rows * 8,
                f"FP32 {rows},2",
                f"table{at}",
            ),
            layer(
                first + 2,
                "Convert",
                "opset1",
                'destination_type="i32"',
                ("I64 -1,-1",),
                ("I32 -1,-1",),
                f"c{at}",
            ),
            layer(
                first + 3,
                "Gather",
                "opset8",
                "",
                (f"FP32 {rows},2", "I32 -1,-1", "I64"),
                ("FP32 -1,-1,2",),
                f"embed{at}",
            ),
            result(first + 4, "FP32 -1,-1,2"),
        ]
        edges += f"{first}:0-{first + 2}:0 {first + 1}:0-{first + 3}:0 {first + 2}:1-{first + 3}:1 0:0-{first + 3}:2 "
        edges += f"{first + 3}:3-{first + 4}:0 "
    file = path / name
    file.write_text(net(*layers, edges=edges))
    file.with_suffix(".bin").write_bytes(bytes(72))
    for key, content in files.items():
        (path / f"{key}.json").write_text(
            content if isinstance(content, str) else json.dumps(content)
        )
    return [
        (each.severity, each.message)
        for each in validate(file)
        if each.code == "OVG503"
    ]


def test_files_that_fit(tmp_path: Path) -> None:
    sizes = {
        "vocab_size": 8,
        "max_position_embeddings": 4,
        "type_vocab_size": 2,
        "eos_token_id": [1, 7],
    }
    tokenizer = {
        "model": {"vocab": {"a": 0, "b": 6}},
        "added_tokens": [{"id": 7, "content": "c"}],
    }
    assert (
        folder(
            tmp_path,
            config=sizes,
            tokenizer=tokenizer,
            generation_config={"pad_token_id": None},
        )
        == []
    )


@pytest.mark.parametrize(
    ("files", "severity", "says"),
    [
        (
            {"tokenizer": {"added_tokens": [{"id": 8}]}},
            "error",
            "added_tokens in tokenizer.json asks for index 8",
        ),
        (
            {"tokenizer": {"post_processor": {"special_tokens": {"A": {"ids": [8]}}}}},
            "error",
            "post_processor in tokenizer.json asks for index 8",
        ),
        (
            {"tokenizer": {"padding": {"strategy": {"Fixed": 5}, "pad_id": 0}}},
            "warning",
            "padding.Fixed in tokenizer.json asks for index 4, and the table of positions",
        ),
        (
            {"tokenizer": {"truncation": {"max_length": 5}}},
            "warning",
            "truncation.max_length in tokenizer.json asks for index 4",
        ),
        (
            {
                "tokenizer": {
                    "model": {"vocab": {"a": 0}},
                    "added_tokens": [{"id": 7, "content": "<s>"}],
                },
                "tokenizer_config": {"bos_token": "<s>", "eos_token": {"content": "b"}},
            },
            "warning",
            "eos_token, which tokenizer.json lacks, in tokenizer_config.json asks for index 8",
        ),
        (
            {"tokenizer": {"model": {"vocab": {"a": 9}}}},
            "error",
            "model.vocab in tokenizer.json asks for index 9",
        ),
        (
            {"tokenizer": {"model": {"vocab": [["a", 0.0]] * 10}}},
            "error",
            "model.vocab in tokenizer.json",
        ),
        (
            {"added_tokens": {"<x>": 12}},
            "error",
            "the file in added_tokens.json asks for index 12",
        ),
        (
            {"generation_config": {"pad_token_id": 8}},
            "error",
            "pad_token_id in generation_config.json",
        ),
        (
            {"generation_config": {"eos_token_id": [1, 8]}},
            "error",
            "eos_token_id in generation_config.json",
        ),
        (
            {"config": {"bos_token_id": 100}},
            "error",
            "bos_token_id in config.json asks for index 100",
        ),
        (
            {"config": {"vocab_size": 9}},
            "warning",
            "vocab_size in config.json asks for index 8, and the table",
        ),
        (
            {"config": {"max_position_embeddings": 512}},
            "warning",
            "the table of positions has 4 rows",
        ),
        (
            {"config": {"n_positions": 5}},
            "warning",
            "n_positions in config.json asks for index 4, and the table of positions",
        ),
        (
            {"tokenizer_config": {"model_max_length": 512}},
            "warning",
            "model_max_length in tokenizer_config.json asks for index 511",
        ),
        (
            {"generation_config": {"max_length": 5}},
            "warning",
            "max_length in generation_config.json asks for index 4",
        ),
        (
            {"config": {"type_vocab_size": 3}},
            "warning",
            "the table of token types has 2 rows",
        ),
    ],
)
def test_a_mistake(
    files: dict[str, Any], severity: str, says: str, tmp_path: Path
) -> None:
    ((found, message),) = folder(tmp_path, **files)
    assert found == severity
    assert says in message


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "[" * 100_000, '{"vocab_size": "9", "pad_token_id": true}']
)
def test_files_that_say_nothing(text: str, tmp_path: Path) -> None:
    assert folder(tmp_path, config=text, tokenizer=text, generation_config=text) == []


def tokenizer(vocabulary: int, added: list[int], type: str = "BPETokenizer") -> str:
    """A tokenizer as openvino_tokenizers writes it: the vocabulary at input 5, and the ids of added tokens last."""
    layers = [constant(at, "1", "i32", 0, 4, "I32 1", f"ragged{at}") for at in range(5)]
    size, last = f"{vocabulary}", f"{len(added)}"
    layers += [
        constant(5, size, "i32", 64, 4 * vocabulary, f"I32 {size}", "begins"),
        constant(6, last, "i32", 0, 4 * len(added), f"I32 {last}", "added"),
        layer(
            7,
            type,
            "extension",
            "",
            (*["I32 1"] * 5, f"I32 {size}", f"I32 {last}"),
            ("I32 1",),
            "split",
        ),
        result(8, "I32 1"),
    ]
    edges = " ".join(f"{at}:0-7:{at}" for at in range(7))
    return net(*layers, edges=f"{edges} 7:7-8:0")


@pytest.mark.parametrize(
    ("vocabulary", "added", "index"),
    [(8, [7], None), (9, [2], 8), (6, [3, 11], 11), (10, [9], 9)],
)
def test_ids_of_a_tokenizer_as_ir(
    vocabulary: int, added: list[int], index: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "openvino_tokenizer.xml"
    path.write_text(tokenizer(vocabulary, added))
    ids = b"".join(id.to_bytes(4, "little") for id in added)
    path.with_suffix(".bin").write_bytes(ids.ljust(128, b"\0"))
    said = folder(tmp_path)
    assert [message.partition(", ")[0] for _, message in said] == [
        f"split in openvino_tokenizer.xml asks for index {index}"
    ] * (index is not None)


def test_a_tokenizer_that_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "openvino_tokenizer.xml"
    for text in ("", "<net>", tokenizer(9, [1], "RegexSplit"), tokenizer(9, [1])[:900]):
        path.write_text(text)
        assert folder(tmp_path) == []


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    assert folder(tmp_path, config={"vocab_size": 8}) == []
    assert len(folder(tmp_path, config={"vocab_size": 10})) == 1


def test_other_models_have_no_such_files(tmp_path: Path) -> None:
    assert folder(tmp_path, "model.xml", config={"vocab_size": 9}) == []


@pytest.mark.parametrize(("texts", "is_short"), [(8, False), (9, False), (7, True)])
def test_a_detokenizer_of_another_tokenizer(
    texts: int, is_short: bool, tmp_path: Path
) -> None:
    path = tmp_path / "openvino_tokenizer.xml"
    path.write_text(tokenizer(8, [2]))
    path.with_suffix(".bin").write_bytes(bytes(128))
    other = tmp_path / "openvino_detokenizer.xml"
    layers = [
        parameter(0, "?", "i32", "I32 -1", "ids"),
        constant(1, f"{texts}", "i32", 0, 4 * texts, f"I32 {texts}", "begins"),
        layer(
            2, "VocabDecoder", "extension", "", ("I32 -1", f"I32 {texts}"), ("I32 -1",)
        ),
        result(3, "I32 -1"),
    ]
    other.write_text(net(*layers, edges="0:0-2:0 1:0-2:1 2:2-3:0"))
    other.with_suffix(".bin").write_bytes(bytes(128))
    said = [each.message for each in validate(other) if each.code == "OVG503"]
    assert (
        said
        == [
            f"openvino_tokenizer.xml gives the id 7, and the detokenizer has {texts} texts"
        ]
        * is_short
    )
