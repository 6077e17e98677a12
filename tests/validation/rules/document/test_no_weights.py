"""The wording of OVG008, with severity, verdict and help."""

from __future__ import annotations

import gzip

import pytest
from gather_texts import gather, table
from rule_messages import messages_of
from small_models import gather_8, i64

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 24\n"

NPY = (
    b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
).ljust(127) + b"\n"


CASES = [
    (
        gather_8(),
        None,
        [
            (
                "warning, rejects: no .bin beside the file: constants, and what depends on them, are not known | "
                "pass it with --weights FILE"
            )
        ],
    ),
    (gather_8(), i64(0), []),
    (
        gather(table("f32", "FP32", 16)),
        LFS,
        [
            "error, undefined: the .bin is a git-lfs pointer: the file itself was never fetched (git lfs pull)"
        ],
    ),
    (
        gather(table("f32", "FP32", 16).replace('offset="8"', 'offset="1000"')),
        LFS,
        [
            "error, rejects: the .bin is a git-lfs pointer: the file itself was never fetched (git lfs pull)"
        ],
    ),
    (
        gather(table("f32", "FP32", 16)),
        b"\xef\xbb\xbf<?xml version='1.0'?><net/>",
        ["error, undefined: the .bin is XML, perhaps a copy of the model's .xml"],
    ),
    (
        gather(table("f32", "FP32", 16)),
        b"<!DOCTYPE html>" + bytes(9),
        ["error, undefined: the .bin is an HTML page"],
    ),
    (gather(table("f32", "FP32", 16)), b"<not so" + bytes(90), []),
    (
        gather(table("f32", "FP32", 16)),
        NPY + bytes(90),
        [
            "error, undefined: the .bin is an array of NumPy (.npy): its first 128 bytes are a header, not weights"
        ],
    ),
    (
        gather(table("f32", "FP32", 16)),
        gzip.compress(bytes(1000), mtime=0),
        ["error, undefined: the .bin is gzip data, not the weights"],
    ),
    (gather(table("f32", "FP32", 16)), b"\x1f\x8b\x08\xff" + bytes(90), []),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG008", text, weights) == messages
