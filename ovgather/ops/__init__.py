"""What an operation is: declaration, shape inference, reference.

- May know: ``tensor``, errors, text. It knows no file format: inputs are shapes, element types and arrays.
- A new file: an operation version in ``openvino/`` or ``onnx/`` (its docstring is its page; the folder is listed). What
  versions share stands here (``gather.py``, ``gather_nd.py``); how elements are moved in ``kernels/``; random layers
  and index patterns in ``sampling/``.
- Enters: shapes (``api_infer``) and arrays (``api_evaluate``). Leaves: ``Inference`` with the source of each dim, and
  arrays.
"""
