"""ONNX files: ``nodes`` gives ``Check`` the runs of a node alone and in the model, on ``inputs``. Beside an IR made
from the file, ``pair`` finds what belongs together (``matching``), runs both, and compares (``diverge``)."""
