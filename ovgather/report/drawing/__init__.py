"""One gather, drawn: which cell of data each output cell takes, or, of large ones, where the indices point."""
