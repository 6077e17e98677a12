"""Diagnostic: one thing that is wrong in a file, where it is, and what OpenVINO does with it."""

import os
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Literal, NamedTuple

from ovgather.ir.text import Edit, FileText, Source
from ovgather.layers.reference import LayerReference, called
from ovgather.tensor.value import PublicValue
from ovgather.validation.effect import Effect
from ovgather.validation.file_verdict import REFUSALS

Severity = Literal["error", "warning", "note"]
Stage = Literal["load", "run", "chance"]
Behaviour = Literal[
    "rejects", "rejects_on_compile", "rejects_on_run", "accepts", "crashes", "undefined"
]
"""What OpenVINO does."""
SEVERITIES = ("error", "warning", "note")
VERDICTS = (
    "rejects",
    "rejects_on_compile",
    "rejects_on_run",
    "accepts",
    "crashes",
    "undefined",
)
VERDICTS_BY_WEIGHT = (
    "crashes",
    "rejects",
    "rejects_on_compile",
    "rejects_on_run",
    "undefined",
    "accepts",
)

Position = tuple[int, int, int, int]
"""Line and column where a text begins, and where it ends; they count from 1, and the end is exclusive."""
WHOLE_FILE: Position = (1, 1, 1, 1)
NO_LINES: Position = (0, 0, 0, 0)


class Related(NamedTuple):
    """Another position that belongs to a finding, such as the second of two layers with one id."""

    message: str
    line: int
    column: int
    end_line: int
    end_column: int


class Fix(NamedTuple):
    """Edits of the original text, without overlap, that remove one finding; ``what`` describes them in a sentence."""

    edits: tuple[Edit, ...]
    what: str
    safe: bool = True  # OpenVINO computes the same afterwards


class Replacement(NamedTuple):
    """``text`` for what stands between two places, which are counted from 1; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Remedy(NamedTuple):
    """A ``Fix`` in lines and columns, for those who have no bytes."""

    what: str
    safe: bool
    replacements: tuple[Replacement, ...]


class Considered(NamedTuple):
    """A repair that was tried to explain a finding.

    Attributes:
        hypothesis: its name, see ``ovgather explain``; empty: the fix of a rule.
        what: the repair.
        explains, brings: how many findings it explains, and how many new ones it brings.
    """

    hypothesis: str
    what: str
    explains: int
    brings: int


class RuntimeBehaviour(NamedTuple):
    """What another runtime than OpenVINO does with a finding.

    Attributes:
        runtime: its name, such as ``ONNX Runtime``.
        verdict: ``rejects`` (on loading), ``rejects_on_run``, ``accepts`` or ``undefined``.
        effect: the same in words, where there is more to say.
    """

    runtime: str
    verdict: str
    effect: str = ""


class Diagnostic(PublicValue):
    """One finding.

    Attributes:
        code: the rule, such as ``OVG203``.
        severity: ``error`` (OpenVINO rejects it, the specification forbids it, or the file contradicts itself),
            ``warning`` (runs, but probably not as intended) or ``note``.
        message, path: what is wrong, in one line, and the file.
        line, column, end_line, end_column: the text concerned, counted from 1, the end exclusive; 0 in a model without
            lines (ONNX, objects).
        layer: the layer concerned, None for the file itself.
        openvino: what the runtime does with it: ``rejects`` (on reading), ``rejects_on_compile`` (reads it, but does
            not compile it for the CPU), ``rejects_on_run`` (compiles it, and fails when it runs), ``accepts``,
            ``crashes`` or ``undefined``.
        effect: the same in words.
        hazard: of an ``effect`` that was measured by release, what was; else None.
        stage: when it happens: ``load`` (reading or compiling), ``run``, or ``chance`` (compiling may work).
        label: what to print under the carets.
        help: what to do about it, or None.
        consequences: findings that follow from this one, and are not reported by themselves.
        subjects: the bytes where the layers it concerns start, first its own.
        part: what of its layer it is about, such as ``data/axis``; empty: not known.
        runtimes: what other runtimes do with it, of ONNX files.
        of_every_file: it says the same of every file that has it.
        hypothesis: the name of the hypothesis that explains it, see ``ovgather explain``; empty: none was needed.
        considered: the repairs that were tried, the best one first.
        openvino_message: what OpenVINO itself said of it when it was asked, or None.
        remedies: the remedy, if it was asked for before; else None.

    >>> str(Diagnostic("OVG102", "error", "unknown attribute `Axis`", path="m.xml", position=(3, 7, 3, 11)))
    'm.xml:3:7: error[OVG102]: unknown attribute `Axis`'
    """

    __slots__ = (
        "_fix", "_position", "_related", "code", "consequences", "considered", "effect", "hazard", "help", "hypothesis",
        "label", "layer", "message", "of_every_file", "openvino", "openvino_message", "part", "path", "remedies",
        "runtimes", "severity", "source", "stage", "subjects",
    )  # fmt: skip

    severity: Severity
    openvino: Behaviour
    stage: Stage

    def __init__(
        self,
        code: str,
        severity: str,
        message: str,
        *,
        path: str,
        position: Position | Callable[[], Position] = WHOLE_FILE,
        layer: LayerReference | None = None,
        openvino: str = "undefined",
        effect: str = "",
        hazard: Effect | None = None,
        stage: str = "load",
        label: str = "",
        help: str | None = None,
        source: Source | FileText | None = None,
        fix: Callable[[], Fix | None] | None = None,
        related: tuple[Related, ...] | Callable[[], tuple[Related, ...]] = (),
        runtimes: tuple[RuntimeBehaviour, ...] = (),
    ) -> None:
        self.code = code
        self.message = message
        self.path = path
        self.severity = severity  # type: ignore[assignment]
        self.layer = layer
        self.source = source
        self.effect = effect
        self.hazard = hazard
        self.label = label
        self.help = help
        self.openvino = openvino  # type: ignore[assignment]
        self.stage = stage  # type: ignore[assignment]
        self.hypothesis = ""
        self.of_every_file = False
        self.runtimes = runtimes
        self.considered: tuple[Considered, ...] = ()
        self.openvino_message: str | None = None
        self.consequences: list[Diagnostic] = []
        self.subjects: tuple[int, ...] = ()
        self.part = ""
        self._fix = fix
        self._position = position
        self._related = related
        self.remedies: tuple[Remedy, ...] | None = None

    def facts(self) -> Iterator[object]:
        yield self.path, self.position, self.message
        yield (
            self.code,
            self.severity,
            self.layer,
            self.openvino,
            self.effect,
            self.stage,
            self.label,
            self.help,
        )
        yield (
            self.related,
            self.hypothesis,
            self.considered,
            self.openvino_message,
            self.fixable,
        )

    @property
    def position(self) -> Position:
        """Line, column, end line and end column; looked up when they are asked for."""
        if callable(self._position):
            self._position = self._position()
        return self._position

    @property
    def line(self) -> int:
        return self.position[0]

    @property
    def column(self) -> int:
        return self.position[1]

    @property
    def end_line(self) -> int:
        return self.position[2]

    @property
    def end_column(self) -> int:
        return self.position[3]

    @property
    def own_related(self) -> tuple[Related, ...]:
        """Other positions of this mistake, without those of its consequences."""
        if callable(self._related):
            self._related = self._related()
        return self._related

    @property
    def related(self) -> tuple[Related, ...]:
        """Other positions of this mistake, those of its consequences last."""
        consequences = sorted(self.consequences, key=attrgetter("position"))
        return (
            *self.own_related,
            *(Related(self._message_of(each), *each.position) for each in consequences),
        )

    def _message_of(self, consequence: "Diagnostic") -> str:
        layer = consequence.layer
        message = consequence.message
        if layer is None or layer == self.layer:
            return message
        return f'layer {layer.id} "{layer.name}": {message}'

    def mention(self, message: str, position: Position) -> None:
        """Add a position that belongs to this mistake."""
        self._related = (*self.own_related, Related(message, *position))

    def attach(self, consequence: "Diagnostic") -> None:
        """Report ``consequence`` as part of this finding; the severity rises to the higher of the two."""
        self.consequences += [consequence, *consequence.consequences]
        consequence.consequences = []
        self.join(consequence)

    def join(self, consequence: "Diagnostic") -> None:
        """Raise the severity to that of ``consequence``, and take its verdict if that is worse."""
        if SEVERITIES.index(consequence.severity) < SEVERITIES.index(self.severity):
            self.severity = consequence.severity
        if (
            self.stage == "run"
            and consequence.stage == "load"
            and consequence.openvino in REFUSALS
        ):
            self.openvino = consequence.openvino
            self.effect = consequence.effect
            self.stage = "load"
            return  # what is refused does not run
        heavier = VERDICTS_BY_WEIGHT.index(
            consequence.openvino
        ) < VERDICTS_BY_WEIGHT.index(self.openvino)
        # A hazard when the model is compiled or run, if it is read.
        is_later = consequence.severity == "warning"
        is_at_run = consequence.stage != "load" and self.stage == "load"
        if heavier and not is_at_run and not (is_later and self.openvino == "rejects"):
            self.openvino = consequence.openvino
            self.effect = consequence.effect

    def forget_lines(self) -> None:
        """Drop positions and fixes: the model has no text."""
        self._position = NO_LINES
        self.source = self._fix = None
        self._related = tuple(
            [Related(each.message, *NO_LINES) for each in self.own_related]
        )
        for consequence in self.consequences:
            consequence.forget_lines()

    def withdraw_fix(self) -> None:
        """Offer no fix."""
        self._fix = None

    def offer_fix(self, fix: Callable[[], Fix | None]) -> None:
        """Offer ``fix`` in place of its own."""
        self._fix = fix

    @property
    def fixable(self) -> bool:
        """Whether there may be a fix; ``fix`` says whether there is."""
        return self._fix is not None

    def fix(self) -> Fix | None:
        """The one fix, built now; None when there is none, or more than one."""
        if self._fix is not None:
            return self._fix()
        return None

    @property
    def remedy(self) -> Remedy | None:
        """The fix in lines and columns; made once, and kept."""
        if self.remedies is None:
            fix = self.fix()
            if fix is None:
                self.remedies = ()
            else:
                self.remedies = (
                    Remedy(fix.what, fix.safe, tuple(self._replacements(fix))),
                )
        if self.remedies:
            return self.remedies[0]
        return None

    def _replacements(self, fix: Fix) -> Iterator[Replacement]:
        source = self.source
        for start, removed, inserted, *_ in sorted(fix.edits, key=attrgetter("start")):
            if isinstance(source, Source):
                places = (
                    *source.lines.position(start),
                    *source.lines.position(start + removed),
                )
                yield Replacement(*places, inserted.decode("utf-8", "replace"))

    @property
    def fix_kind(self) -> str:
        """``safe`` or ``unsafe``; ``""`` without a fix."""
        if self.remedy is None:
            return ""
        if self.remedy.safe:
            return "safe"
        return "unsafe"

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        # A fix refers to the model. Another process only gets to know that there is one, and a ``remedy`` built before.
        # The text may be large: it is read again where it is shown.
        state = {name: getattr(self, name) for name in self.__slots__}
        state |= {
            "_position": self.position,
            "_related": self.own_related,
            "_fix": self._fix and self.left_behind,
        }
        if self.source is not None and os.path.isfile(self.path):
            state["source"] = FileText(self.path)
        return None, state

    def excerpt(self, width: int = 400, column: int = 1, line: int = 0) -> str:
        """At most ``width`` characters of ``line`` (0: its own) from ``column`` on; empty without the text."""
        if self.source is not None:
            return self.source.line(line or self.line, width, column)
        return ""

    @property
    def place(self) -> str:
        """``m.xml:3:7``; the path and the layer in a model without lines."""
        if self.line or self.layer is None:
            if self.line:
                return f"{self.path}:{self.line}:{self.column}"
            return self.path
        return f"{self.path}: {called(self.layer)}"

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}[{self.code}]: {self.message}"

    def __repr__(self) -> str:
        return f"Diagnostic({str(self)!r})"

    @staticmethod
    def left_behind() -> None:
        """Placeholder for a fix that only the process that checked the file can build."""


class Suppressed(NamedTuple):
    """A finding that is not reported: ``by`` a ``comment`` in the file, which gives a ``reason``, or a ``baseline``."""

    diagnostic: Diagnostic
    by: str
    reason: str = ""
