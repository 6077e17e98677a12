"""A model that crashes or fails as a whole: it is cut off behind some of its Gather layers, and cut shorter until one
is left that fails although what feeds it does not."""

from collections.abc import Sequence
from dataclasses import replace

from ovgather.comparison.confirm import ask
from ovgather.comparison.in_model.run import (
    BEYOND,
    InferenceValues,
    ModelRun,
    flows,
)
from ovgather.comparison.options import OPENVINO
from ovgather.comparison.report import FAILING, worst
from ovgather.comparison.verdict.judge import judge_error, with_index_note
from ovgather.runtimes.child import AT_END
from ovgather.runtimes.onnx_model import UNSUPPORTED
from ovgather.runtimes.outcome import Outcome, with_notes


def fails(outcome: Outcome) -> bool:
    """Whether a model does not run as a whole; one that does, and then hangs, tells nothing of its layers."""
    if outcome.cause == AT_END:
        return False
    return (
        outcome.verdict in ("crash", "error", "timeout") or outcome.cause == UNSUPPORTED
    )


def narrowed(whole: ModelRun, failed: list[Outcome]) -> list[Outcome]:
    """An outcome for each layer of ``whole``, whose run as a whole ``failed``."""
    search = _Search(whole)
    # A layer that feeds another one has more layers behind it.
    positions = sorted(
        range(len(whole.layers)), key=lambda position: -len(search.behind[position])
    )
    search.visit([at for at in positions if not whole.layers[at].output.depth])
    search.leave_bodies(failed[0].verdict)
    search.visit(positions)
    outcomes = [search.outcomes[position] for position in range(len(failed))]
    if search.culprits or whole.is_explained:
        return outcomes
    if failed[0].verdict == "error" and any(
        each.verdict in FAILING for each in outcomes
    ):
        # What a layer gives that is wrong is what the model then fails on.
        note = f"the model then fails: {failed[0].reason}"
        return [
            with_notes(each, note) if each.verdict in FAILING else each
            for each in outcomes
        ]
    if whole.layers[0].output.depth:
        note = "it is not known which layer is at fault"
    else:
        note = f"no Gather {whole.layers[0].gather.word} is at fault: the parts of the model up to each of them run"
    if failed[0].verdict == "skipped" or (
        failed[0].verdict == "error" and whole.against != OPENVINO
    ):
        return [
            with_notes(each, note) if each.verdict == "skipped" else each
            for each in outcomes
        ]
    return [
        worst((mine, with_notes(each, note)))
        for mine, each in zip(outcomes, failed, strict=True)
    ]


class _Search:
    def __init__(self, whole: ModelRun) -> None:
        self.whole = whole
        self.outcomes: dict[int, Outcome] = {}
        self.culprits = 0
        self.behind = whole.behind()

    def visit(self, positions: Sequence[int]) -> None:
        """Judge the layers at ``positions``, which are in the order of execution."""
        positions = [
            position for position in positions if position not in self.outcomes
        ]
        if not positions:
            return
        part = self.whole.only(*(self.whole.layers[position] for position in positions))
        outcomes = ask([part])[0]
        if not fails(outcomes[0]):
            self.outcomes.update(zip(positions, outcomes, strict=True))
        elif len(positions) > 1:
            half = len(positions) // 2
            self.visit(positions[:half])
            self.visit(positions[half:])
        else:
            self._alone(positions[0], part, outcomes[0])

    def _alone(self, position: int, part: ModelRun, outcome: Outcome) -> None:
        layer = part.layers[0]
        if outcome.verdict == "skipped":
            self.outcomes[position] = outcome
            return
        if layer.output.depth:
            values = None
        else:
            values = flows([replace(part, points=layer.fed)])[0]
        if isinstance(values, InferenceValues):
            self.outcomes[position] = self._blamed(part, outcome, values)
            self.culprits += 1
            name = layer.gather.reference.name
            self._leave(
                self.behind[position],
                Outcome("skipped", f"the model fails before it, in layer {name!r}"),
            )
            return
        if layer.output.depth:
            reason = "its values cannot leave its body"
            behind = set[int]()
        else:
            reason = "the model fails before it"
            behind = self.behind[position]
        self._leave(
            {position, *behind},
            Outcome("skipped", f"{reason}: {outcome.reason}", cause=outcome.cause),
        )

    def _leave(self, positions: set[int], outcome: Outcome) -> None:
        self.outcomes = {**dict.fromkeys(positions, outcome), **self.outcomes}

    def leave_bodies(self, verdict: str) -> None:
        """Give the layers in bodies that fail their outcome: which layer of a body does is not known.

        ``verdict`` is that of the model as a whole: where it is skipped, they are.
        """
        layers = self.whole.layers
        for outside in dict.fromkeys(
            layer.output.outside for layer in layers if layer.output.depth
        ):
            positions = [
                at
                for at, layer in enumerate(layers)
                if layer.output.outside == outside and at not in self.outcomes
            ]
            if not positions:
                continue
            part = self.whole.only(*(layers[at] for at in positions))
            (failed,) = flows([replace(part, points=[outside])])
            if isinstance(failed, Outcome):
                reason = f"the model fails in its body or before it: {self.whole.noted(failed).reason}"
                if self.whole.against == OPENVINO and verdict != "skipped":
                    verdict = failed.verdict
                else:
                    verdict = "skipped"
                self._leave(
                    set(positions), Outcome(verdict, reason, cause=failed.cause)
                )

    def _blamed(
        self, part: ModelRun, outcome: Outcome, values: InferenceValues
    ) -> Outcome:
        """The outcome of a layer that fails on what flows into it: the reference may refuse it as well."""
        try:
            (evidence,) = part.layers[0].evidence(values)
        except ValueError:
            return outcome
        if part.random and part.is_chosen(part.layers[0], evidence):
            return Outcome("skipped", BEYOND)
        if outcome.verdict == "crash":
            return outcome._replace(evidence=evidence)
        late = outcome.verdict == "error" and part.late in ("", outcome.stage)
        judged = outcome
        if late:
            judged = judge_error(evidence, outcome, part.against)
        if part.random:
            return judged
        if part.against == OPENVINO:
            judged = judged._replace(why=outcome.why, notes=outcome.notes)
        return with_index_note(judged, evidence, part.layers[0].gather)
