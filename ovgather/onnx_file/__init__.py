"""ONNX files: bytes to ``OnnxModel``: graphs, tensors, values, shapes that onnx infers in a child process.

- May know: ``tensor``, ``ir.read`` for the kinds of sources, errors. It knows no operation.
- A new file: something read out of a ``ModelProto``.
- Enters: ``model.read``. Leaves: ``OnnxModel`` with a ``problem`` in place of an exception.
"""
