"""The verbs for ONNX files."""
