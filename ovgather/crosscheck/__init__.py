"""Cross-check: what a runtime computes, layer by layer, beside the reference.

- May know: all below. It prints nothing.
- A new file: a way to run layers in ``alone/`` or ``in_model/``, a judgement in ``verdict/``; ``reduce/`` makes a
  failure small, ``fuzz/`` draws random layers, ``onnx/`` does the same for ONNX files.
- Enters: ``entry.crosscheck``. Leaves: ``report.Report`` with a record for each layer and variant.
"""
