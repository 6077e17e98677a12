"""Who prints messages: one file of plain data each, with ``WHO``, ``PATTERNS``, and ``DEVICE`` for a device."""
