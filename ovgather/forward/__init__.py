"""The forward pass: graph and shapes of inputs -> of every output the shape, the element type, the value as far as it
is known, and what these rest on.

- May know: ``ops``, ``ir``, ``tensor``. It knows no rule and no verb.
- A new file: another way in which facts enter (attributes, constants) or flow (bodies).
- Enters: an IR model. Leaves: ``Forward`` with tensors, refusals and the types that nobody declares.
"""
