"""Changes to the text of a file, and models written out."""
