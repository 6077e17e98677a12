"""Rules about what onnx's checker accepts, and what OpenVINO's frontend converts."""
