"""What: a file beside an exported model (``openvino_*.xml``) gives an index for which the model has no row: a token id
of ``tokenizer.json`` (or of a special token that it lacks), ``openvino_tokenizer.xml``, ``added_tokens.json``,
``generation_config.json`` or ``config.json``, or a size or length that a configuration or a tokenizer names, against
the table that ``input_ids``, ``position_ids`` or ``token_type_ids`` index. Or the tokenizer gives an id for which
``openvino_detokenizer.xml`` has no text.
Why: the model is right by itself, and so are the files; together they index out of range. A size that is larger than
the table is a warning: an index so large may never come.
OpenVINO: reads the file. On the CPU, Gather gives zeros for such an index, without a word.
Bad::
    "added_tokens": [{"id": 8, "content": "<new>"}]   (and the table of input_ids has 8 rows)
Good::
    "added_tokens": [{"id": 7, "content": "<new>"}]   (and the table of input_ids has 8 rows)
"""

from ovgather.files.companions import TOKENIZER
from ovgather.layers.inputs import index_origin
from ovgather.layers.tensors import output_tensor
from ovgather.validation.context import File, Findings, GatherLayer, Rule
from ovgather.validation.facts.claims import Claim
from ovgather.validation.facts.exported import exported

RULE = Rule(
    "OVG503",
    "an index of the files beside a model without a row",
    "error warning",
    "accepts",
    stage="run",
    needs="companions",
)
_WHAT = {
    "input_ids": "tokens",
    "decoder_input_ids": "tokens",
    "position_ids": "positions",
    "token_type_ids": "token types",
}
_NAMES = {
    "position_embed": "positions",
    ".wpe.": "positions",
    "token_type_embed": "token types",
}
_EFFECT = "gives zeros for such an index on the CPU"
_HELP = "resize the embeddings of the model, and export it again with its own tokenizer and configuration"


def check(file: File) -> Findings:
    said = exported(file.model.path).claims
    yield from _texts(file, [claim for claim in said if claim.file == TOKENIZER])
    for gather in file.gather_layers if said else ():
        what = _what(gather)
        data = gather.shapes[0] if gather.shapes else None
        if (
            what is None
            or gather.axis is None
            or data is None
            or not data.rank
            or not data[gather.axis].is_static
        ):
            continue
        rows = data[gather.axis].length
        wrong = [
            claim for claim in said if claim.what == what and claim.largest >= rows
        ]
        if not wrong:
            continue
        first = wrong[0]
        is_size = all(claim.is_size for claim in wrong)
        if len(wrong) > 1:
            more = f" ({len(wrong) - 1} more are beyond it)"
        else:
            more = ""
        message = (
            f"{first.name} in {first.file} asks for index {first.largest}, and the table of "
            f"{what} has {rows} rows"
        )
        severity = "warning" if is_size else "error"
        yield file.report(
            RULE,
            f"{message}{more}",
            "input/0",
            gather.layer,
            effect=_EFFECT,
            severity=severity,
            help=_HELP,
        )


def _texts(file: File, claims: list[Claim]) -> Findings:
    """Ids of the tokenizer for which the detokenizer has no text."""
    for layer in file.layers_of(["VocabDecoder"]) if claims else ():
        source = layer.producer(1)
        shape = output_tensor(*source).shape if source is not None else None
        if shape is None or shape.rank != 1 or not shape[0].is_static:
            continue
        if claims[0].largest >= shape[0].length:
            message = (
                f"{claims[0].file} gives the id {claims[0].largest}, "
                f"and the detokenizer has {shape[0].length} texts"
            )
            help = "convert tokenizer and detokenizer again, both of one tokenizer"
            yield file.report(
                RULE,
                message,
                "input/1",
                layer,
                effect="the detokenizer fails, or gives another text",
                severity="warning",
                help=help,
            )


def _what(gather: GatherLayer) -> str | None:
    """What the rows of the table are of: by the input that its indices come from, or by its name."""
    if gather.errors or len(gather.shapes) < 2:
        return None
    origin = index_origin(gather, "all")
    if origin is not None:
        return _WHAT.get(origin)
    source = gather.layer.producer(0)
    if source is not None:
        name = source[0].name
    else:
        name = ""
    return next((what for part, what in _NAMES.items() if part in name), None)
