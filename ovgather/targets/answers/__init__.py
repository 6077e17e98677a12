"""From a runtime's message to its meaning: patterns of messages, as plain data, and what finds the one that fits.

- May know: the tables of ``targets``. It reads no file.
- A new file: ``sources/<who>.json`` with the fields of ``Pattern``, found by listing the folder. ``functions.py`` holds
  the functions of frameworks that people look an operation up by.
- Enters: text, such as a log. Leaves: the messages in it, each with a meaning, a remedy, rules and commands.
"""
