"""Layers by themselves: ``plan`` picks values (or says why there are none), ``variants`` reduces the layer to a
``LayerCase`` and makes further trials of that, and ``run`` puts trials to a runtime: LayerCase -> Trial -> TrialRun.
"""
