"""Files: what is written is whole or not there and replaces no input; what is read beside a model is safe to read.

- May know: errors and text. It knows no format but that of NumPy's arrays.
- A new file: a way to read or write files that any room may use.
- Enters: paths, bytes, open files. Leaves: bytes that are mapped, arrays, files on disk.
"""
