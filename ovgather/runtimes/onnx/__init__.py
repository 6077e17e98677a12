"""Whole ONNX models in a child process."""
