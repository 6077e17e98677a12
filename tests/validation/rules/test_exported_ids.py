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


def test_other_models_have_no_such_files(tmp_path: Path) -> None:
    assert folder(tmp_path, "model.xml", config={"vocab_size": 9}) == []
