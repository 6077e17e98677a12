"""The rules of ``validate`` for ONNX files."""
