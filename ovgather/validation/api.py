"""Validation and its fixes for the tools of others: what the command line can, in Python."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from ovgather.errors import ArgumentError, UnreadableError
from ovgather.ir.model import Model
from ovgather.ir.read import uncollected
from ovgather.layers.formats import AnySource, read
from ovgather.tensor.guard import guarded, require
from ovgather.text import html_table
from ovgather.validation.checked import MOST, Counted, by_code
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.file_verdict import Verdict
from ovgather.validation.plan import Plan, plan
from ovgather.validation.selection import configuration as configurations
from ovgather.validation.selection.codes import Choice, parse_codes

if TYPE_CHECKING:
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.tensor.foreign import ModelProto, OnnxIrModel
    from ovgather.validation.fixes.fix import Fixed
    from ovgather.validation.onnx.fixes import FixedOnnx

Codes = str | Iterable[str]
"""Codes of rules or their beginnings, with commas or blanks between them, or in a list."""
Configured = str | os.PathLike[str] | Mapping[str, Any]
"""A configuration: a file, or what its table says."""


_UNKNOWN = Verdict()


class Findings(list[Diagnostic]):
    """Diagnostics in the order of the text.

    Attributes:
        more: how many findings there are beyond the limit, by code.
        verdict: what OpenVINO does with the file as a whole.
    """

    def __init__(
        self,
        findings: Iterable[Diagnostic] = (),
        more: Iterable[Counted] = (),
        verdict: Verdict = _UNKNOWN,
    ) -> None:
        super().__init__(findings)
        self.more = by_code(more)
        self.verdict = verdict

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __repr__(self) -> str:
        counts = Counter(finding.severity for finding in self)
        return f"<Findings: {', '.join(f'{number} {name}' for name, number in counts.items()) or 'none'}>"

    def _repr_html_(self) -> str:
        columns = ["severity", "code", "place", "message", "OpenVINO", "help"]
        rows = (
            [
                each.severity,
                each.code,
                each.place,
                each.message,
                each.openvino,
                each.help or "",
            ]
            for each in self
        )
        return html_table(repr(self)[1:-1], columns, rows)


@uncollected
@guarded
def validate(
    source: AnySource,
    weights: str | os.PathLike[str] | bytes | None = None,
    *,
    select: Codes | None = None,
    ignore: Codes = (),
    config: Configured | None = None,
    with_openvino: bool | Literal["read", "compile"] = False,
    max_findings: int = MOST,
    follow_links: bool = False,
    target: str | None = None,
    device: str | None = None,
) -> Findings:
    """Everything that is wrong with an IR, but for what a comment in it suppresses, or with an ONNX model.

    Args:
        source: a path, the bytes, an open file, or a model of ovgather, OpenVINO or ONNX; see ``ovgather.read``.
        weights: the ``.bin``, as a path or as bytes; left out, the file beside the ``.xml`` is taken if there is one.
        select, ignore: codes of rules, or how they begin: report these only, or all but these.
        config: a configuration file, or its table, such as ``{"ignore": ["OVG5"]}``; None: none is looked for.
        with_openvino: load the file ``source`` in OpenVINO, in a child process, and report its verdict as well;
            ``"compile"`` also compiles it for the CPU.
        max_findings: how many findings of one code are worked out; 0: all. ``more`` of the result counts the others.
        follow_links: take a file beside the model also where it is a link to a place of its own; see ``ovgather.read``.
        target, device: a release such as ``2021.4``, and a device such as ``NPU``, that have to take the model as well.

    Returns:
        The diagnostics in the order of the text, a list whose ``more`` has the number of further findings of each
        code. A file that cannot be read gives an error, not an exception. Without a file, findings have no lines.

    Raises:
        ConfigurationError: there is no such rule, release or device, or ``config`` is unusable.
        UnavailableError: OpenVINO is asked for, and not installed.

    >>> print(validate(b'<net name="m" version="9"><layers/><edges/></net>')[-1])
    <bytes>:1:24: error[OVG004]: IR version 9 is not read by OpenVINO: it reads 10 and 11
    >>> findings = validate(b'<net name="& & & & &" version="11"><layers/><edges/></net>', max_findings=2)
    >>> [finding.code for finding in findings], findings.more
    (['OVG010', 'OVG002', 'OVG002'], {'OVG002': 3})
    >>> [each.code for each in validate("samples_xml/demo/broken.xml", select="OVG2", ignore=["OVG203"])]
    ['OVG206']
    """
    require(
        max_findings=max_findings,
        select=select,
        ignore=ignore,
        config=config,
        with_openvino=with_openvino,
    )
    how = _plan(select, ignore, config, max_findings, target, device)._replace(
        follow_links=follow_links
    )
    model = read(source, weights, follow_links=follow_links)
    checked = how.check(model.path, model)
    if with_openvino:
        from ovgather.runtimes.available import require as require_runtime
        from ovgather.validation.openvino_opinion import ask

        require_runtime("openvino")
        if not isinstance(source, (str, os.PathLike)) or isinstance(
            weights, (bytes, bytearray, memoryview)
        ):
            raise ArgumentError(
                "with_openvino goes with files, by their paths: OpenVINO reads them itself"
            )
        how = how._replace(weights=None if weights is None else os.fspath(weights))
        until = "read" if with_openvino is True else with_openvino
        [checked] = ask([checked], how, until)
    return Findings(checked.diagnostics, checked.more, checked.verdict)


@guarded
def fix(
    source: str | os.PathLike[str] | bytes,
    *,
    weights: str | os.PathLike[str] | None = None,
    select: Codes | None = None,
    ignore: Codes = (),
    config: Configured | None = None,
    unsafe: bool = False,
    follow_links: bool = False,
) -> Fixed:
    """An IR with the fixes of its findings; no file is written. ``fix_onnx`` does so of ONNX.

    Args:
        source: the path of an ``.xml``, or its bytes.
        select, ignore, config: whose findings are fixed; see ``ovgather.validate``.
        unsafe: also make the fixes that change what OpenVINO computes.
        weights, follow_links: the ``.bin`` to check with; see ``ovgather.read``.

    Returns:
        ``data``, the new content of the file; ``fixes``, what was done; ``left``, the findings in it; ``refused``, why
        nothing could be fixed.

    Raises:
        UnreadableError: there is no such file.

    >>> fixed = fix("samples_xml/demo/broken.xml")
    >>> [each.what for each in fixed.fixes], len(fixed.left.diagnostics)
    (['input port 0 is [2]'], 5)
    """
    require(select=select, ignore=ignore, config=config, unsafe=unsafe)
    from ovgather.validation.fixes.fix import fix as fix_data

    model = read(source, weights, follow_links=follow_links)
    if not isinstance(model, Model):
        raise ArgumentError("source must be an IR: ovgather.fix_onnx is for ONNX")
    how = _plan(select, ignore, config)._replace(follow_links=follow_links)
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    elif isinstance(source, (str, os.PathLike)):
        data = _content(source)
    else:
        raise ArgumentError("source must be a path or bytes: a fix is made in the text")
    return fix_data(
        data,
        model.path,
        how._replace(weights=None if weights is None else os.fspath(weights)),
        unsafe=unsafe,
    )


@guarded
def fix_onnx(
    source: str | os.PathLike[str] | bytes | OnnxModel | ModelProto | OnnxIrModel,
    *,
    select: Codes | None = None,
    ignore: Codes = (),
    config: Configured | None = None,
    follow_links: bool = False,
) -> FixedOnnx:
    """An ONNX model with its fixes; no file is written, and no object is changed.

    Calls of functions become their nodes, negative constant indices are counted from the front, indices of other types
    are cast to int64, an axis that is a whole number becomes an integer, and an opset without Gather nodes is raised.
    What the body of a Loop gives as it is goes through an Identity.

    Args:
        source: the path of an ``.onnx``, its bytes, or a model; see ``ovgather.read``.
        select, ignore, config, follow_links: of the findings that are left; see ``ovgather.validate``.

    Returns:
        ``data``, the new content of the file; ``fixes``, what was done; ``invalid``, what onnx's checker says against
        it; ``left``, the findings in it.

    Raises:
        UnreadableError: there is no such model.
        InvalidModelError: onnx's checker would refuse the fixed model, and accepts the old one.
    """
    require(select=select, ignore=ignore, config=config)
    from ovgather.validation.onnx.fixes import fixed_model

    model = read(source, follow_links=follow_links)
    if isinstance(model, Model):
        raise ArgumentError("source must be an ONNX model: ovgather.fix is for IR")
    how = _plan(select, ignore, config)._replace(follow_links=follow_links)
    return fixed_model(model, how)


def _content(path: str | os.PathLike[str]) -> bytes:
    from ovgather.files.side import SideFileError, open_regular

    try:
        with open_regular(os.fspath(path)) as file:
            return file.read()
    except SideFileError as error:
        raise UnreadableError(str(error)) from None


def _plan(
    select: Codes | None,
    ignore: Codes,
    config: Configured | None,
    most: int = MOST,
    target: str | None = None,
    device: str | None = None,
) -> Plan:
    if config is None:
        configuration = configurations.Configuration()
    elif isinstance(config, Mapping):
        configuration = configurations.of_table("config", dict(config))
    else:
        configuration = configurations.load(os.fspath(config))
    configuration = configuration._replace(
        max_findings=most if most != MOST else configuration.max_findings,
        target=target or configuration.target,
        device=device or configuration.device,
    )
    chosen = None
    if select is not None:
        chosen = parse_codes(_list(select), "select")
    choice = Choice(chosen, parse_codes(_list(ignore), "ignore") if ignore else ())
    return plan(configuration, choice, Plan())


def _list(codes: Codes) -> list[str]:
    if isinstance(codes, str):
        return [codes]
    return [*codes]
