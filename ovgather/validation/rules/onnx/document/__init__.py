"""Rules about an ONNX file as a whole: protobuf, stored tensors, external data, shape inference."""
