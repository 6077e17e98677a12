"""Cross-check of ONNX files: each Gather node as ONNX Runtime computes it, and as an IR made from the file does."""
