"""Messages as people paste them, each with the beginning of the answer; and what makes a pattern a good one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from paths import DATA, SAMPLES

from ovgather.cli.main import run
from ovgather.targets.answers.functions import functions
from ovgather.targets.answers.match import _with_blanks, all_sources, answers
from ovgather.targets.device import devices
from ovgather.validation.rules import every

MESSAGES = json.loads((DATA / "messages.json").read_text(encoding="utf-8"))
"""Messages of public threads, as their logs have them, each with the beginning of what it means."""
PATTERNS = [
    (source.who, pattern) for source in all_sources() for pattern in source.patterns
]


def explain(capfdbinary: Any, *arguments: str) -> tuple[int, str]:
    code = run(["explain", *arguments])
    return code, capfdbinary.readouterr().out.decode()


@pytest.mark.parametrize("case", MESSAGES, ids=lambda case: case["message"][:50])
def test_messages(case: dict[str, str]) -> None:
    assert answers(case["message"])[0].meaning.startswith(case["meaning"])


@pytest.mark.parametrize(
    ("who", "pattern"), PATTERNS, ids=lambda value: str(value)[:40]
)
def test_patterns(who: str, pattern: Any) -> None:
    assert {*pattern.rules} <= {rule.RULE.code for rule in every()}
    assert not re.search(r"(?<!\\)\[[^\]\n]* [^\]\n]*\]", pattern.regex), (
        "a blank in a class is no blank"
    )
    groups = {
        name.rstrip("0123456789")
        for name in re.compile(_with_blanks(pattern.regex)).groupindex
    }
    derived = {
        "opset_release",
        "ir_releases",
        "owner",
        "load",
        "last",
        "size",
        "DEVICE",
    }
    for words in (pattern.meaning, pattern.remedy):
        assert set(re.findall(r"\{(\w+)[!}]", words)) <= groups | derived
        assert not words.endswith(".")
    assert pattern.source
    assert list(anchors(pattern.regex)) == pattern.words
    assert min(map(len, pattern.words)) > 2, "a text must have some word for it"


@pytest.mark.parametrize(
    "command",
    sorted({command for _, pattern in PATTERNS for command in pattern.commands}),
)
def test_commands_have_known_options(command: str, capfdbinary: Any) -> None:
    verb, *words = command.split()[1:]
    assert run([verb, "--help"]) == 0
    help = capfdbinary.readouterr().out.decode()
    assert all(word in help for word in words if word.startswith("--"))
    named = re.search(r"--device (\w+)", command)
    assert named is None or named[1] in {device.name for device in devices()}


def test_what_is_not_known(capfdbinary: Any) -> None:
    code, out = explain(capfdbinary, "the plugin is in a bad mood today")
    assert code == 1
    assert "This message is not known." in out


def test_the_nearest(capfdbinary: Any) -> None:
    code, out = explain(
        capfdbinary, "Batch dims of data and of indices must really be the same here"
    )
    assert code == 1
    assert (
        "nearest  OpenVINO's core: data and indices differ in a dim before batch_dims"
        in out
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "axis: 4294967295",
            "means    the axis is -1, which the program reads as an unsigned number. OpenVINO 2020.1",
        ),
        (
            "layer 7 has the size 18446744073709551615",
            "means    the number is -1, read as an unsigned number of 64 bits",
        ),
        (
            "to 9223372036854775807",
            "means    the number is the largest of 64 bits (INT64_MAX): the upper bound of",
        ),
        (
            "rank 2336927755350992246",
            "means    the bytes of the number are the text 'version ': what was read as weights",
        ),
    ],
)
def test_odd_numbers_alone(text: str, says: str, capfdbinary: Any) -> None:
    code, out = explain(capfdbinary, text)
    assert code == 0
    assert says in out


def test_words_that_a_message_leaves_open() -> None:
    found = answers("Check 'shape.is_static()' failed at src/core/src/op/pad.cpp:77")[0]
    assert (
        found.meaning
        == "OpenVINO refuses the model in src/core/src/op/pad.cpp: shape.is_static()"
    )
    found = answers("Exception from src/plugins/a.cpp:5:")[0]
    assert (
        found.meaning
        == "OpenVINO refuses the model in src/plugins/a.cpp: the lines around it say why"
    )


def test_a_long_log_costs_little() -> None:
    log = (
        "INFO node of type Gather on axis 1 failed to load [1,3,224,224] from src/core/layer.xml\n"
        * 4_000
    )
    started = process_time()
    assert (
        answers(
            f"{log}Cannot create X layer x id:8 from unsupported opset: opset14\n{log}"
        )[0].values["id"]
        == "8"
    )
    assert answers(log) == []
    assert process_time() - started < 4 / 3


def test_the_message_that_tells_most_comes_first() -> None:
    log = (
        "RuntimeError: Exception from src/inference/src/cpp/core.cpp:84:\n"
        "Check 'offset <= size' failed at src/frontends/ir/src/ir_deserializer.cpp:10:\n"
        "Incorrect weights in bin file!\n"
    )
    assert [answer.text for answer in answers(log)] == ["Incorrect weights in bin file"]


def test_a_message_is_found_across_lines() -> None:
    assert answers(
        "indices element out of data\n    bounds, idx=7 must be within the inclusive\nrange [-4,3]"
    )


def test_a_log_on_standard_input(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    monkeypatch.setattr(
        "ovgather.cli._shared.files.read_bytes",
        lambda path: b"stoll is a word here\n\xff",
    )
    code, out = explain(capfdbinary, "-")
    assert code == 1  # a word among others is not the message
    monkeypatch.setattr(
        "ovgather.cli._shared.files.read_bytes",
        lambda path: b"RuntimeError: stoll\n\xff",
    )
    code, out = explain(capfdbinary, "-")
    assert code == 0
    assert "a number in the file cannot be read" in out


def test_a_file_beside_the_message(capfdbinary: Any) -> None:
    broken = str(SAMPLES / "demo" / "broken.xml")
    code, out = explain(capfdbinary, "Incorrect weights in bin file!", broken)
    assert code == 0
    assert "too short, 360 bytes, 368 needed" in out
    assert (
        "OVG402 error: the constant is bytes 352 to 368 of the .bin, which has 360"
        in out
    )


def test_a_file_that_does_not_show_the_cause(tmp_path: Path, capfdbinary: Any) -> None:
    good = str(SAMPLES / "demo" / "good.xml")
    _, out = explain(capfdbinary, "Attempt to access node 4 that not in graph.", good)
    assert "no rule finds its cause in the file" in out


@pytest.mark.parametrize(
    ("subject", "begins", "says"),
    [
        (
            "opset14",
            "opset14: operation set of OpenVINO",
            "Read by OpenVINO 2024.0 and later.",
        ),
        (
            "npu",
            "NPU: OpenVINO's NPU plugin",
            "- a dynamic dim needs an upper bound; releases up to 2025 document ",
        ),
        (
            "RegexSplit",
            "RegexSplit: belongs to openvino_tokenizers",
            "Load it: pip install openvino-tokenizers",
        ),
    ],
)
def test_opsets_devices_and_owners(
    subject: str, begins: str, says: str, capfdbinary: Any
) -> None:
    code, out = explain(capfdbinary, subject)
    assert code == 0
    assert out.startswith(begins)
    assert says in out


@pytest.mark.parametrize(
    "function", functions(), ids=lambda function: function.names[0]
)
def test_functions(function: Any, capfdbinary: Any) -> None:
    for name in function.names:
        code, out = explain(capfdbinary, name)
        assert code == 0
        assert out.startswith(f"{function.names[0]}: {function.operation}-")


def test_a_file_beside_a_message_whose_rules_find_nothing(capfdbinary: Any) -> None:
    broken = str(SAMPLES / "demo" / "broken.xml")
    code, out = explain(capfdbinary, "std::bad_alloc", broken)
    assert code == 0
    assert "the message names none of these; a runtime stops at the first:" in out
    assert "OVG402 error: the constant is bytes 352 to 368" in out


def test_a_file_beside_a_message_that_is_not_known(capfdbinary: Any) -> None:
    broken = str(SAMPLES / "demo" / "broken.xml")
    code, out = explain(capfdbinary, "the engine is in a bad mood today", broken)
    assert code == 1
    assert "This message is not known." in out
    assert "OVG402 error: the constant is bytes 352 to 368" in out


# -- the words of a pattern, from its regular expression -------------------------------------------------------------


_TOKEN = re.compile(  # an atom of a regular expression, or a bracket of a group, and its quantifier
    r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P<\w+>|[:!=]|<[!=]))?|.)((?:[*+?]|\{[\d,]+\})?)\??",
    re.DOTALL,
)


def anchors(regex: str) -> tuple[str, ...]:
    """Words of which at least one is in every text that ``regex`` fits, in lower case; none: nothing is sure.

    >>> anchors("Cannot create (?P<type>[a-z]+) layer|stoll?"), anchors("(?:one|two)+ things?"), anchors("a?[bc]*")
    (('cannot create ', 'stol'), (' thing',), ())
    """
    words, _ = _alternatives(_TOKEN.finditer(regex))
    return tuple(word.lower() for word in words)


def _alternatives(tokens: Iterator[re.Match[str]]) -> tuple[tuple[str, ...], str]:
    """The words of the alternatives up to the bracket that closes them, and its quantifier."""
    alternatives: list[tuple[str, ...]] = []
    best: tuple[str, ...] = ()
    run = quantifier = ""
    for atom, quantifier in (token.groups() for token in tokens):
        if atom == ")":
            break
        inner: tuple[str, ...] = ()
        if atom[0] == "(":
            inner, quantifier = _alternatives(tokens)
        is_sure = quantifier in ("", "+")
        is_escape = atom[0] == "\\" and not atom[1].isalnum()
        is_literal = is_escape or (len(atom) == 1 and atom not in "(.^$|")
        if is_literal and is_sure:
            run += atom[-1]
        if not is_literal or quantifier:
            best, run = _better(best, (run,)), ""
        if inner and is_sure and atom not in ("(?!", "(?<!"):
            best = _better(best, inner)
        if atom == "|":
            alternatives.append(best)
            best = ()
    alternatives.append(_better(best, (run,)))
    return (
        tuple(word for words in alternatives for word in words)
        if all(alternatives)
        else ()
    ), quantifier


def _better(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Those of which the shortest word is longer."""
    return other if min(map(len, other)) > min(map(len, one), default=0) else one
