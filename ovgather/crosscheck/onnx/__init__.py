"""Cross-check of ONNX files, alone, in place, and beside an IR made from them."""
