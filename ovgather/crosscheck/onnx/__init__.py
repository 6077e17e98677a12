"""ONNX files: ``nodes`` gives ``Check`` the runs of a node ``alone`` and ``in_model``, on ``inputs``.

Beside an IR made from the file: ``pair`` finds nodes and inputs that belong together (``matching``), runs both and
looks for the first value that differs (``runs``), and compares (``divergence``).
"""
