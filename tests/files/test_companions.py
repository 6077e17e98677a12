"""The files beside an exported model."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from ovgather.files.companions import companions, read_companion
from ovgather.validation.facts.claims import claims_of, new_tokens


def test_only_an_exported_model_has_any() -> None:
    assert companions("folder/m.xml") == []
    assert os.path.join("folder", "config.json") in companions(
        "folder/openvino_model.xml"
    )


@pytest.mark.parametrize("folder", ["", "export"])
def test_a_link_out_of_the_folder_is_left_out(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text("{}")
    here = tmp_path / "work"
    (here / folder).mkdir(parents=True)
    monkeypatch.chdir(here)
    link, own = (
        os.path.join(folder, name) for name in ("config.json", "tokenizer.json")
    )
    os.symlink(secret, link)
    os.symlink("added_tokens.json", own)
    paths = companions(os.path.join(folder, "openvino_model.xml"))
    assert (link in paths, own in paths) == (False, True)


def test_what_is_no_object(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    assert read_companion(str(path)) == {}
    path.write_text("[]")
    assert read_companion(str(path)) is None
    path.write_text('{"a": 1}')
    assert read_companion(str(path)) == {"a": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    ["[],", '{"":0},', "[" * 99 + "]" * 99 + ",", "1,", '"ab",', "1e9,", '"é😀",'],
)
@pytest.mark.parametrize("head", ['{"added_tokens": {"ids":[', '{"model":{"vocab":['])
def test_memory_is_in_proportion_to_a_file(
    head: str, unit: str, tmp_path: Path
) -> None:
    path = tmp_path / "tokenizer.json"
    # What is nested too often is not parsed.
    most = 1_000_000 if unit[0] in "[{" else 200_000
    text = f"{head}{unit * (most // len(unit))}0]}}}}".encode()
    path.write_bytes(text)
    tracemalloc.start()
    content = read_companion(str(path))
    assert content is not None
    claims = [*claims_of(path.name, content), *new_tokens(content, {})]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 * len(text)
    assert len(claims) <= 1
