"""Who prints messages: one file of plain data each, with ``WHO`` and ``PATTERNS``."""
