"""The fixes of a file's findings, made: in memory, checked again, and only then handed out to be written.

Fixes that do not touch are made together; then the text is read and judged anew, which may bring others (a port that
is fixed may show that the next one is wrong), until there are none. If the end has an error that the beginning has
not, the fix that brings it is looked for, and left out.
"""

from bisect import insort
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.ir.edit.edits import Patched, Region, compatible
from ovgather.ir.edit.text_file import Encoding, Held
from ovgather.ir.text import Edit
from ovgather.validation.check import check_file
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.plan import Plan

_MOST_PASSES = 10
_MOST_LEFT_OUT = 20
Narrow = Callable[[Checked], Checked]  # leaves out findings that are not to be fixed, such as those of a baseline
_Key = tuple[object, ...]
_UNDONE = "the fixes undo each other"


class Made(NamedTuple):
    """A finding that was fixed, and a sentence on the fix."""

    found: Diagnostic
    what: str

    @property
    def key(self) -> _Key:
        """Equal for the same fix when other fixes precede it."""
        return (*_key(self.found), self.what)


class LeftOut(NamedTuple):
    """A fix that was not made, and the reason."""

    made: Made
    why: str


class Fixed(NamedTuple):
    """A file after its fixes."""

    text: bytes  # the file before, as UTF-8
    regions: list[Region]  # the differences from it
    data: bytes  # the new content of the file
    made: list[Made]
    left: Checked  # the findings in ``data``
    unsafe: int  # the number of findings in ``left`` whose fix changes the result of OpenVINO
    left_out: tuple[LeftOut, ...] = ()  # the fixes that would make the file worse
    refused: str = ""  # why nothing could be fixed


def fix(data: bytes, path: str, plan: Plan, *, unsafe: bool = False, narrow: Narrow | None = None) -> Fixed:
    """Make the fixes of the findings in ``data``, the content of the file ``path``, that ``plan`` reports.

    With ``unsafe`` also those that change the result of OpenVINO; ``narrow`` selects the findings to fix.
    """
    keeps = plan.selection_for(path).keeps

    def check(data: bytes) -> Checked:
        # By every rule: a fix must cause no new error of any.
        source = Held(data, path)
        return check_file(source, plan.weights, suppressions=plan.suppressions, follow_links=plan.follow_links)

    def wanted(checked: Checked) -> list[Diagnostic]:
        narrowed = narrow(checked) if narrow is not None else checked
        return [finding for finding in narrowed.diagnostics if keeps(finding.code) or checked.fatal]

    before = check(data)
    try:
        encoding = Encoding(data)
    except InvalidModelError as error:
        return Fixed(b"", [], data, [], _reported(before, keeps), 0, refused=str(error))
    fixer = _Fixer(encoding, before, check, wanted, unsafe)
    trial, left_out = fixer.best()
    regions = trial.patched.regions()
    # A file that stays unreadable is not worth a partial fix.
    if trial.worse or not regions or (before.fatal and trial.checked.fatal):
        unsafe_fixes = _unsafe(wanted(before))
        return Fixed(encoding.text, [], data, [], _reported(before, keeps), unsafe_fixes, left_out, trial.worse)
    made = sorted(trial.made, key=lambda made: (made.found.line, made.found.column))
    data, left = encoding.encode(trial.patched.text), _reported(trial.checked, keeps)
    return Fixed(encoding.text, regions, data, made, left, _unsafe(wanted(trial.checked)), left_out)


class _Trial(NamedTuple):
    """A text after some fixes, and in which way it is ``worse`` than before (or ``""``)."""

    patched: Patched
    made: list[Made]
    checked: Checked
    worse: str


class _Fixer(NamedTuple):
    """Makes the fixes of one text, without those that make it worse."""

    encoding: Encoding
    before: Checked
    check: Callable[[bytes], Checked]
    wanted: Callable[[Checked], list[Diagnostic]]
    unsafe: bool

    def best(self) -> tuple[_Trial, tuple[LeftOut, ...]]:
        """The text with all fixes but those that make it worse, which are the second result."""
        left_out: dict[_Key, LeftOut] = {}
        while True:
            trial = self._try(lambda key: key not in left_out)
            if not (trial.worse and trial.made) or len(left_out) == _MOST_LEFT_OUT:
                return trial, tuple(left_out.values())
            culprit = self._culprit(trial)
            left_out[culprit.made.key] = culprit

    def _culprit(self, trial: _Trial) -> LeftOut:
        """The fix that makes the text worse together with those before it, which alone do not."""
        keys = list(dict.fromkeys(each.key for each in trial.made))
        good, bad, worse = 0, len(keys), trial.worse
        while bad - good > 1:
            middle = (good + bad) // 2
            part = self._try(frozenset(keys[:middle]).__contains__)
            if part.worse:
                bad, worse = middle, part.worse
            else:
                good = middle
        return LeftOut(next(each for each in trial.made if each.key == keys[bad - 1]), worse)

    def _try(self, is_allowed: Callable[[_Key], bool]) -> _Trial:
        """Make the allowed fixes until there are no more."""
        patched = Patched(self.encoding.text)
        checked = self.before
        made: list[Made] = []
        texts = {patched.text}
        for _ in range(_MOST_PASSES):
            edits, more = _choose(self.wanted(checked), self.unsafe, is_allowed)
            if not edits:
                break
            patched.apply(edits)
            made += more
            checked = self.check(self.encoding.encode(patched.text))
            if patched.text in texts:
                return _Trial(patched, made, checked, _UNDONE)
            texts.add(patched.text)
        return _Trial(patched, made, checked, _worse(self.before, checked) if made else "")


def _choose(
    diagnostics: list[Diagnostic], unsafe: bool, is_allowed: Callable[[_Key], bool]
) -> tuple[list[Edit], list[Made]]:
    """The edits of all fixes that can be made together (of overlapping ones the first), and the fixes."""
    spans: list[tuple[int, int]] = []
    known: set[tuple[int, int, bytes]] = set()
    edits: list[Edit] = []
    made: list[Made] = []
    for finding in diagnostics:
        fix = finding.fix()
        if fix is None or not (fix.safe or unsafe) or not is_allowed(Made(finding, fix.what).key):
            continue
        more = [edit for edit in fix.edits if edit[:3] not in known]
        added = compatible(spans, more)
        if added is not None:
            for span in added:
                insort(spans, span)
            known.update(edit[:3] for edit in more)
            edits += more
            made.append(Made(finding, fix.what))
    return edits, made


def _unsafe(diagnostics: list[Diagnostic]) -> int:
    return sum(fix is not None and not fix.safe for fix in (finding.fix() for finding in diagnostics))


def _reported(checked: Checked, keeps: Callable[[str], bool]) -> Checked:
    """What is to be reported of a file that was checked by all rules."""
    if checked.fatal:
        return checked
    return checked._replace(
        diagnostics=[finding for finding in checked.diagnostics if keeps(finding.code)],
        suppressed=[entry for entry in checked.suppressed if keeps(entry.diagnostic.code)],
    )


def _worse(before: Checked, after: Checked) -> str:
    """Why the file after the fixes must not replace the file before them; ``""`` when it may."""
    if after.fatal and not before.fatal:
        return f"it could not be read any more: {after.diagnostics[0].message}"
    if before.fatal:
        return ""
    errors = Counter(_key(finding) for finding in before.diagnostics if finding.severity == "error")
    for new in [finding for finding in after.diagnostics if finding.severity == "error"]:
        errors[_key(new)] -= 1
        if errors[_key(new)] < 0:
            return f"that would bring a new error: {new.line}:{new.column} {new.code} {new.message}"
    return ""


def _key(finding: Diagnostic) -> _Key:
    """Equal for an error before and after other fixes, which may change positions, ids and messages."""
    layer = finding.layer
    return (finding.code, *((layer.body, layer.name) if layer is not None else ()))
