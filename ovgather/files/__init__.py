"""Files: outputs are written whole and replace no input; only safe files beside a model are read.

- May know: errors and text. It knows no format but that of NumPy's arrays.
- A new file: a way to read or write files that any package may use.
- Enters: paths, bytes, open files. Leaves: bytes that are mapped, arrays, files on disk.
"""
