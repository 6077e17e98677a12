"""The verbs beside validate and crosscheck: a model in, a result out, one file a verb.

- May know: all below. It prints nothing and writes only what it is asked to write.
- A new file: a verb: a function that takes a model and returns a record, for IR and ONNX alike.
- Enters: a source or a model, and the options of the verb. Leaves: records for the renderers of ``report``.
"""
