"""Windows over images: convolution, pooling, regions, interpolation, colours."""
