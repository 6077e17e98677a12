"""Layers in the whole model: ``run`` taps, judges and reads models of both formats, and ``bisect`` finds the layer at
fault where one fails as a whole; ``tap`` adds Results to an IR, ``whole`` compares the model with itself without them.
"""
