"""Where files and operations meet: Gather layers of IR and Gather nodes of ONNX, with all that is known of them.

- May know: ``tensor``, ``ops``, ``ir``, ``onnx_file``. It judges nothing and runs nothing.
- A new file: something that can be known of a layer without running the model: a constant, a shape, an axis.
- A new file format: a class with the members of ``GatherNode`` that the verbs use (mypy names a missing one), a part of
  ``formats.AnyGather``, and a branch in each function of ``formats``.
- Enters: ``gathers(model)`` for a model of any format, ``gather_layers`` for an IR, ``gather_nodes`` for ONNX. Leaves:
  layers and nodes with tensors, constants and inferred shapes, and ``arguments_of`` to run them on.
"""
