"""The fixes of a file's findings, made in memory. Those that do not touch are made together; then the text is judged
anew, which may bring others, until there are none. Fixes that bring a new error are found by halves, and left out.
"""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Container, Sequence
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ovgather.errors import InvalidModelError, short_repr
from ovgather.ir.edit.edits import Encoding, Held, Patched, Region, compatible
from ovgather.ir.text import Edit
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.file_verdict import REFUSALS
from ovgather.validation.plan import Plan

_MOST_PASSES = 10
_LEAST_CHECKS, _MOST_CHECKS, _CHECKED_BYTES = 24, 200, 6_000_000
"""How often the text is tried while harmful fixes are looked for; a large text not as often as a small one."""
# Leaves out findings that are not to be fixed, such as those of a baseline.
Narrow = Callable[[Checked], Checked]
_Key = tuple[object, ...]
_Choice: TypeAlias = "tuple[AppliedFix, Sequence[Edit]]"


class AppliedFix(NamedTuple):
    """A finding that was fixed, and a sentence on the fix."""

    finding: Diagnostic
    what: str

    @property
    def key(self) -> _Key:
        """Equal for the same fix when other fixes precede it."""
        return (*_key(self.finding), self.what)


class Fixed(NamedTuple):
    """A file after its fixes."""

    text: bytes  # the file before, as UTF-8
    regions: list[Region]  # the differences from it
    data: bytes  # the new content of the file
    fixes: list[AppliedFix]
    left: Checked  # the findings in ``data``
    unsafe: int  # the number of findings in ``left`` whose fix changes the result of OpenVINO
    # the fixes that would make the file worse, with the reasons
    harmful: tuple[tuple[AppliedFix, str], ...] = ()
    refused: str = ""  # why nothing could be fixed

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        done = len(self.fixes)
        left = len(self.left.diagnostics)
        return f"<Fixed {short_repr(self.left.path)}: {done} fixed, {left} left>"


def fix(
    data: bytes,
    path: str,
    plan: Plan,
    *,
    unsafe: bool = False,
    narrow: Narrow | None = None,
) -> Fixed:
    """Make the fixes of the findings in ``data``, the content of the file ``path``, that ``plan`` reports and that
    ``narrow`` selects; with ``unsafe`` also those that change the result of OpenVINO."""
    keeps = plan.selection_for(path).keeps

    def check(text: bytes, explain: bool = True) -> Checked:
        return _checked(Held(encoding.encode(text), path), plan, explain)

    def wanted(checked: Checked) -> list[Diagnostic]:
        if narrow is not None:
            narrowed = narrow(checked)
        else:
            narrowed = checked
        return [
            finding
            for finding in narrowed.diagnostics
            if keeps(finding.code) or checked.fatal
        ]

    try:
        encoding = Encoding(data)
    except InvalidModelError as error:
        before = _checked(Held(data, path), plan)
        return Fixed(b"", [], data, [], _reported(before, keeps), 0, refused=str(error))
    before = check(encoding.text)
    most = max(_LEAST_CHECKS, min(_MOST_CHECKS, _CHECKED_BYTES // (1 + len(data))))
    fixer = _Fixer(Patched(encoding.text), before, check, wanted, unsafe, most)
    fixer.run()
    regions = fixer.patched.regions()
    fixes = fixer.fixes
    checked = fixer.checked
    # A file that stays unreadable is not worth a partial fix.
    if not regions or (before.fatal and checked.fatal):
        regions = []
        fixes = []
        checked = before
    fixes = sorted(fixes, key=lambda fix: (fix.finding.line, fix.finding.column))
    left = _reported(checked, keeps)
    open_fixes = [finding.fix() for finding in wanted(checked)]
    if regions:
        data = encoding.encode(fixer.patched.text)
    unsafe_fixes = sum(each is not None and not each.safe for each in open_fixes)
    return Fixed(
        encoding.text,
        regions,
        data,
        fixes,
        left,
        unsafe_fixes,
        tuple(fixer.harmful.values()),
        "" if regions else fixer.refused,
    )


def _checked(source: Held, plan: Plan, explain: bool = True) -> Checked:
    """By every rule: a fix must cause no new error of any."""
    return check_file(
        source,
        plan.weights,
        suppressions=plan.suppressions,
        follow_links=plan.follow_links,
        explain=explain,
    )


@dataclass
class _Fixer:
    """Makes the fixes of one text, without those that make it worse."""

    patched: Patched
    checked: Checked
    check: Callable[..., Checked]
    wanted: Callable[[Checked], list[Diagnostic]]
    unsafe: bool
    left: int
    """How many texts may still be tried."""

    def __post_init__(self) -> None:
        self.fixes: list[AppliedFix] = []
        self.harmful: dict[_Key, tuple[AppliedFix, str]] = {}
        self.barred: set[_Key] = set()
        self.refused = ""

    def run(self) -> None:
        """Make the fixes that can be made together, and then those of what is left, until there are no more."""
        plain: Checked | None = None
        texts = {self.patched.text}
        for _ in range(_MOST_PASSES):
            choice = _choose(self.wanted(self.checked), self.unsafe, self.barred)
            if not choice:
                break
            if plain is None or plain.fatal:
                plain = self.check(self.patched.text, explain=False)
            kept = self._harmless(plain, [], choice)
            text = self._text(kept)
            if not kept:
                break
            if text in texts:
                self.refused = "the fixes undo each other"
                break
            texts.add(text)
            self.patched.apply(_edits(kept))
            self.fixes += [fix for fix, _ in kept]
            for fix, _ in kept:
                self.harmful.pop(fix.key, None)
            # What does harm beside a mistake may do none without it.
            self.barred.clear()
            self.checked = self.check(text)

    def _harmless(
        self, plain: Checked, kept: list[_Choice], more: list[_Choice]
    ) -> list[_Choice]:
        """``kept``, which do no harm, and those of ``more`` that do none beside them; ``plain`` is the text as read."""
        if not more or not self.left:
            return kept
        self.left -= 1
        worse = _worse(plain, self.check(self._text(kept + more), explain=False))
        if not worse:
            return kept + more
        if len(more) == 1:
            [(fix, _)] = more
            self.harmful[fix.key] = fix, worse
            self.barred.add(fix.key)
            return kept
        middle = len(more) // 2
        kept = self._harmless(plain, kept, more[:middle])
        return self._harmless(plain, kept, more[middle:])

    def _text(self, choice: list[_Choice]) -> bytes:
        patched = copy(self.patched)
        patched.apply(_edits(choice))
        return patched.text


def _edits(choice: list[_Choice]) -> list[Edit]:
    """The edits of fixes; what several of them do, once."""
    return list({edit[:3]: edit for _, edits in choice for edit in edits}.values())


def _choose(
    diagnostics: list[Diagnostic], unsafe: bool, barred: Container[_Key]
) -> list[_Choice]:
    """All fixes that can be made together (of overlapping ones the first)."""
    spans: list[tuple[int, int]] = []
    known: set[tuple[int, int, bytes]] = set()
    choice: list[_Choice] = []
    for finding in diagnostics:
        fix = finding.fix()
        if (
            fix is None
            or not (fix.safe or unsafe)
            or AppliedFix(finding, fix.what).key in barred
        ):
            continue
        more = [edit for edit in fix.edits if edit[:3] not in known]
        added = compatible(spans, more)
        if added is not None:
            for span in added:
                insort(spans, span)
            known.update(edit[:3] for edit in more)
            choice.append((AppliedFix(finding, fix.what), fix.edits))
    return choice


def _reported(checked: Checked, keeps: Callable[[str], bool]) -> Checked:
    """What is to be reported of a file that was checked by all rules."""
    if checked.fatal:
        return checked
    diagnostics = [finding for finding in checked.diagnostics if keeps(finding.code)]
    suppressed = [entry for entry in checked.suppressed if keeps(entry.diagnostic.code)]
    return checked._replace(diagnostics=diagnostics, suppressed=suppressed)


def _worse(before: Checked, after: Checked) -> str:
    """Why the file after the fixes must not replace the file before them; ``""`` when it may.

    Both are checked without a search for mistakes: every contradiction counts.
    """
    if after.fatal and not before.fatal:
        return f"it could not be read any more: {after.diagnostics[0].message}"
    if before.fatal:
        return ""
    errors = Counter(
        _key(finding) for finding in before.diagnostics if finding.severity == "error"
    )
    for new in [
        finding for finding in after.diagnostics if finding.severity == "error"
    ]:
        errors[_key(new)] -= 1
        if errors[_key(new)] < 0:
            return f"that would bring a new error: {new.line}:{new.column} {new.code} {new.message}"
    if _rank(after) < _rank(before):
        return f"OpenVINO would not take the file: {after.verdict.reason}"
    return ""


def _rank(checked: Checked) -> int:
    """The place of the verdict among ``REFUSALS``, the worst first."""
    if checked.verdict.is_refusal:
        return REFUSALS.index(checked.verdict.openvino)
    return len(REFUSALS)


def _key(finding: Diagnostic) -> _Key:
    """Equal for an error before and after other fixes, which may change positions, ids and messages."""
    layer = finding.layer
    return (finding.code, *((layer.body, layer.name) if layer is not None else ()))
