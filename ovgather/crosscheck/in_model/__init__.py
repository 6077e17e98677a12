"""Layers in the whole model: ``inputs`` are matched or ``random_inputs`` made, ``plan`` says which tensors to tap,
``tap`` adds the Results, and ``bisect`` finds the layer at fault where the model fails as a whole.
"""
