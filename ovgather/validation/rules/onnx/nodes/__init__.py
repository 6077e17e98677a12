"""Rules about one node: its opset, attributes, inputs, indices and declared output."""
