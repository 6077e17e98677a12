"""What frameworks print of an index or a shape, before a model is exported."""

from ovgather.answers.pattern import EXACT, Pattern

WHO = "a framework (PyTorch, TensorFlow, NumPy, JAX)"
_VALUES = ("ovgather explain portability", "ovgather crosscheck model.xml --inputs inputs.npz")

PATTERNS = (
    Pattern(
        r"index (?P<index>-?\d+) is out of bounds for (?:dimension|axis) (?P<axis>-?\d+) with size (?P<size>\d+)|"
        r"indices\[(?P<place>[\d,\s]*)\] ?= ?(?P<index2>\S+) is not in \[0, ?(?P<size2>\d+)\)|"
        r"indices\[(?P<place2>[\d,:\s]*)\] ?= ?\[?(?P<index3>[-\d,\s]+)\]? does not index into|index out of range"
        r" in self|"
        r"srcIndex < srcSelectDimSize|(?:index out of bounds|Assertion `?.*?index.*?out of bounds)",
        "an index is outside of the axis it counts along; a runtime may not tell: OpenVINO's Gather gives zeros",
        "look at the values that are given as indices (more words than the table has?)",
        rules=("OVG501",),
        commands=_VALUES,
        source="PyTorch, TensorFlow, NumPy",
        weight=EXACT,
    ),
    Pattern(
        r"Index tensor must have the same number of dimensions as (?:input|self) tensor|Size does not match at"
        r" dimension"
        r" (?P<dim>\d+) expected index (?P<indices>\[.*?\]) to be (?:smaller|no larger) than self (?P<data>\[.*?\])",
        "torch.gather wants an index of the rank of the input, and no larger off the dim",
        "give the index that shape; GatherElements of OpenVINO even wants equal dims off the axis",
        rules=("OVG202",),
        commands=("ovgather explain torch.gather",),
        source="PyTorch",
        weight=EXACT,
    ),
    Pattern(
        r"gather\(\): Expected dtype int(?:32/int)?64 for index|expected scalar type (?:Long|Int)[^\n]*|tensors used as"
        r" indices must be long",
        "indices are no integers",
        "convert them to int64",
        rules=("OVG204",),
        commands=("ovgather explain torch.gather",),
        source="PyTorch",
    ),
    Pattern(
        r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), ?(?P<high>-?\d+)\], but got"
        r" (?P<axis>-?\d+)\)",
        "the axis is {axis}, and the tensor has the axes {low} to {high}",
        "correct the axis",
        rules=("OVG104",),
        commands=("ovgather explain torch.gather",),
        source="PyTorch",
    ),
    Pattern(
        r"(?:Variable value|index|indices) \(?(?:index)?\)? ?(?:of OP\([^)]*\) )?(?:expected|should be|must be)"
        r" >= ?0 and < ?"
        r"(?P<size>\d+)[^\n]*?but got (?P<index>-?\d+)",
        "an index is {index}, outside of the axis of length {size}",
        "look at the values that are given as indices",
        rules=("OVG501",),
        commands=_VALUES,
        source="PaddlePaddle",
        weight=EXACT,
    ),
    Pattern(
        r"indices\.shape\[-1\] (?:must be|should be) <= params\.(?:rank|shape)|index innermost dimension length"
        r" must be <= params rank",
        "the last dim of the indices of a gather_nd is more than the rank of the data",
        "correct the last dim of indices",
        rules=("OVG202",),
        commands=("ovgather explain tf.gather_nd",),
        source="TensorFlow",
        weight=EXACT,
    ),
    Pattern(
        r"could not broadcast input array from shape (?P<got>\([\d,\s]*\)) into shape (?P<want>\([\d,\s]*\))|"
        r"cannot reshape array of size (?P<size_of_array>\d+) into shape (?P<shape>\([\d,\s]*\))",
        "the program puts an array of another shape into an input: {got} for {want}",
        "give an array of the input's shape, or reshape the model",
        commands=("ovgather inspect model.xml",),
        source="NumPy",
        weight=EXACT,
    ),
)
