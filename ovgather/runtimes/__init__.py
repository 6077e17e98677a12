"""Runtimes in child processes: a request goes in, an outcome comes out, and a crash is an outcome.

In this order: ``pool.run`` groups the cases; ``child`` starts a worker and asks; ``wire`` carries frames and tensors;
``worker``, in the child process, hands them to an adapter; answers are believed when the child has ended well.

- May know: ``tensor``, ``ops``, ``ir``, ``onnx_file``, ``layers``. It gives no verdict on values.
- A new file: a runtime in ``adapters/`` (with ``RUNTIME``; the folder is listed); the pool, the wire and the worker
  stand here.
- Enters: cases (``request``, ``trial``) by way of ``pool.run``. Leaves: answers, or failures with their reason.
"""
