"""ONNX files: ``nodes`` gives ``Check`` the runs of a node ``alone`` and in the model, on ``inputs``.

Beside an IR made from the file: ``pair`` finds nodes and inputs that belong together (``matching``), runs both and
compares (``divergence``); ``search`` looks for the first value that differs.
"""
