"""Random layers: ``draw`` makes trials of a seed, ``campaign`` runs them, groups what fails by its cause, makes one of
each group small and writes its folder.
"""
