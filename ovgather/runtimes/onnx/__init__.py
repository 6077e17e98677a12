"""Whole ONNX models: ``request`` adds outputs to a model and frames it, ``worker`` runs it in the child process."""
