"""Where files and operations meet: Gather layers of IR and Gather nodes of ONNX, with all that is known of them.

- May know: ``tensor``, ``ops``, ``ir``, ``onnx_file``. It judges nothing and runs nothing.
- A new file: something that can be known of a layer without running the model: a constant, a shape, an axis.
- Enters: ``gather_layers(model)`` and ``gather_nodes(model)``. Leaves: layers with tensors, constants and inferred
  shapes.
"""
