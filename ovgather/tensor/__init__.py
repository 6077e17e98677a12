"""Values that describe a tensor: dims, shapes, element types, bit patterns, packing in a .bin.

- May know: errors and text. It knows no file and no operation.
- A new file: a value object, or a function on bytes and arrays, with its doctest.
- Enters: numbers, strings, bytes. Leaves: ``Dimension``, ``PartialShape``, ``ElementType``, arrays.
"""
