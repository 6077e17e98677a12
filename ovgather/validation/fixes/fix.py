"""The fixes of a file's findings, made: in memory, checked again, and only then handed out to be written.

Fixes that do not touch are made together; then the text is read and judged anew, which may bring others (a port that
is fixed may show that the next one is wrong), until there are none. If the end has an error that the beginning has
not, the fix that brings it is looked for, and left out.
"""

from __future__ import annotations

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
Narrow = Callable[[Checked], Checked]
"""Leaves out findings that are not to be fixed, such as those of a baseline."""
_Key = tuple[object, ...]
_UNDONE = "the fixes undo each other"


class Made(NamedTuple):
    """A finding that was fixed, and what was done about it."""

    found: Diagnostic
    what: str

    @property
    def key(self) -> _Key:
        """What the same fix has in common when others are made before it."""
        return (*_key(self.found), self.what)


class LeftOut(NamedTuple):
    """A fix that there is, and why it was not made."""

    made: Made
    why: str


class Fixed(NamedTuple):
    """What came of fixing a file.

    Attributes:
        text: the file before, as UTF-8.
        regions: how the text after differs from it; none when nothing was fixed.
        data: the bytes that the file should hold.
        made: the fixes, in the order of the text.
        left: what is found in ``data``.
        unsafe: how many of those findings have a fix that changes what OpenVINO computes.
        left_out: the fixes that were not made, since the file would be worse with them.
        refused: why nothing could be made of the fixes that there are; ``""`` when it could.
    """

    text: bytes
    regions: list[Region]
    data: bytes
    made: list[Made]
    left: Checked
    unsafe: int
    left_out: tuple[LeftOut, ...] = ()
    refused: str = ""


def fix(data: bytes, path: str, plan: Plan, *, unsafe: bool = False, narrow: Narrow | None = None) -> Fixed:
    """Make the fixes of all findings in ``data``, the content of the file ``path``, that ``plan`` reports.

    Args:
        unsafe: make those, too, that change what OpenVINO computes.
        narrow: says what of the findings is to be fixed; left out, all.

    >>> fixed = fix(b'<net name="a&b" version="11"><layers/><edges/></net>', "m.xml", Plan())
    >>> fixed.data[:21], [made.found.code for made in fixed.made]
    (b'<net name="a&amp;b" v', ['OVG002'])
    """
    keeps = plan.selection_for(path).keeps

    def check(data: bytes) -> Checked:
        # Every rule is asked: a fix must bring no new error of any.
        return check_file(
            Held(data, path), plan.weights, suppressions=plan.suppressions, follow_links=plan.follow_links
        )

    def wanted(checked: Checked) -> list[Diagnostic]:
        narrowed = narrow(checked) if narrow is not None else checked
        return [found for found in narrowed.diagnostics if keeps(found.code) or checked.fatal]

    before = check(data)
    try:
        encoding = Encoding(data)
    except InvalidModelError as error:
        return Fixed(b"", [], data, [], _reported(before, keeps), 0, refused=str(error))
    fixer = _Fixer(encoding, before, check, wanted, unsafe)
    done = fixer.run()
    regions = done.patched.regions()
    # What cannot be read in the end is not worth a partial fix.
    if done.worse or not regions or (before.fatal and done.checked.fatal):
        left_out, refused = tuple(fixer.left_out), done.worse
        kept = _reported(before, keeps)
        return Fixed(encoding.text, [], data, [], kept, _unsafe(wanted(before)), left_out, refused)
    left = _reported(done.checked, keeps)
    made = sorted(done.made, key=lambda one: (one.found.line, one.found.column))
    data = encoding.encode(done.patched.text)
    return Fixed(encoding.text, regions, data, made, left, _unsafe(wanted(done.checked)), tuple(fixer.left_out))


class _Done(NamedTuple):
    """What one trial made of the text, and in which way the file is ``worse`` for it (or ``""``)."""

    patched: Patched
    made: list[Made]
    checked: Checked
    worse: str


class _Fixer:
    """Makes the fixes of one text, without those that make it worse."""

    def __init__(
        self,
        encoding: Encoding,
        before: Checked,
        check: Callable[[bytes], Checked],
        wanted: Callable[[Checked], list[Diagnostic]],
        unsafe: bool,
    ) -> None:
        self.encoding = encoding
        self.before = before
        self.check = check
        self.wanted = wanted
        self.unsafe = unsafe
        self.left_out: list[LeftOut] = []

    def run(self) -> _Done:
        """All fixes, but for those that make the text worse."""
        done = self._try(None)
        while done.worse and done.made and len(self.left_out) < _MOST_LEFT_OUT:
            self.left_out.append(self._culprit(done))
            done = self._try(None)
        return done

    def _culprit(self, done: _Done) -> LeftOut:
        """The fix that makes the text worse when it is made with those before it, which do not."""
        keys = list(dict.fromkeys(made.key for made in done.made))
        good, bad = 0, len(keys)
        worst = done
        while bad - good > 1:
            middle = (good + bad) // 2
            tried = self._try(frozenset(keys[:middle]))
            if tried.worse:
                bad, worst = middle, tried
            else:
                good = middle
        culprit = next(made for made in done.made if made.key == keys[bad - 1])
        return LeftOut(culprit, worst.worse)

    def _try(self, only: frozenset[_Key] | None) -> _Done:
        """Make the fixes that are not left out (``only`` some of them), until there are no more."""
        patched = Patched(self.encoding.text)
        checked = self.before
        made: list[Made] = []
        seen = {patched.text}
        but = {one.made.key for one in self.left_out}

        def allowed(one: Made) -> bool:
            return one.key not in but and (only is None or one.key in only)

        for _ in range(_MOST_PASSES):
            edits, more = _choose(self.wanted(checked), self.unsafe, allowed)
            if not edits:
                break
            patched.apply(edits)
            made += more
            checked = self.check(self.encoding.encode(patched.text))
            if patched.text in seen:
                return _Done(patched, made, checked, _UNDONE)
            seen.add(patched.text)
        return _Done(patched, made, checked, _worse(self.before, checked) if made else "")


def _choose(
    diagnostics: list[Diagnostic], unsafe: bool, allowed: Callable[[Made], bool]
) -> tuple[list[Edit], list[Made]]:
    """The edits of all fixes that can be made together, the first of those that touch, and what they do."""
    places: list[tuple[int, int]] = []
    known: set[tuple[int, int, bytes]] = set()
    edits: list[Edit] = []
    made: list[Made] = []
    for found in diagnostics:
        fix = found.fix()
        if fix is None or not (fix.safe or unsafe) or not allowed(Made(found, fix.what)):
            continue
        more = [edit for edit in fix.edits if edit[:3] not in known]
        taken = compatible(places, more)
        if taken is not None:
            for place in taken:
                insort(places, place)
            known.update(edit[:3] for edit in more)
            edits += more
            made.append(Made(found, fix.what))
    return edits, made


def _unsafe(diagnostics: list[Diagnostic]) -> int:
    fixes = [found.fix() for found in diagnostics if found.fixable]
    return sum(fix is not None and not fix.safe for fix in fixes)


def _reported(checked: Checked, keeps: Callable[[str], bool]) -> Checked:
    """What is to be reported of a file that was checked by all rules."""
    if checked.fatal:
        return checked
    return checked._replace(
        diagnostics=[found for found in checked.diagnostics if keeps(found.code)],
        suppressed=[entry for entry in checked.suppressed if keeps(entry.diagnostic.code)],
    )


def _worse(before: Checked, after: Checked) -> str:
    """Why the file after the fixes must not replace the file before them; ``""`` when it may."""
    if after.fatal and not before.fatal:
        return f"it could not be read any more: {after.diagnostics[0].message}"
    if before.fatal:
        return ""
    known = Counter(_key(found) for found in before.diagnostics if found.severity == "error")
    for found in after.diagnostics:
        if found.severity == "error":
            known[_key(found)] -= 1
            if known[_key(found)] < 0:
                return f"that would bring a new error: {found.line}:{found.column} {found.code} {found.message}"
    return ""


def _key(found: Diagnostic) -> _Key:
    """What stays of an error when others are fixed: places, ids and the words of messages do not."""
    layer = found.layer
    return (found.code, *((layer.body, layer.name) if layer is not None else ()))
