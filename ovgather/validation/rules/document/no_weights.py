"""What: the file has constants, but there is no ``.bin`` beside it and none was given. Or the given one cannot be read
or is another kind of file: a git-lfs pointer, a web page, a copy of the ``.xml``, an archive, an array with its header
(``.npy``). Or the ``.bin`` beside it is a pipe, a device, or a link that leads neither into the folder of the ``.xml``,
nor into the folder of the file that the ``.xml`` links to, nor into the store of a model hub around it; ovgather does
not open such a file.
Why: without weights the axis of a Gather and constant indices are unknown, and ovgather does not check them. A link may
lead to any file of the machine that reads the model. `--follow-links` follows it, as does `--weights` with its name.
OpenVINO: rejects the file: "Empty weights data in bin file or bin file cannot be found!". If the ``.bin`` is another
file that is long enough, OpenVINO takes its bytes as the values.
Bad::
    m.xml alone
Good::
    m.xml beside m.bin
"""

import os

from ovgather.validation.context import File, Findings, Rule

RULE = Rule("OVG008", "missing weights", "error warning", "rejects undefined")
_UNUSED = {"weights-unreadable", "weights-other", "weights-refused", "weights-foreign"}
_FEW = 10
_HELP = "pass it with --weights FILE"
_TOO_SHORT = '"Incorrect weights in bin file!"'


def check(file: File) -> Findings:
    for problem in file.problems.get("weights-unreadable", ()):
        yield file.report(RULE, problem.value)
    for problem in file.problems.get("weights-other", ()):
        long_enough = file.weights_needed <= int(problem.subject)
        if long_enough:
            verdict = "undefined"
            effect = "uses its bytes as values"
        else:
            verdict = "rejects"
            effect = _TOO_SHORT
        message = f"{os.path.basename(file.model.weights_path or '') or 'the .bin'} is {problem.value}"
        yield file.report(RULE, message, openvino=verdict, effect=effect)
    for problem in file.problems.get("weights-refused", ()):
        # The subject is the kind of a SideFileError.
        outcomes = {
            "link": ("undefined", "follows the link"),
            "missing": ("rejects", "needs the .bin"),
        }
        verdict, effect = outcomes.get(problem.subject, ("undefined", ""))
        message = f"the .bin is not used: {problem.value}"
        help = problem.help if problem.subject == "link" else _HELP
        yield file.report(
            RULE,
            message,
            openvino=verdict,
            effect=effect,
            severity="warning",
            help=help,
        )
    if (
        file.model.weights is not None
        or file.model.snippet
        or _UNUSED & file.problems.keys()
    ):
        return
    consts = file.layers_where(
        lambda signature: signature.data.get("size", "0") != "0", ["Const"]
    )
    if consts:
        place = file.place(consts[0], "type")
        effect = "needs the .bin"
        # For few constants it is cheap to know whether OpenVINO builds any of them.
        needs = None
        if len(consts) < _FEW:
            needs = next(filter(file.is_built, consts), consts[0])
        finding = file.report(
            RULE,
            "no .bin beside the file: constants, and what depends on them, are not known",
            place,
            effect=effect,
            severity="warning",
            help=_HELP,
            needs=needs,
        )
        finding.of_every_file = True
        yield finding
