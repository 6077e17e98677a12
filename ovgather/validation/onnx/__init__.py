"""Validation of ONNX files."""
