"""Layers by themselves: ``plan`` picks values (or says why there are none), ``layer_case`` reduces the layer to its
kind, ``variants`` makes further trials of that, and ``run`` puts trials to a runtime: LayerCase -> Trial -> TrialRun.
"""
