"""The fixes of a file's findings, made in memory. Those that do not touch are made together; then the text is judged
anew, which may bring others, until there are none. A fix that brings a new error is looked for, and left out.
"""

from bisect import insort
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ovgather.errors import InvalidModelError, shown
from ovgather.ir.edit.edits import Encoding, Held, Patched, Region, compatible
from ovgather.ir.text import Edit
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.plan import Plan

_MOST_PASSES = 10
_MOST_HARMFUL = 20
_LEAST_CHECKS, _MOST_CHECKS, _CHECKED_BYTES = 24, 200, 600_000
"""How often the text is checked while harmful fixes are looked for; a large text not as often as a small one."""
Narrow = Callable[
    [Checked], Checked
]  # leaves out findings that are not to be fixed, such as those of a baseline
_Key = tuple[object, ...]


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
    harmful: tuple[
        tuple[AppliedFix, str], ...
    ] = ()  # the fixes that would make the file worse, with the reasons
    refused: str = ""  # why nothing could be fixed

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        done = len(self.fixes)
        left = len(self.left.diagnostics)
        return f"<Fixed {shown(self.left.path)}: {done} fixed, {left} left>"


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

    def check(data: bytes) -> Checked:
        # By every rule: a fix must cause no new error of any.
        source = Held(data, path)
        return check_file(
            source,
            plan.weights,
            suppressions=plan.suppressions,
            follow_links=plan.follow_links,
        )

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

    before = check(data)
    try:
        encoding = Encoding(data)
    except InvalidModelError as error:
        return Fixed(b"", [], data, [], _reported(before, keeps), 0, refused=str(error))
    most = max(_LEAST_CHECKS, min(_MOST_CHECKS, _CHECKED_BYTES // (1 + len(data))))
    trial, harmful = _Fixer(encoding, before, check, wanted, unsafe, most).best()
    regions = trial.patched.regions()
    fixes = trial.fixes
    checked = trial.checked
    # A file that stays unreadable is not worth a partial fix.
    if trial.worse or not regions or (before.fatal and checked.fatal):
        regions = []
        fixes = []
        checked = before
    fixes = sorted(fixes, key=lambda fix: (fix.finding.line, fix.finding.column))
    left = _reported(checked, keeps)
    open_fixes = [finding.fix() for finding in wanted(checked)]
    if regions:
        data = encoding.encode(trial.patched.text)
    unsafe_fixes = sum(each is not None and not each.safe for each in open_fixes)
    return Fixed(
        encoding.text,
        regions,
        data,
        fixes,
        left,
        unsafe_fixes,
        harmful,
        "" if regions else trial.worse,
    )


class _Trial(NamedTuple):
    """A text after some fixes, and in which way it is ``worse`` than before (or ``""``)."""

    patched: Patched
    fixes: list[AppliedFix]
    checked: Checked
    worse: str


@dataclass
class _Fixer:
    """Makes the fixes of one text, without those that make it worse."""

    encoding: Encoding
    before: Checked
    check: Callable[[bytes], Checked]
    wanted: Callable[[Checked], list[Diagnostic]]
    unsafe: bool
    checks: int
    """How many may still be made."""

    def best(self) -> tuple[_Trial, tuple[tuple[AppliedFix, str], ...]]:
        """The text with all fixes but those that make it worse, which are the second result."""
        harmful: dict[_Key, tuple[AppliedFix, str]] = {}
        while True:
            trial = self._try(lambda key: key not in harmful)
            is_over = len(harmful) == _MOST_HARMFUL or not self.checks
            if is_over or not (trial.worse and trial.fixes):
                return trial, tuple(harmful.values())
            culprit, worse = self._culprit(trial)
            harmful[culprit.key] = culprit, worse

    def _culprit(self, trial: _Trial) -> tuple[AppliedFix, str]:
        """The fix that makes the text worse together with those before it, which alone do not."""
        by_key: dict[_Key, AppliedFix] = {}
        for fix in trial.fixes:
            by_key.setdefault(fix.key, fix)
        fixes = list(by_key.values())
        good = 0
        bad = len(fixes)
        worse = trial.worse
        while bad - good > 1:
            middle = (good + bad) // 2
            part = self._try({fix.key for fix in fixes[:middle]}.__contains__)
            if part.worse:
                bad = middle
                worse = part.worse
            else:
                good = middle
        return fixes[bad - 1], worse

    def _try(self, is_allowed: Callable[[_Key], bool]) -> _Trial:
        """Make the allowed fixes until there are no more."""
        patched = Patched(self.encoding.text)
        checked = self.before
        fixes: list[AppliedFix] = []
        texts = {patched.text}
        for _ in range(_MOST_PASSES):
            edits, more = _choose(self.wanted(checked), self.unsafe, is_allowed)
            if not edits:
                break
            if not self.checks:
                return _Trial(
                    patched, fixes, checked, "its fixes make each other worse"
                )
            self.checks -= 1
            patched.apply(edits)
            fixes += more
            checked = self.check(self.encoding.encode(patched.text))
            if patched.text in texts:
                return _Trial(patched, fixes, checked, "the fixes undo each other")
            texts.add(patched.text)
        return _Trial(
            patched, fixes, checked, _worse(self.before, checked) if fixes else ""
        )


def _choose(
    diagnostics: list[Diagnostic], unsafe: bool, is_allowed: Callable[[_Key], bool]
) -> tuple[list[Edit], list[AppliedFix]]:
    """The edits of all fixes that can be made together (of overlapping ones the first), and the fixes."""
    spans: list[tuple[int, int]] = []
    known: set[tuple[int, int, bytes]] = set()
    edits: list[Edit] = []
    applied: list[AppliedFix] = []
    for finding in diagnostics:
        fix = finding.fix()
        if (
            fix is None
            or not (fix.safe or unsafe)
            or not is_allowed(AppliedFix(finding, fix.what).key)
        ):
            continue
        more = [edit for edit in fix.edits if edit[:3] not in known]
        added = compatible(spans, more)
        if added is not None:
            for span in added:
                insort(spans, span)
            known.update(edit[:3] for edit in more)
            edits += more
            applied.append(AppliedFix(finding, fix.what))
    return edits, applied


def _reported(checked: Checked, keeps: Callable[[str], bool]) -> Checked:
    """What is to be reported of a file that was checked by all rules."""
    if checked.fatal:
        return checked
    diagnostics = [finding for finding in checked.diagnostics if keeps(finding.code)]
    suppressed = [entry for entry in checked.suppressed if keeps(entry.diagnostic.code)]
    return checked._replace(diagnostics=diagnostics, suppressed=suppressed)


def _worse(before: Checked, after: Checked) -> str:
    """Why the file after the fixes must not replace the file before them; ``""`` when it may."""
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
    return ""


def _key(finding: Diagnostic) -> _Key:
    """Equal for an error before and after other fixes, which may change positions, ids and messages."""
    layer = finding.layer
    return (finding.code, *((layer.body, layer.name) if layer is not None else ()))
