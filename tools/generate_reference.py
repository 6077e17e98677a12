"""The pages of the reference that stand in the code: operations, JSON formats, commands, disagreements.

``python tools/generate_reference.py`` writes ``docs/disagreements.md``; the site makes the others when it is built.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from ovgather.ops import onnx
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.targets.answers.match import all_sources
from ovgather.verbs import portability

ROOT = Path(__file__).resolve().parents[1]
_MADE = """<!-- Made by tools/generate_reference.py (`make docs`) from ovgather/verbs/portability.json and docstrings
in ovgather/ops: change those. -->"""
_DIFFER = "## Where specification and implementations differ"


def operations() -> str:
    """The page of every operation version."""
    parts = ["# Gather operations", _HEAD]
    for title, prefix, known in (
        ("OpenVINO", "", ops.OPERATIONS),
        ("ONNX", "onnx:", onnx.OPERATIONS),
    ):
        parts.append(f"## {title}")
        parts += [
            _body(operation, f"### {prefix}{operation.name}", 2) for operation in known
        ]
    return "\n\n".join(parts) + "\n"


_DOCTEST = re.compile(r"^( *)>>> .*\n?(?:\1(?! *$).*\n?)*", re.MULTILINE)
_HEAD = """`ovgather explain Gather-8` and `ovgather explain onnx:GatherElements-11` print the same pages. The reference
(`run`, `evaluate`, `crosscheck`) does what they say; the examples are tests."""


def _body(operation: Operation, heading: str, levels: int) -> str:
    page = re.sub(r"\A# .*\n", f"{heading}\n", operation.page.strip())
    page = re.sub(
        r"^(#+) ", lambda match: f"{match[1]}{'#' * levels} ", page, flags=re.MULTILINE
    )
    page = page.replace(f"##{heading}", heading)
    return fenced(page).rstrip()


def fenced(text: str) -> str:
    """``text`` with its doctests in fences: Markdown would take ``>>>`` for quotations."""
    text = _DOCTEST.sub(
        lambda match: f"{match[1]}```pycon\n{match[0].rstrip()}\n{match[1]}```\n", text
    )
    return re.sub(r"\n```\n\n?```pycon\n", "\n", text)


def disagreements() -> str:
    """Where the texts and the runtimes differ."""
    head = (
        f"A specification, OpenVINO's core, its plugins, ONNX and ONNX's runtimes do not say or do the same. The "
        f"reference follows\nthe specification. Measured with {portability.MEASURED}; `docs/releases.md` has other "
        f"releases. `ovgather explain portability`\nprints the table."
    )
    rows = [f"| {' | '.join(('case', *portability.COLUMNS))} |", f"|{' --- |' * 6}"]
    rows += [
        f"| {' | '.join(cell or '–' for cell in (case, *cells))} |"
        for case, cells in portability.ROWS.items()
    ]
    parts = [_MADE, "# Where texts and runtimes disagree", head, "\n".join(rows)]
    for operation in ops.OPERATIONS:
        _, found, section = operation.page.partition(_DIFFER)
        if found:
            parts.append(f"## {operation.name}\n\n{fenced(section.strip()).rstrip()}")
    return "\n\n".join(parts) + "\n"


def formats() -> str:
    """The fields of every JSON output."""
    parts = ["# JSON formats", _FORMATS]
    for path in sorted((ROOT / "schemas").glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        parts.append(
            f"## {schema['title']}\n\n`schemas/{path.name}`. {schema.get('description', '')}"
        )
        parts.append(
            "\n".join(
                (
                    "| field | type | meaning |",
                    "| --- | --- | --- |",
                    *_rows(schema, schema, ""),
                )
            )
        )
    return "\n\n".join(parts) + "\n"


_FORMATS = """The formats are stable: a field keeps its name and its meaning as long as `version` stays, and new fields
may come. `[]` stands for an item of a list, `*` for a key that depends on the model, `?` marks a field that may be
absent. `ovgather.schemas.load("validate")` gives a schema to a validator."""


def _rows(
    schema: dict[str, Any], node: dict[str, Any], path: str, seen: tuple[str, ...] = ()
) -> Iterator[str]:
    node, seen = _resolved(schema, node, seen)
    for name, field in node.get("properties", {}).items():
        inner, within = _resolved(schema, field, seen)
        mark = "" if name in node.get("required", ()) else "?"
        yield f"| `{path}{name}`{mark} | {_type(schema, field)} | {_text(field) or _text(inner)} |"
        if len(within) == len(set(within)):
            yield from _below(schema, inner, f"{path}{name}", within)


def _below(
    schema: dict[str, Any], node: dict[str, Any], path: str, seen: tuple[str, ...]
) -> Iterator[str]:
    for part in (node, *node.get("anyOf", ()), *node.get("oneOf", ())):
        if isinstance(part.get("items"), dict):
            yield from _rows(schema, part["items"], f"{path}[].", seen)
        elif isinstance(part.get("additionalProperties"), dict):
            yield from _rows(schema, part["additionalProperties"], f"{path}.*.", seen)
        elif part is not node or "properties" in part:
            yield from _rows(schema, part, f"{path}.", seen)


def _resolved(
    schema: dict[str, Any], node: dict[str, Any], seen: tuple[str, ...]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    while "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        node, seen = schema["$defs"][name], (*seen, name)
    return node, seen


def _type(schema: dict[str, Any], node: dict[str, Any]) -> str:
    node = _resolved(schema, node, ())[0]
    if "enum" in node:
        return ", ".join(f"`{value}`" for value in node["enum"])
    if "const" in node:
        return f"`{node['const']}`"
    parts = node.get("anyOf") or node.get("oneOf")
    if parts:
        return " or ".join(dict.fromkeys(_type(schema, part) for part in parts))
    kind = node.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _text(node: dict[str, Any]) -> str:
    return str(node.get("description", "")).replace("|", "\\|").replace("\n", " ")


def commands() -> str:
    """What ``--help`` says, for every verb: each option has a heading, which a search finds and a link reaches."""
    from click import Command, Context, HelpFormatter, Option

    from ovgather.cli._shared.group import ovgather

    def options(command: Command, context: Context) -> Iterator[str]:
        for option in command.get_params(context):
            record = (
                option.get_help_record(context) if isinstance(option, Option) else None
            )
            if record is not None:
                name = max(option.opts, key=len)
                yield f"#### `{record[0]}` {{ #{command.name}{name} }}\n\n{_option_text(record[1])}"

    with Context(ovgather, info_name="ovgather", terminal_width=78) as context:
        parts = [f"## ovgather\n\n```text\n{ovgather.get_help(context)}\n```"]
        for verb in ovgather.list_commands(context):
            command = ovgather.get_command(context, verb)
            assert command is not None
            command.name = verb
            with Context(
                command, info_name=verb, parent=context, terminal_width=78
            ) as inner:
                formatter = HelpFormatter(width=78)
                command.format_usage(inner, formatter)
                command.format_help_text(inner, formatter)
                parts.append(
                    f"## {verb}\n\n```text\n{formatter.getvalue().rstrip()}\n```"
                )
                parts += options(command, inner)
    return "\n\n".join(parts) + "\n"


def _option_text(text: str) -> str:
    return re.sub(r"([<>*_\[\]])", r"\\\1", " ".join(text.split()))


def messages() -> str:
    """Every message that ``ovgather explain`` knows."""
    parts = ["# Messages", _MESSAGES]
    for source in all_sources():
        parts.append(f"## {source.who}")
        for pattern in source.patterns:
            since = f" OpenVINO {pattern.since}." if pattern.since[:1].isdigit() else ""
            parts.append(
                f"#### {_plain(readable(pattern.regex))}\n\nMeans: {_plain(pattern.meaning)}.{since}"
            )
            parts.append(f"Remedy: {_plain(pattern.remedy)}.")
    return "\n\n".join(parts) + "\n"


_MESSAGES = """`ovgather explain "MESSAGE"` knows these, says since which release they read so, and which rules look for
the cause: see [answers.md](answers.md). Words in capitals and `…` stand for what differs."""


def _plain(text: str) -> str:
    text = re.sub(r"\{(\w+)\}", lambda name: name[1].upper(), " ".join(text.split()))
    return re.sub(r"([|<>*_\[\]`\\])", r"\\\1", text)


def readable(regex: str) -> str:
    """What a pattern looks like to people: names of groups for what differs.

    >>> readable(r"Cannot (?:open|read) (?P<path>\\S+)\\.(?!xml)")
    'Cannot open PATH.'
    """
    return re.sub("…[… ]*…", "…", _readable(_PARSER.parse(regex))).strip(" …")


_PARSER = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")


def _readable(tokens: Any) -> str:
    texts = []
    for kind, value in tokens:
        name = str(kind)
        if name == "LITERAL":
            texts.append(chr(value))
        elif name == "SUBPATTERN":
            group = next(
                (
                    each
                    for each, number in tokens.state.groupdict.items()
                    if number == value[0]
                ),
                None,
            )
            texts.append(group.upper() if group else _readable(value[-1]))
        elif name == "IN" and str(value[0][0]) == "LITERAL":
            texts.append(chr(value[0][1]))
        elif name == "BRANCH":
            texts.append(_readable(value[1][0]))
        elif (
            name == "MAX_REPEAT"
            and value[1] == 1
            and [str(each[0]) for each in value[2]] == ["LITERAL"]
        ):
            texts.append(_readable(value[2]))
        elif name not in ("ASSERT", "ASSERT_NOT", "AT"):
            texts.append("…")
    return "".join(texts)


if __name__ == "__main__":
    (ROOT / "docs" / "disagreements.md").write_text(disagreements(), encoding="utf-8")
