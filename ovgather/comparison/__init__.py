"""Cross-check: what a runtime computes, layer by layer, beside the reference.

In this order: ``entry.crosscheck`` reads the file and makes one ``CrosscheckOptions``; ``check.Check`` gets the runs of
each layer alone and of the whole model from ``IrLayers`` or ``OnnxNodes``; ``confirm.ask`` puts them to a runtime, and
what differs to it again; ``verdict`` judges what came out; models that fail as a whole are narrowed to the layers at
fault; ``report`` holds the records.

- May know: all below. It prints nothing.
- A new file: a way to run layers in ``alone/`` or ``in_model/``, a judgement in ``verdict/``; ``reduce/`` makes a
  failure small, ``fuzz`` draws random layers, ``onnx/`` holds what differs for ONNX files.
- Enters: ``entry.crosscheck``. Leaves: ``report.Report`` with a record for each layer and variant.
"""
